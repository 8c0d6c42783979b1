// Tiles as levels between which factors move.
#ifndef PRUNER_SAMPLE_LEVELS_H_
#define PRUNER_SAMPLE_LEVELS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/sketch/decision.h"

namespace pruner {

// The iterations of all loops that lengths make of one, outermost first. The
// outermost takes part for tiles that divide; the others keep theirs.
class Levels {
 public:
  Levels(const LengthsDomain& domain, absl::Span<const int32_t> lengths);

  size_t size() const { return iterations_.size(); }
  int64_t operator[](size_t level) const { return iterations_[level]; }
  // The first that takes part.
  size_t first() const { return first_; }
  // Those that have a factor to give, but for `except`.
  std::vector<size_t> Givers(size_t except) const;

  // Requires that `factor` divides level `from`.
  void Move(size_t from, size_t to, int64_t factor);
  void WriteTo(absl::Span<int32_t> lengths) const;

 private:
  std::vector<int64_t> iterations_;
  size_t first_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_SAMPLE_LEVELS_H_
