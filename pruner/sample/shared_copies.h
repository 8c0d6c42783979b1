// How large the copies to shared memory are that a sketch makes, under tiles
// that are being drawn: what else there is of a schedule need not be known.
#ifndef PRUNER_SAMPLE_SHARED_COPIES_H_
#define PRUNER_SAMPLE_SHARED_COPIES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/types/span.h"
#include "pruner/schedule/loop_state.h"
#include "pruner/sketch/decision.h"

namespace pruner {

class SharedCopies {
 public:
  // Of a sketch with this structure. The DAG must outlive it.
  explicit SharedCopies(const LoopState& structure);

  // The longest tile of `decisions[which]`, up to `largest` elements, beside
  // which the copies of its stage take no more than `max_bytes` of a block; 0
  // if none does. What is open yet counts as 1.
  int64_t LargestTile(absl::Span<const Decision> decisions, size_t which,
                      absl::Span<const int32_t> values, int64_t largest,
                      int64_t max_bytes) const;

  // Elements of a row of copy `stage`; 0 if that is no copy.
  int64_t RowLength(int stage, absl::Span<const Decision> decisions,
                    absl::Span<const int32_t> values) const;

 private:
  struct Copy {
    int stage = 0;
    int reader = 0;
  };

  // How much of each axis the reader covers while its copies last.
  std::vector<int64_t> Covered(int reader, absl::Span<const Decision> decisions,
                               absl::Span<const int32_t> values) const;
  int64_t Bytes(int reader, const std::vector<int64_t>& covered) const;

  const ComputeDag* dag_;
  std::vector<Copy> copies_;
  // By reader: what is covered of axes of which no tile is open.
  std::map<int, std::vector<int64_t>> fixed_;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_SHARED_COPIES_H_
