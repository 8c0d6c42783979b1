// Loops of a definition with guards wherever they may step beyond the end.
#ifndef HALIDE_EXT_LOWER_GUARDED_LOOPS_H_
#define HALIDE_EXT_LOWER_GUARDED_LOOPS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "halide_ext/lower/directive.h"

namespace pruner {

struct AxisPart {
  int64_t extent = 1;
  bool is_rvar = false;
  // Of a reduction whose order may matter: no other loop of it gets between
  // this axis' own.
  bool keeps_order = false;

  bool operator==(const AxisPart&) const = default;
};

// By axis: what it is first of all cut into; the part is the axis in what
// follows.
using AxisParts = std::map<std::string, AxisPart>;

// What the part of an axis is called, and the loop over its parts: not like the
// axis, of which Halide's simplifier then makes endless recursions.
std::string PartOf(const std::string& axis);
std::string PartsOf(const std::string& axis);

// Adds the loops over parts to those that a reorder in `definition` names,
// innermost first, where they are not yet: outermost, but right around the
// loops of an axis that keeps its order.
void AddLoopsOverParts(absl::Span<const Directive> definition,
                       const AxisParts& parts, std::vector<LoopName>& order);

// `definition`, which is all that is said of one definition's loops, with
// guards for all tails. Parts are called PartOf; loops keep their names, but
// for the axes that are in parts.
//
// Vectors are cut off first, so that a guard is false for some lanes of a
// vector or the vector is not computed at all: where a guard is false for all
// lanes of a vector Halide reads what the lanes have in common all the same,
// and that may lie beyond an input's end. Where a vector does not divide a part
// there are vectors and no part; one that does not divide other loops that it
// is in is none. Nor is one of less than 16 bytes or of a length that is no
// power of two, of which LLVM may make aligned stores. What would have been a
// vector is unrolled if it is short.
//
// Along axes of `extensible` vectors are not guarded: the last one is moved
// inwards, and where there is less than a vector more is computed.
//
// kRare: for loops that seldom run nothing is unrolled, which may take the
// compiler longer than all else. kThreads: there are no vectors, for kernels
// have none of which lanes are left out.
enum class LoopUse { kUsual, kRare, kThreads };
std::vector<Directive> GuardedLoops(
    absl::Span<const Directive> definition, const AxisParts& parts,
    int64_t element_bytes, LoopUse use = LoopUse::kUsual,
    const std::set<std::string>& extensible = {});

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_GUARDED_LOOPS_H_
