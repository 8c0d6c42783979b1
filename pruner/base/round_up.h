// Multiples of a unit: of alignments, pages, tiles.
#ifndef PRUNER_BASE_ROUND_UP_H_
#define PRUNER_BASE_ROUND_UP_H_

namespace pruner {

// The least multiple of `unit` that is not less than n; n >= 0, unit > 0.
template <typename T>
constexpr T RoundUp(T n, T unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace pruner

#endif  // PRUNER_BASE_ROUND_UP_H_
