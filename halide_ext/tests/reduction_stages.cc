#include <algorithm>
#include <vector>

#include "Halide.h"
#include "halide_ext/tests/random_pipeline.h"
#include "halide_ext/tests/random_stages.h"

namespace pruner {

using Halide::Expr;
using Halide::RDom;

void AddReduction(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  std::vector<bool> reduced(t.shape.size());
  reduced[d.Dim(t)] = true;
  if (d.rng().Chance(0.4)) reduced[d.Dim(t)] = true;
  if (d.rng().Chance(0.2)) reduced.flip();
  Shape shape;
  std::vector<int> extents;
  for (size_t k = 0; k < t.shape.size(); ++k)
    (reduced[k] ? extents : shape).push_back(t.shape[k]);
  if (extents.empty() || Size(extents) > d.kMaxReduction) return;
  d.Reduce(shape, extents, d.Bound(t), [&](const Index& i, const RDom& r) {
    Index index;
    int from_r = 0;
    size_t from_i = 0;
    for (size_t k = 0; k < t.shape.size(); ++k) {
      if (reduced[k]) {
        index.push_back(r[from_r++]);
      } else {
        index.push_back(i[from_i++]);
      }
    }
    return d.Read(t, index);
  });
}

void AddContraction(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1), u = d.Source(1, 1);
  const size_t td = d.Dim(t), ud = d.Dim(u);
  const std::vector<int> extents = {std::min(t.shape[td], u.shape[ud])};
  Shape shape;
  for (size_t k = 0; k < t.shape.size(); ++k) {
    if (k != td) shape.push_back(t.shape[k]);
  }
  for (size_t k = 0; k < u.shape.size(); ++k) {
    if (k != ud) shape.push_back(u.shape[k]);
  }
  if (shape.size() > d.kMaxRank || Size(shape) > d.kMaxElements ||
      Size(shape) * extents[0] > d.kMaxWork) {
    return;
  }
  d.Reduce(shape, extents, d.Bound(t) * d.Bound(u),
           [&](const Index& i, const RDom& r) {
             size_t next = 0;
             Index ti, ui;
             for (size_t k = 0; k < t.shape.size(); ++k)
               ti.push_back(k == td ? Expr(r[0]) : i[next++]);
             for (size_t k = 0; k < u.shape.size(); ++k)
               ui.push_back(k == ud ? Expr(r[0]) : i[next++]);
             return d.Read(t, ti) * d.Read(u, ui);
           });
}

void AddWindow(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  const size_t first = d.Dim(t), second = d.Dim(t);
  std::vector<size_t> dims = {first};
  if (second != first) dims.push_back(second);
  const int stride = static_cast<int>(d.rng().Uniform(1, 3));
  const int dilation = static_cast<int>(d.rng().Uniform(1, 2));
  Shape shape = t.shape;
  std::vector<int> extents;
  for (size_t dim : dims) {
    const int window = static_cast<int>(d.rng().Uniform(1, 4));
    const int covered = (window - 1) * dilation + 1;
    if (covered > t.shape[dim]) return;
    shape[dim] = (t.shape[dim] - covered) / stride + 1;
    extents.push_back(window);
  }
  const bool weighted = d.rng().Chance(0.5);
  const RandomTensor weights = weighted ? d.AddInput(extents) : t;
  const double bound =
      d.Bound(t) *
      (weighted ? std::max<double>(d.Bound(weights), 1) : kRandomInputBound);
  d.Reduce(shape, extents, bound, [&](Index i, const RDom& r) {
    Index w;
    for (size_t k = 0; k < dims.size(); ++k) {
      const int which = static_cast<int>(k);
      i[dims[k]] = i[dims[k]] * stride + r[which] * dilation;
      w.push_back(r[which]);
    }
    const Expr value = d.Read(t, i);
    return weighted ? value * d.Read(weights, w) : value;
  });
}

void AddTupleReduction(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  const size_t dim = d.Dim(t);
  const auto [shape, vars, e] = d.LinesAlong(t, dim);
  Halide::Func func = d.NewFunc();
  func(vars) = Halide::Tuple(
      d.Number(0), d.type().is_float() ? d.Number(-1e9) : d.type().min());
  func(vars) = Halide::Tuple(func(vars)[0] + e, Halide::max(func(vars)[1], e));
  d.AddTensors(shape, d.Bound(t) * t.shape[dim], 1);
}

}  // namespace pruner
