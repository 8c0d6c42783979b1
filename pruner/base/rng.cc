#include "pruner/base/rng.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/log/check.h"
#include "absl/numeric/int128.h"
#include "absl/types/span.h"

namespace pruner {
namespace {

constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15;

// The output function of SplitMix64: a bijection whose output bits each depend
// on all input bits.
uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

Rng::Rng(uint64_t seed) : seed_(seed) {
  for (uint64_t& word : state_) word = Mix(seed += kGoldenGamma);
}

uint64_t Rng::Next() {
  auto& [a, b, c, d] = state_;
  const uint64_t result = std::rotl(a + d, 23) + a;
  const uint64_t shifted = b << 17;
  c ^= a;
  d ^= b;
  b ^= c;
  a ^= d;
  c ^= shifted;
  d = std::rotl(d, 45);
  return result;
}

// Lemire, "Fast Random Integer Generation in an Interval", 2019: the high word
// of Next() * bound, where the few products that would favour some results are
// redrawn.
uint64_t Rng::Below(uint64_t bound) {
  absl::uint128 product = absl::uint128(Next()) * bound;
  if (absl::Uint128Low64(product) < bound) {
    const uint64_t surplus = -bound % bound;  // 2^64 modulo bound
    while (absl::Uint128Low64(product) < surplus) {
      product = absl::uint128(Next()) * bound;
    }
  }
  return absl::Uint128High64(product);
}

int64_t Rng::Uniform(int64_t lo, int64_t hi) {
  CHECK_LE(lo, hi);
  const uint64_t low = static_cast<uint64_t>(lo);
  const uint64_t count =
      static_cast<uint64_t>(hi) - low + 1;  // 0 stands for 2^64
  return static_cast<int64_t>(low + (count == 0 ? Next() : Below(count)));
}

size_t Rng::Index(size_t n) {
  CHECK_GT(n, 0u);
  return Below(n);
}

double Rng::Real() {
  return std::ldexp(static_cast<double>(Next() >> 11), -53);
}

bool Rng::Chance(double p) { return Real() < p; }

size_t Rng::WeightedIndex(absl::Span<const double> weights) {
  double total = 0;
  for (const double weight : weights) {
    CHECK(std::isfinite(weight) && weight >= 0) << weight;
    total += weight;
  }
  CHECK_GT(total, 0);
  double left = Real() * total;
  size_t drawn = weights.size();
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    drawn = i;  // the last one stays if rounding leaves a rest
    if (left < weights[i]) break;
    left -= weights[i];
  }
  return drawn;
}

Rng Rng::Fork(uint64_t stream) const {
  // The outer Mix is a bijection of `stream`: no two streams of a seed are the
  // same. The inner one keeps neighbouring seeds with neighbouring streams
  // apart.
  return Rng(Mix(Mix(seed_ + kGoldenGamma) + stream));
}

}  // namespace pruner
