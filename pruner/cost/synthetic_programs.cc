#include "pruner/cost/synthetic_programs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pruner/base/rng.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

constexpr int kAxes = 3;    // rows, columns, depth
constexpr int kLevels = 4;  // outermost first
// The base-2 logarithm of each axis' extent at each level.
using Tiling = std::array<std::array<int, kLevels>, kAxes>;

struct Nest {
  std::array<int, kAxes> log_extents = {};
  int statements = 1;
};

Nest MakeNest(Rng& rng) {
  Nest nest;
  for (int& extent : nest.log_extents) {
    extent = static_cast<int>(rng.Uniform(5, 11));
  }
  nest.statements = static_cast<int>(rng.Uniform(1, 9));
  return nest;
}

Tiling RandomTiling(const Nest& nest, Rng& rng) {
  Tiling tiling = {};
  for (size_t axis = 0; axis < kAxes; ++axis) {
    for (int i = 0; i < nest.log_extents[axis]; ++i) {
      ++tiling[axis][rng.Index(kLevels)];
    }
  }
  return tiling;
}

// The logarithm of a tile's elements along an axis, from `level` inwards.
int Inner(const Tiling& tiling, size_t axis, size_t level) {
  int sum = 0;
  for (; level < kLevels; ++level) sum += tiling[axis][level];
  return sum;
}

// Work over what vectors, registers and two cores make of it, and the traffic
// of the tiles that a cache of 2^15 elements holds or not.
double Seconds(const Nest& nest, const Tiling& tiling, Rng& rng) {
  double work = 0;
  for (const int extent : nest.log_extents) work += extent;
  const double vector = std::min(1.0, std::exp2(tiling[1][3] - 4));
  const double registers = tiling[0][3] + tiling[1][3];
  const double spills = registers > 8 ? registers - 8 : 0;
  const double idle = tiling[0][0] + tiling[1][0] < 1 ? 2 : 1;
  const double compute =
      std::exp2(work - 36) * idle * (1 + spills) / (0.1 + 0.9 * vector);
  const double tile = std::exp2(Inner(tiling, 0, 1) + Inner(tiling, 2, 1)) +
                      std::exp2(Inner(tiling, 1, 1) + Inner(tiling, 2, 1));
  const double misses = tile > (1 << 15) ? 4 : 1;
  const double traffic =
      std::exp2(work - 33) *
      (std::exp2(-Inner(tiling, 0, 1)) + std::exp2(-Inner(tiling, 1, 1)));
  const double noise = 1 + 0.03 * (rng.Real() + rng.Real() + rng.Real() - 1.5);
  return noise * (1e-6 + compute + misses * traffic);
}

// What a column means: the exponents of a product of tile sizes.
struct Column {
  Tiling exponents = {};
  bool constant = false;
};

std::vector<Column> MakeColumns(int count, Rng rng) {
  std::vector<Column> columns(static_cast<size_t>(count));
  for (Column& column : columns) {
    column.constant = rng.Chance(1.0 / 3);
    for (auto& axis : column.exponents) {
      for (int& exponent : axis) exponent = rng.Chance(0.3) ? 1 : 0;
    }
  }
  return columns;
}

void AppendRow(const Nest& nest, const Tiling& tiling,
               const std::vector<Column>& columns, int statement,
               std::vector<float>& rows) {
  for (const Column& column : columns) {
    // Only the last statement computes; the others fill and copy.
    double log_product = statement + 1 == nest.statements ? 0 : -3;
    for (size_t axis = 0; axis < kAxes; ++axis) {
      for (size_t level = 0; level < kLevels; ++level) {
        log_product += column.exponents[axis][level] * tiling[axis][level];
      }
    }
    rows.push_back(column.constant ? 0.0f
                                   : static_cast<float>(std::log2(
                                         1 + std::exp2(log_product))));
  }
}

}  // namespace

SyntheticPrograms MakeSyntheticPrograms(int count, int tasks, int columns,
                                        Rng rng) {
  const std::vector<Column> meanings = MakeColumns(columns, Rng(7));
  std::vector<Nest> nests;
  for (int i = 0; i < tasks; ++i) nests.push_back(MakeNest(rng));
  SyntheticPrograms result = {.programs = {.columns = columns}};
  std::vector<float> rows;
  for (int i = 0; i < count; ++i) {
    const auto task = static_cast<size_t>(i % tasks);
    const Tiling tiling = RandomTiling(nests[task], rng);
    rows.clear();
    for (int s = 0; s < nests[task].statements; ++s) {
      AppendRow(nests[task], tiling, meanings, s, rows);
    }
    result.programs.Append(rows);
    ProgramLabel label = {.task = task,
                          .seconds = Seconds(nests[task], tiling, rng)};
    if (rng.Chance(0.02)) label.seconds.reset();
    result.labels.push_back(label);
  }
  return result;
}

}  // namespace pruner
