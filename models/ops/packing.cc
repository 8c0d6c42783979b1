#include "models/ops/packing.h"

#include <cstddef>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace pruner {
namespace {

constexpr std::string_view kPlain = "plain";
constexpr std::string_view kChannels = "channels/";

// Calls move(index in `shape`, index in the packed shape) for every element.
template <typename Move>
void ForEachElement(const Shape& shape, const Packing& packing,
                    const Move& move) {
  const size_t elements = NumElements(shape);
  if (packing.IsPlain()) {
    for (size_t i = 0; i < elements; ++i) move(i, i);
    return;
  }
  CHECK_EQ(shape.back() % packing.lanes, 0);
  const size_t channels = shape.back(), lanes = packing.lanes;
  const size_t rows = elements / channels;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t c = 0; c < channels; ++c) {
      move(row * channels + c, (c / lanes * rows + row) * lanes + c % lanes);
    }
  }
}

}  // namespace

std::string PackingText(const Packing& packing) {
  return packing.IsPlain() ? std::string(kPlain)
                           : absl::StrCat(kChannels, packing.lanes);
}

absl::StatusOr<Packing> ParsePacking(std::string_view text) {
  if (text == kPlain) return Packing{};
  Packing packing;
  std::string_view lanes = text;
  if (!absl::ConsumePrefix(&lanes, kChannels) ||
      !absl::SimpleAtoi(lanes, &packing.lanes) || packing.lanes < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is no packing; there are '", kPlain,
                     "' and '", kChannels, "N' with N of at least 1"));
  }
  return packing;
}

Packing ChoosePacking(int64_t channels, int64_t simd_lanes) {
  constexpr int64_t kFewestLanes = 4;
  int64_t lanes = 1;
  while (lanes * 2 <= simd_lanes && channels % (lanes * 2) == 0) lanes *= 2;
  return {lanes < kFewestLanes ? 0 : lanes};
}

Shape PackedShape(const Shape& shape, const Packing& packing) {
  if (packing.IsPlain()) return shape;
  CHECK_EQ(shape.back() % packing.lanes, 0);
  Shape packed = {shape.back() / packing.lanes};
  packed.insert(packed.end(), shape.begin(), shape.end() - 1);
  packed.push_back(packing.lanes);
  return packed;
}

std::vector<float> PackConstant(absl::Span<const float> data,
                                const Shape& shape, const Packing& packing) {
  std::vector<float> packed(data.size());
  ForEachElement(shape, packing,
                 [&](size_t from, size_t to) { packed[to] = data[from]; });
  return packed;
}

std::vector<float> UnpackConstant(absl::Span<const float> data,
                                  const Shape& shape, const Packing& packing) {
  std::vector<float> plain(data.size());
  ForEachElement(shape, packing,
                 [&](size_t to, size_t from) { plain[to] = data[from]; });
  return plain;
}

}  // namespace pruner
