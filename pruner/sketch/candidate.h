// A candidate as its genes: a sketch, and a value for each thing the sketch
// leaves open. What is measured and stored is the schedule that it stands for
// (pruner/sample/instantiate.h); the genes are what a search changes.
#ifndef PRUNER_SKETCH_CANDIDATE_H_
#define PRUNER_SKETCH_CANDIDATE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/sketch/decision.h"
#include "pruner/sketch/sketch.h"

namespace pruner {

using Values = absl::InlinedVector<int32_t, 24>;

// The value of what is still to be drawn; all others are 0 or more.
inline constexpr int32_t kOpen = -1;

struct Candidate {
  int sketch = 0;  // its number in a search space
  Values values = {};

  bool operator==(const Candidate&) const = default;
  template <typename H>
  friend H AbslHashValue(H hash, const Candidate& candidate) {
    return H::combine(std::move(hash), candidate.sketch, candidate.values);
  }
};

// Of the sketch and all values. The same on every machine of the same byte
// order: for tables in memory.
uint64_t CandidateHash(const Candidate& candidate);

// The values of one decision.
inline absl::Span<const int32_t> ValuesOf(const Decision& decision,
                                          absl::Span<const int32_t> values) {
  return values.subspan(decision.first, decision.count);
}
inline absl::Span<int32_t> ValuesOf(const Decision& decision,
                                    absl::Span<int32_t> values) {
  return values.subspan(decision.first, decision.count);
}
inline bool IsOpen(const Decision& decision, absl::Span<const int32_t> values) {
  return values[decision.first] == kOpen;
}

// Where a stage is computed, as the value of a kLocation: 0 at the root, 1
// inlined, else 2 + 256 * (a stage's number) + (the position of one of its
// loops), in which it is, and 2^30 more if it slides over that loop.
struct Location {
  static constexpr int32_t kRoot = 0;
  static constexpr int32_t kInlined = 1;
  static constexpr int32_t kMaxLoops = 256;  // of a nest
  static constexpr int32_t kSliding = 1 << 30;

  static bool IsAt(int32_t value) { return value >= 2; }
  static int32_t At(int stage, int loop) {
    return 2 + kMaxLoops * stage + loop;
  }
  static int StageOf(int32_t value) {
    return (WithoutSliding(value) - 2) / kMaxLoops;
  }
  static int LoopOf(int32_t value) {
    return (WithoutSliding(value) - 2) % kMaxLoops;
  }
  static bool Slides(int32_t value) {
    return IsAt(value) && (value & kSliding) != 0;
  }
  // Of a place in a loop.
  static int32_t WithSliding(int32_t value) { return value | kSliding; }
  static int32_t WithoutSliding(int32_t value) { return value & ~kSliding; }
};

// The genes in a line: "skip multi_level_tiling #89abcdef 4 2 16 0 …", that is
// the sketch's derivation, its version and the values.
std::string CandidateText(const Sketch& sketch,
                          absl::Span<const int32_t> values);

// Such a line taken apart.
struct Genes {
  std::string derivation = {};
  uint32_t version = 0;
  Values values = {};

  bool operator==(const Genes&) const = default;
};
// InvalidArgument if it is none.
absl::StatusOr<Genes> ParseGenes(absl::string_view text);

// OK if they are genes of this sketch: of its version, and as many as it has.
absl::Status CheckGenes(const Genes& genes, const Sketch& sketch);

}  // namespace pruner

#endif  // PRUNER_SKETCH_CANDIDATE_H_
