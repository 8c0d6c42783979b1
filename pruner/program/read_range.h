// The range of one dimension that several reads cover: a bounding box of all.
#ifndef PRUNER_PROGRAM_READ_RANGE_H_
#define PRUNER_PROGRAM_READ_RANGE_H_

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "pruner/dag/compute_dag.h"

namespace pruner {

class ReadRange {
 public:
  explicit ReadRange(int64_t dimension) : dimension_(dimension) {}

  // `covered`: the extents of the reader's axes that are iterated over.
  // `alignment`: the sum of the index's terms is a multiple of this where the
  // iteration begins.
  void Add(const IndexExpr& index, const int64_t* covered, int64_t alignment) {
    if (index.opaque) {
      whole_ = true;
      return;
    }
    int64_t low = index.constant;
    int64_t high = index.constant;
    for (const IndexTerm& term : index.terms) {
      const int64_t reach = term.coefficient * (covered[term.axis] - 1);
      (reach < 0 ? low : high) += reach;
    }
    if (first_ == nullptr) {
      first_ = &index;
      alignment_ = alignment;
      low_ = low;
      high_ = high;
    } else if (first_->terms == index.terms &&
               first_->divisor == index.divisor &&
               first_->modulus == index.modulus) {
      alignment_ = std::gcd(alignment_, alignment);
      low_ = std::min(low_, low);
      high_ = std::max(high_, high);
    } else {
      whole_ = true;
    }
  }

  int64_t Extent() const {
    if (whole_) return dimension_;
    if (first_ == nullptr) return 1;
    // Halide takes no part of what an index reads modulo a number.
    const int64_t extent =
        first_->modulus != 0 ? first_->modulus : Parts(first_->divisor);
    return std::min(dimension_, extent);
  }

 private:
  // Of so many numbers each, from 0 on: how many the range has a part of, at
  // most, wherever it begins.
  int64_t Parts(int64_t numbers) const {
    const int64_t alignment = std::gcd(alignment_, numbers);
    const int64_t latest = numbers - alignment + FloorMod(low_, alignment);
    return (latest + high_ - low_) / numbers + 1;
  }
  static int64_t FloorMod(int64_t a, int64_t b) { return ((a % b) + b) % b; }

  int64_t dimension_;
  bool whole_ = false;
  int64_t alignment_ = 0;
  const IndexExpr* first_ = nullptr;
  int64_t low_ = 0;
  int64_t high_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_READ_RANGE_H_
