// Divisors, factorizations and parts of loop extents.
#ifndef PRUNER_BASE_FACTORS_H_
#define PRUNER_BASE_FACTORS_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"

namespace pruner {

// a / b, rounded up; a >= 0, b > 0.
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// a / b, rounded down; b > 0.
constexpr int64_t FloorDiv(int64_t a, int64_t b) {
  return (a >= 0 ? a : a - b + 1) / b;
}

// All divisors of n > 0, ascending.
std::vector<int64_t> Divisors(int64_t n);

// n > 0 as its prime factors, ascending, each as often as it divides n.
std::vector<int64_t> PrimeFactors(int64_t n);

// What TVM chooses tile sizes from (docs/algorithms.md A5.1): all (f1, ...,
// f_parts) with f1 | n, f2 | n/f1, f3 | n/(f1 f2), ... and the last, innermost
// factor at most `max_innermost`, in lexicographic order. n > 0, parts > 0,
// max_innermost > 0. What the factors leave over, n / (f1 ... f_parts), is the
// extent of the outermost loop and not listed.
std::vector<std::vector<int64_t>> OrderedFactorizations(int64_t n, int parts,
                                                        int64_t max_innermost);

// The functions above, each answer computed once. The references stay valid as
// long as the table. Not thread-safe.
class FactorTable {
 public:
  const std::vector<int64_t>& Divisors(int64_t n);
  const std::vector<int64_t>& PrimeFactors(int64_t n);
  const std::vector<std::vector<int64_t>>& OrderedFactorizations(
      int64_t n, int parts, int64_t max_innermost);

 private:
  using Query = std::tuple<int64_t, int, int64_t>;

  absl::node_hash_map<int64_t, std::vector<int64_t>> divisors_;
  absl::node_hash_map<int64_t, std::vector<int64_t>> primes_;
  absl::node_hash_map<Query, std::vector<std::vector<int64_t>>> factorizations_;
};

// One of OrderedFactorizations(n, parts, n), each equally likely, without
// listing them: there may be millions. `primes` are n's PrimeFactors.
std::vector<int64_t> DrawFactorization(absl::Span<const int64_t> primes,
                                       int parts, Rng& rng);

}  // namespace pruner

#endif  // PRUNER_BASE_FACTORS_H_
