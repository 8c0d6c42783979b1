#include <algorithm>

#include "Halide.h"
#include "halide_ext/tests/random_stages.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

using Halide::clamp;
using Halide::Expr;

int PartsOf(int extent, int factor) {
  return static_cast<int>(CeilDiv(extent, factor));
}

// At every `factor`-th index along a dimension, and the next one.
Expr ReadDown(RandomDefinitions& d, const RandomTensor& t, size_t dim,
              int factor, const Index& i) {
  Index a = i, b = i;
  a[dim] = i[dim] * factor;
  b[dim] = Halide::min(i[dim] * factor + 1, t.shape[dim] - 1);
  return d.Read(t, a) + d.Read(t, b);
}

// Each `factor` times, and a mean in between.
Expr ReadUp(RandomDefinitions& d, const RandomTensor& t, size_t dim, int factor,
            const Index& i) {
  Index a = i, b = i;
  a[dim] = i[dim] / factor;
  b[dim] = Halide::min((i[dim] + 1) / factor, t.shape[dim] - 1);
  return d.Read(t, a) + d.Read(t, b);
}

}  // namespace

void AddStencil(RandomDefinitions& d) {
  const RandomTensor t = d.Source(9, 1);
  const bool two = t.shape.size() > 1 && d.rng().Chance(0.5);
  const size_t first = d.Dim(t);
  const size_t second =
      (first + 1 + d.rng().Index(std::max<size_t>(t.shape.size() - 1, 1))) %
      t.shape.size();
  const int step = static_cast<int>(d.rng().Uniform(1, 2));  // dilation
  const int border = static_cast<int>(d.rng().Uniform(0, 2));
  Shape shape = t.shape;
  bool shrinks = border == 2;
  for (size_t dim : {first, second}) {
    if ((dim == first || two) && shape[dim] <= 2 * step) shrinks = false;
  }
  if (shrinks) shape[first] -= 2 * step;
  if (shrinks && two) shape[second] -= 2 * step;
  const auto neighbour = [&](Index i, int a, int b) {
    Expr inside = Halide::Internal::const_true();
    const auto move = [&](size_t dim, int offset) {
      if (shrinks) {
        i[dim] = i[dim] + (offset + 1) * step;
        return;
      }
      const Expr moved = i[dim] + offset * step;
      inside = inside && moved >= 0 && moved < t.shape[dim];
      i[dim] = clamp(moved, 0, t.shape[dim] - 1);
    };
    move(first, a);
    if (two) move(second, b);
    const Expr value = d.Read(t, i);
    return border == 0 || shrinks ? value
                                  : Halide::select(inside, value, d.Number(0));
  };
  d.Define(shape, 9 * d.Factor(4) * d.Bound(t), t.inlined_reads * (two ? 9 : 3),
           [&](const Index& i) {
             Expr sum = d.Number(0);
             for (int a = -1; a <= 1; ++a) {
               for (int b = two ? -1 : 0; b <= (two ? 1 : 0); ++b)
                 sum += neighbour(i, a, b) * d.Number(d.Factor(a + 2 * b + 4));
             }
             return sum;
           });
}

void AddPad(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  const size_t dim = d.Dim(t);
  const int before = static_cast<int>(d.rng().Uniform(0, 2));
  const int after = static_cast<int>(d.rng().Uniform(before == 0, 3));
  Shape shape = t.shape;
  shape[dim] += before + after;
  if (Size(shape) > d.kMaxElements) return;
  d.Define(shape, d.Bound(t), t.inlined_reads, [&](Index i) {
    const Expr moved = i[dim] - before;
    i[dim] = clamp(moved, 0, t.shape[dim] - 1);
    return Halide::select(moved >= 0 && moved < t.shape[dim], d.Read(t, i),
                          d.Number(0));
  });
}

void AddGather(RandomDefinitions& d) {
  const RandomTensor t = d.Source(2, 1);
  const RandomTensor table = d.Source(2, 1);
  // What is read at a single element Halide wants to know before it says how
  // large inputs are to be.
  if (d.sizes() == Sizes::kEstimates && table.shape[0] == 1) return;
  const size_t dim = d.Dim(t);
  Shape shape = t.shape;
  shape[dim] = table.shape[0];
  if (Size(shape) > d.kMaxElements) return;
  d.Define(shape, d.Bound(t), t.inlined_reads + table.inlined_reads,
           [&](Index i) {
             Index at(table.shape.size(), 0);
             at[0] = i[dim];
             i[dim] = clamp(d.ReadInt(table, at) + 1, 0, t.shape[dim] - 1);
             return d.Read(t, i);
           });
}

void AddResample(RandomDefinitions& d) {
  const RandomTensor t = d.Source(2, 1);
  const size_t dim = d.Dim(t);
  const int factor = static_cast<int>(d.rng().Uniform(2, 3));
  const bool up = d.rng().Chance(0.5);
  Shape shape = t.shape;
  shape[dim] = up ? shape[dim] * factor : PartsOf(shape[dim], factor);
  if (Size(shape) > d.kMaxElements) return;
  d.Define(shape, 2 * d.Bound(t), 2 * t.inlined_reads, [&](const Index& i) {
    return up ? ReadUp(d, t, dim, factor, i) : ReadDown(d, t, dim, factor, i);
  });
}

void AddDetail(RandomDefinitions& d) {
  const RandomTensor t = d.Source(5, 1);
  const size_t dim = d.Dim(t);
  const int factor = static_cast<int>(d.rng().Uniform(2, 3));
  Shape shape = t.shape;
  shape[dim] = PartsOf(shape[dim], factor);
  const RandomTensor small =
      d.Define(shape, 2 * d.Bound(t), 2 * t.inlined_reads,
               [&](const Index& i) { return ReadDown(d, t, dim, factor, i); });
  d.Define(t.shape, d.Bound(t) + 2 * d.Bound(small),
           t.inlined_reads + 2 * small.inlined_reads, [&](const Index& i) {
             return d.Read(t, i) - ReadUp(d, small, dim, factor, i);
           });
}

}  // namespace pruner
