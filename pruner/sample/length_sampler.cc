#include "pruner/sample/length_sampler.h"

#include <algorithm>

#include "absl/log/check.h"

namespace pruner {

std::optional<Rejection> LengthSampler::Fill(const LengthSpace& space, Rng& rng,
                                             absl::Span<int32_t> values) {
  std::vector<size_t> open;
  for (size_t i = 0; i < space.decisions.size(); ++i) {
    const Decision& decision = space.decisions[i];
    if (decision.HasLengths() && IsOpen(decision, values)) open.push_back(i);
  }
  if (open.empty()) return std::nullopt;
  std::optional<Rejection> rejection;
  for (int i = 0; i < tries(); ++i) {
    rejection = FillOnce(space, open, rng, values);
    if (!rejection) break;
    for (const size_t which : open) {
      const absl::Span<int32_t> lengths =
          ValuesOf(space.decisions[which], values);
      std::fill(lengths.begin(), lengths.end(), kOpen);
    }
  }
  return rejection;
}

std::optional<Rejection> LengthSampler::FillOnce(const LengthSpace& space,
                                                 absl::Span<const size_t> open,
                                                 Rng& rng,
                                                 absl::Span<int32_t> values) {
  std::vector<size_t> order(open.begin(), open.end());
  rng.Shuffle(order);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return Rank(space.decisions[a]) < Rank(space.decisions[b]);
  });
  for (const size_t which : order) {
    if (const auto rejection = Redraw(space, which, rng, values))
      return rejection;
  }
  return std::nullopt;
}

void SetLengths(const Decision& decision, absl::Span<const int64_t> lengths,
                absl::Span<int32_t> values) {
  const absl::Span<int32_t> to = ValuesOf(decision, values);
  CHECK_EQ(lengths.size(), to.size());
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<int32_t>(lengths[i]);
}

bool LengthsFit(const Decision& decision, absl::Span<const int32_t> values) {
  const LengthsDomain& domain = decision.lengths();
  int64_t product = 1;
  for (const int32_t length : ValuesOf(decision, values)) {
    if (length < 1) return false;
    product *= length;
    if (product > domain.extent) return false;
  }
  // Threads that are left over in the last block have nothing to do.
  const bool must_divide =
      !domain.may_overlap && decision.kind != DecisionKind::kThreads;
  return !must_divide || domain.extent % product == 0;
}

}  // namespace pruner
