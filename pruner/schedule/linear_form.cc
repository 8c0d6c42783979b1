#include "pruner/schedule/linear_form.h"

#include <algorithm>
#include <numeric>

namespace pruner {

void LinearForm::Summand::Reduce() {
  const int64_t common = std::gcd(factor, divisor);
  factor /= common;
  divisor /= common;
}

void LinearForm::Add(const LinearForm& other, int64_t factor) {
  if (factor == 0) return;
  for (Summand summand : other.summands_) {
    summand.factor *= factor;
    const auto place = std::lower_bound(
        summands_.begin(), summands_.end(), summand.thing,
        [](const Summand& s, int thing) { return s.thing < thing; });
    if (place == summands_.end() || place->thing != summand.thing) {
      summand.Reduce();
      summands_.insert(place, summand);
      continue;
    }
    place->factor =
        place->factor * summand.divisor + summand.factor * place->divisor;
    place->divisor *= summand.divisor;
    if (place->factor == 0) {
      summands_.erase(place);
    } else {
      place->Reduce();
    }
  }
}

void LinearForm::Divide(int64_t divisor) {
  for (Summand& summand : summands_) {
    summand.divisor *= divisor;
    summand.Reduce();
  }
}

bool LinearForm::IsWholeOf(int first, int end) const {
  return std::all_of(summands_.begin(), summands_.end(), [&](const Summand& s) {
    return s.thing >= first && s.thing < end && s.divisor == 1;
  });
}

int64_t LinearForm::TimesOf(int thing) const {
  for (const Summand& summand : summands_) {
    if (summand.thing == thing)
      return summand.divisor == 1 ? summand.factor : 0;
  }
  return 0;
}

}  // namespace pruner
