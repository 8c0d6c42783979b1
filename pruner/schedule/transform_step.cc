#include "pruner/schedule/transform_step.h"

#include <cstddef>

namespace pruner {

std::vector<int64_t> FollowedLengths(const std::vector<int64_t>& source,
                                     int levels) {
  std::vector<int64_t> lengths(source.begin(), source.begin() + (levels - 2));
  int64_t rest = 1;
  for (std::size_t i = levels - 2; i < source.size(); ++i) rest *= source[i];
  lengths.push_back(rest);
  return lengths;
}

}  // namespace pruner
