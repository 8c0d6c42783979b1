#include "pruner/base/median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/log/check.h"

namespace pruner {

double Median(std::vector<double> values) {
  CHECK(!values.empty());
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double Quantile(std::vector<double> values, double share) {
  CHECK(!values.empty());
  CHECK(share >= 0 && share <= 1) << share;
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), below, values.end());
  const double rest = at - std::floor(at);
  if (rest == 0) return *below;
  return *below + rest * (*std::min_element(below + 1, values.end()) - *below);
}

}  // namespace pruner
