// The range of one dimension that several reads cover: a bounding box of all.
#ifndef PRUNER_SCHEDULE_READ_RANGE_H_
#define PRUNER_SCHEDULE_READ_RANGE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "pruner/base/factors.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

// Of reads that move with the same loops, so that how far they are apart does
// not change. They divide by the same number, or all are exact.
class ReadRange {
 public:
  // Reads by indices that differ from `index` in their constants, `least` to
  // `most`. By axis of the reader: where they begin, up to something that is
  // the same for all reads, how much of them is iterated over, and of what that
  // something is a multiple (0: it is 0).
  void Add(const IndexExpr& index, int64_t least, int64_t most,
           const int64_t* begins, const int64_t* covered,
           const int64_t* alignments) {
    int64_t alignment = 0;  // of the sum of the index's terms
    int64_t low = least;
    int64_t high = most;
    for (const IndexTerm& term : index.terms) {
      const int64_t begin = term.coefficient * begins[term.axis];
      const int64_t reach = term.coefficient * (covered[term.axis] - 1);
      low += begin + std::min<int64_t>(reach, 0);
      high += begin + std::max<int64_t>(reach, 0);
      alignment = std::gcd(alignment, term.coefficient * alignments[term.axis]);
    }
    Range range = {.low = low, .high = high, .alignment = alignment};
    if (index.divisor != 1) {
      dividends_.Add(range);
      is_exact_ &= alignment % index.divisor == 0;
      range = {.low = FloorDiv(low, index.divisor),
               .high = FloorDiv(high, index.divisor),
               .alignment = alignment / index.divisor};
    }
    quotients_.Add(range);
    is_exact_ &= index.modulus == 0;
    if (first_ == nullptr) first_ = &index;
  }

  // Each read begins at a fixed number from the something's quotient, which is
  // whole.
  bool IsExact() const { return first_ != nullptr && is_exact_; }

  // Where it begins, up to that something; 0 where that is another.
  int64_t Begin() const { return IsExact() ? quotients_.low : 0; }
  // Of where that something is; 0: it is 0.
  int64_t Alignment() const { return IsExact() ? quotients_.alignment : 1; }

  int64_t Extent(int64_t dimension) const {
    if (first_ == nullptr) return 1;
    return std::min(dimension, ExtentOfAll());
  }

 private:
  struct Range {
    int64_t low = std::numeric_limits<int64_t>::max();
    int64_t high = std::numeric_limits<int64_t>::min();
    int64_t alignment = 0;

    void Add(const Range& other) {
      low = std::min(low, other.low);
      high = std::max(high, other.high);
      alignment = std::gcd(alignment, other.alignment);
    }
  };

  int64_t ExtentOfAll() const {
    // Halide takes no part of what an index reads modulo a number.
    if (first_->modulus != 0) return first_->modulus;
    if (is_exact_) return quotients_.high - quotients_.low + 1;
    return Parts(first_->divisor);
  }
  // Of so many numbers each, from 0 on: how many the range has a part of, at
  // most, wherever it begins.
  int64_t Parts(int64_t numbers) const {
    const int64_t alignment = std::gcd(dividends_.alignment, numbers);
    const int64_t latest =
        numbers - alignment + FloorMod(dividends_.low, alignment);
    return (latest + dividends_.high - dividends_.low) / numbers + 1;
  }
  static int64_t FloorMod(int64_t a, int64_t b) {
    return a - FloorDiv(a, b) * b;
  }

  const IndexExpr* first_ = nullptr;
  bool is_exact_ = true;
  Range dividends_;  // where something divides them
  Range quotients_;
};

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_READ_RANGE_H_
