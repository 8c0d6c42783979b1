// The one source of randomness: seeded, and the same everywhere.
#ifndef PRUNER_BASE_RNG_H_
#define PRUNER_BASE_RNG_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/types/span.h"

namespace pruner {

// A stream of random numbers that depends on the seed alone. The distributions
// are our own, as those of the standard library differ between implementations;
// changing any of them changes every log that a seed stands for. Copying copies
// the position in the stream. Not thread-safe: give each thread a Fork.
//
// The generator is xoshiro256++ (Blackman and Vigna, "Scrambled Linear
// Pseudorandom Number Generators", 2021), its state filled by SplitMix64.
class Rng {
 public:
  explicit Rng(uint64_t seed);

  // All 64 bits uniform.
  uint64_t Next();

  // Uniform in lo..hi, both included; lo <= hi. Without bias.
  int64_t Uniform(int64_t lo, int64_t hi);

  // Uniform in 0..n-1; n > 0. Without bias.
  size_t Index(size_t n);

  // Uniform among the multiples of 2^-53 in [0, 1).
  double Real();

  // True with probability p; never for p <= 0, always for p >= 1.
  bool Chance(double p);

  // An index into `weights` with probability proportional to its weight. The
  // weights are finite and not negative, and one is positive; an index of
  // weight 0 is never drawn.
  size_t WeightedIndex(absl::Span<const double> weights);

  // A generator of its own for each `stream`. It depends on this one's seed and
  // `stream` only, not on how many numbers were drawn, and draws none itself:
  // adding a consumer of randomness leaves the other consumers' numbers as they
  // were.
  Rng Fork(uint64_t stream) const;

  // A uniformly chosen element of a non-empty container with operator[].
  template <typename Container>
  const auto& Pick(const Container& from ABSL_ATTRIBUTE_LIFETIME_BOUND) {
    return from[Index(std::size(from))];
  }

  // Brings the elements of a container with operator[] into a uniformly chosen
  // order.
  template <typename Container>
  void Shuffle(Container& items) {
    for (size_t left = std::size(items); left > 1; --left) {
      using std::swap;
      swap(items[left - 1], items[Index(left)]);
    }
  }

 private:
  uint64_t Below(uint64_t bound);

  uint64_t seed_;
  std::array<uint64_t, 4> state_;
};

}  // namespace pruner

#endif  // PRUNER_BASE_RNG_H_
