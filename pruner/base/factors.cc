#include "pruner/base/factors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/log/check.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

// Every way to go on from `chosen`, whose product is n / rest, is added to
// `all`.
void Extend(int64_t rest, int parts, int64_t max_innermost,
            const std::vector<int64_t>& divisors, std::vector<int64_t>& chosen,
            std::vector<std::vector<int64_t>>& all) {
  if (parts == 0) {
    all.push_back(chosen);
    return;
  }
  const int64_t largest = parts == 1 ? std::min(rest, max_innermost) : rest;
  for (const int64_t factor : divisors) {
    if (factor > largest) break;
    if (rest % factor != 0) continue;
    chosen.push_back(factor);
    Extend(rest / factor, parts - 1, max_innermost, divisors, chosen, all);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<int64_t> Divisors(int64_t n) {
  std::vector<int64_t> divisors = {1};
  for (const int64_t prime : PrimeFactors(n)) {
    const size_t before = divisors.size();
    for (size_t i = 0; i < before; ++i) divisors.push_back(divisors[i] * prime);
    std::sort(divisors.begin(), divisors.end());
    divisors.erase(std::unique(divisors.begin(), divisors.end()),
                   divisors.end());
  }
  return divisors;
}

std::vector<int64_t> PrimeFactors(int64_t n) {
  CHECK_GT(n, 0);
  std::vector<int64_t> primes;
  for (int64_t candidate = 2; candidate <= n / candidate; ++candidate) {
    for (; n % candidate == 0; n /= candidate) primes.push_back(candidate);
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

std::vector<std::vector<int64_t>> OrderedFactorizations(int64_t n, int parts,
                                                        int64_t max_innermost) {
  CHECK_GT(parts, 0);
  CHECK_GT(max_innermost, 0);
  std::vector<int64_t> chosen;
  std::vector<std::vector<int64_t>> all;
  Extend(n, parts, max_innermost, Divisors(n), chosen, all);
  return all;
}

// The exponents of each prime are distributed over the factors and what they
// leave over, as if by a random order of its copies and as many bars as there
// are factors: a copy belongs to the factor behind as many bars.
std::vector<int64_t> DrawFactorization(absl::Span<const int64_t> primes,
                                       int parts, Rng& rng) {
  CHECK_GT(parts, 0);
  std::vector<int64_t> factors(parts, 1);
  for (size_t i = 0; i < primes.size();) {
    size_t end = i;
    while (end < primes.size() && primes[end] == primes[i]) ++end;
    int factor = 0;
    while (i < end && factor < parts) {
      const size_t copies = end - i;
      if (rng.Index(copies + (parts - factor)) < copies) {
        factors[factor] *= primes[i++];
      } else {
        ++factor;
      }
    }
    i = end;
  }
  return factors;
}

const std::vector<int64_t>& FactorTable::Divisors(int64_t n) {
  std::vector<int64_t>& divisors = divisors_[n];
  if (divisors.empty()) divisors = pruner::Divisors(n);
  return divisors;
}

const std::vector<int64_t>& FactorTable::PrimeFactors(int64_t n) {
  const auto [entry, is_new] = primes_.try_emplace(n);
  if (is_new) entry->second = pruner::PrimeFactors(n);
  return entry->second;
}

const std::vector<std::vector<int64_t>>& FactorTable::OrderedFactorizations(
    int64_t n, int parts, int64_t max_innermost) {
  std::vector<std::vector<int64_t>>& all =
      factorizations_[{n, parts, max_innermost}];
  if (all.empty()) all = pruner::OrderedFactorizations(n, parts, max_innermost);
  return all;
}

}  // namespace pruner
