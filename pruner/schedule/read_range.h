// The range of one dimension that several reads cover: a bounding box of all.
#ifndef PRUNER_SCHEDULE_READ_RANGE_H_
#define PRUNER_SCHEDULE_READ_RANGE_H_

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "pruner/dag/compute_dag.h"

namespace pruner {

// Of reads that move with the same loops, so that how far they are apart does
// not change.
class ReadRange {
 public:
  // Reads by indices that differ from `index` in their constants, `least` to
  // `most`. `begins`, `covered`: where the reader's axes begin, up to something
  // that is the same for all reads, and how much of them is iterated over.
  // `alignment`: of the sum of the index's terms, where the axes begin at that
  // something.
  void Add(const IndexExpr& index, int64_t least, int64_t most,
           const int64_t* begins, const int64_t* covered, int64_t alignment) {
    int64_t low = least;
    int64_t high = most;
    for (const IndexTerm& term : index.terms) {
      const int64_t begin = term.coefficient * begins[term.axis];
      const int64_t reach = term.coefficient * (covered[term.axis] - 1);
      low += begin + std::min<int64_t>(reach, 0);
      high += begin + std::max<int64_t>(reach, 0);
    }
    low_ = first_ == nullptr ? low : std::min(low_, low);
    high_ = first_ == nullptr ? high : std::max(high_, high);
    alignment_ = std::gcd(alignment_, alignment);
    if (first_ == nullptr) first_ = &index;
  }

  // Where it begins, up to that something; 0 where that is another.
  int64_t Begin() const { return IsSum() ? low_ : 0; }
  // Of where that something is; 0: it is 0.
  int64_t Alignment() const { return IsSum() ? alignment_ : 1; }

  int64_t Extent(int64_t dimension) const {
    if (first_ == nullptr) return 1;
    // Halide takes no part of what an index reads modulo a number.
    const int64_t extent =
        first_->modulus != 0 ? first_->modulus : Parts(first_->divisor);
    return std::min(dimension, extent);
  }

 private:
  bool IsSum() const {
    return first_ != nullptr && first_->divisor == 1 && first_->modulus == 0;
  }
  // Of so many numbers each, from 0 on: how many the range has a part of, at
  // most, wherever it begins.
  int64_t Parts(int64_t numbers) const {
    const int64_t alignment = std::gcd(alignment_, numbers);
    const int64_t latest = numbers - alignment + FloorMod(low_, alignment);
    return (latest + high_ - low_) / numbers + 1;
  }
  static int64_t FloorMod(int64_t a, int64_t b) { return ((a % b) + b) % b; }

  int64_t alignment_ = 0;
  const IndexExpr* first_ = nullptr;
  int64_t low_ = 0;
  int64_t high_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_READ_RANGE_H_
