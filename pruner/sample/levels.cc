#include "pruner/sample/levels.h"

#include "pruner/base/factors.h"

namespace pruner {

Levels::Levels(const LengthsDomain& domain, absl::Span<const int32_t> lengths) {
  int64_t inner = 1;
  for (const int32_t length : lengths) inner *= length;
  iterations_.push_back(CeilDiv(domain.extent, inner));
  iterations_.insert(iterations_.end(), lengths.begin(), lengths.end());
  if (domain.extent % inner != 0) first_ = 1;
}

std::vector<size_t> Levels::Givers(size_t except) const {
  std::vector<size_t> givers;
  for (size_t i = first_; i < size(); ++i) {
    if (i != except && iterations_[i] > 1) givers.push_back(i);
  }
  return givers;
}

void Levels::Move(size_t from, size_t to, int64_t factor) {
  iterations_[from] /= factor;
  iterations_[to] *= factor;
}

void Levels::WriteTo(absl::Span<int32_t> lengths) const {
  for (size_t i = 0; i < lengths.size(); ++i)
    lengths[i] = static_cast<int32_t>(iterations_[i + 1]);
}

}  // namespace pruner
