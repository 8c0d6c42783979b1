// Sums of multiples of things that are not known: where loops are, where
// regions begin. Two that are equal stay as far apart as they are.
#ifndef PRUNER_SCHEDULE_LINEAR_FORM_H_
#define PRUNER_SCHEDULE_LINEAR_FORM_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace pruner {

// With fractions, for an index may divide. A value; equal forms compare equal.
class LinearForm {
 public:
  LinearForm() = default;  // 0
  explicit LinearForm(int thing) : summands_({{.thing = thing}}) {}

  // Adds `other` so many times.
  void Add(const LinearForm& other, int64_t factor);
  // `divisor` > 0.
  void Divide(int64_t divisor);

  // Whether it is a sum of whole multiples of things from `first` to before
  // `end` alone.
  bool IsWholeOf(int first, int end) const;
  // How many times the thing is in it; of one that is in it in part, 0.
  int64_t TimesOf(int thing) const;

  bool operator==(const LinearForm&) const = default;

 private:
  struct Summand {
    int thing = 0;
    int64_t factor = 1;  // not 0
    int64_t divisor = 1;

    void Reduce();
    bool operator==(const Summand&) const = default;
  };

  absl::InlinedVector<Summand, 2> summands_;  // by thing
};

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_LINEAR_FORM_H_
