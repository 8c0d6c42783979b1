// From a structure and numbers to the Program.
#ifndef PRUNER_PROGRAM_RESOLVER_H_
#define PRUNER_PROGRAM_RESOLVER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/program/loop_values.h"
#include "pruner/program/program.h"
#include "pruner/program/structure.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// Resolves one program after another. Memory is kept from one to the next:
// once it is large enough, nothing is allocated. Not thread-safe.
class Resolver {
 public:
  // The target must outlive it.
  explicit Resolver(const TargetSpec& target) : target_(target) {}

  // `numbers` are those of the structure's schedule (NumbersOf); lengths are
  // positive. `structure` is not kept.
  void Resolve(const Structure& structure, absl::Span<const int64_t> numbers,
               Program& program);

  // The same in two steps: loops are computed, late steps taken, and then the
  // program is written that they make.
  void ComputeLoops(Structure& structure, absl::Span<const int64_t> numbers,
                    LateSteps& late_steps, Program& program);
  const LoopNumbers& loop(int value) const { return values_.loop(value); }
  const LoopValues& loops() const { return values_; }
  void Emit(const Structure& structure, absl::Span<const int64_t> numbers,
            Program& program);

 private:
  const TargetSpec& target_;
  LoopValues values_;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_RESOLVER_H_
