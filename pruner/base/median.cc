#include "pruner/base/median.h"

#include <algorithm>
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

}  // namespace pruner
