// Code for each type that elements have in memory.
#ifndef HALIDE_EXT_BUILD_VISIT_TYPE_H_
#define HALIDE_EXT_BUILD_VISIT_TYPE_H_

#include <cstdint>

#include "Halide.h"

namespace pruner {

// Calls visit(T()), T being what an element of that type is in memory, a byte
// for a bool. `type` has one lane and is no handle.
// NOLINTBEGIN(bugprone-branch-clone): the branches differ in that type.
template <typename Visit>
void VisitType(const Halide::Type& type, const Visit& visit) {
  if (type.is_bfloat()) return visit(Halide::bfloat16_t());
  switch (type.bytes()) {
    case 1:
      return type.is_int() ? visit(int8_t()) : visit(uint8_t());
    case 2:
      if (type.is_float()) return visit(Halide::float16_t());
      return type.is_int() ? visit(int16_t()) : visit(uint16_t());
    case 4:
      if (type.is_float()) return visit(float());
      return type.is_int() ? visit(int32_t()) : visit(uint32_t());
    default:
      if (type.is_float()) return visit(double());
      return type.is_int() ? visit(int64_t()) : visit(uint64_t());
  }
}
// NOLINTEND(bugprone-branch-clone)

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_VISIT_TYPE_H_
