// What became of the register allocations of a pipeline's GPU kernels.
#ifndef HALIDE_EXT_PASSES_PROMOTION_REPORT_H_
#define HALIDE_EXT_PASSES_PROMOTION_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

enum class RefusalKind {
  // Some index is not shown to be one value per thread plus a constant, so the
  // elements cannot be registers but stay in local memory.
  kIndexVaries,
  // Threads of a block use each other's elements. Halide gives every thread a
  // copy of its own, so what one writes the other does not see: the program is
  // wrong, unless each thread writes an element before it reads it.
  kSharedByThreads,
  // The allocation is used in other ways than by loads and stores.
  kAddressTaken,
};

struct Promotion {
  std::string allocation;
  // Elements that each thread had, and has now. The former is 0 if it was no
  // constant.
  int64_t elements_before = 0;
  int64_t elements = 0;
};

struct Refusal {
  RefusalKind kind = RefusalKind::kIndexVaries;
  std::string allocation;
  std::string reason;  // one sentence
};

// In the order of the program. Allocations whose indices do not depend on the
// thread were made for one thread in the first place, and are in neither list
// unless an index varies.
struct PromotionReport {
  std::vector<Promotion> promotions;
  std::vector<Refusal> refusals;
};

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_PROMOTION_REPORT_H_
