// The range of one dimension that several reads cover: a bounding box of all.
#ifndef PRUNER_PROGRAM_READ_RANGE_H_
#define PRUNER_PROGRAM_READ_RANGE_H_

#include <algorithm>
#include <cstdint>

#include "pruner/dag/compute_dag.h"

namespace pruner {

class ReadRange {
 public:
  explicit ReadRange(int64_t dimension) : dimension_(dimension) {}

  // `covered`: the extents of the reader's axes that are iterated over.
  // `is_exact`: the index is one where all of the axes are, and not the bounds
  // of a Func's loops, whose ends Halide does not know to be the same.
  void Add(const IndexExpr& index, const int64_t* covered, bool is_exact) {
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
    // Tiles start at multiples of the divisor and of the modulus, as far as
    // that goes.
    low = FloorDiv(low, index.divisor);
    high = FloorDiv(high, index.divisor);
    if (index.modulus != 0) {
      const bool wraps = !is_exact || FloorDiv(low, index.modulus) !=
                                          FloorDiv(high, index.modulus);
      low = wraps ? 0 : FloorMod(low, index.modulus);
      high = wraps ? index.modulus - 1 : FloorMod(high, index.modulus);
    }
    if (first_ == nullptr) {
      first_ = &index;
      low_ = low;
      high_ = high;
    } else if (first_->terms == index.terms &&
               first_->divisor == index.divisor &&
               first_->modulus == index.modulus) {
      low_ = std::min(low_, low);
      high_ = std::max(high_, high);
    } else {
      whole_ = true;
    }
  }

  int64_t Extent() const {
    if (whole_) return dimension_;
    if (first_ == nullptr) return 1;
    return std::min(dimension_, high_ - low_ + 1);
  }

 private:
  static int64_t FloorDiv(int64_t a, int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
  }
  static int64_t FloorMod(int64_t a, int64_t b) {
    return a - FloorDiv(a, b) * b;
  }

  int64_t dimension_;
  bool whole_ = false;
  const IndexExpr* first_ = nullptr;
  int64_t low_ = 0;
  int64_t high_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_READ_RANGE_H_
