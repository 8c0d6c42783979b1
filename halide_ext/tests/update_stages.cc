#include <vector>

#include "Halide.h"
#include "halide_ext/tests/random_stages.h"

namespace pruner {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

void AddScan(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  const size_t dim = d.Dim(t);
  if (t.shape[dim] < 2) return;
  const std::vector<Var> vars = d.Vars(t.shape);
  Index index = d.AsIndex(vars);
  const Expr start = d.Read(t, index);
  const RDom r({{1, t.shape[dim] - 1}}, "r");
  Index here = index, before = index;
  here[dim] = r[0];
  before[dim] = r[0] - 1;
  Func func = d.NewFunc();
  func(vars) = start;
  func(here) = func(before) + func(here);
  d.AddTensors(t.shape, d.Bound(t) * t.shape[dim], 1);
}

void AddTwoUpdates(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  const size_t dim = d.Dim(t);
  // The second update doubles once per element of the domain.
  if (t.shape[dim] > 8) return;
  const auto [shape, vars, e] = d.LinesAlong(t, dim);
  Func func = d.NewFunc();
  func(vars) = d.Number(1);
  func(vars) += e;
  func(vars) = Halide::max(func(vars) * d.Number(2), e);
  d.AddTensors(shape, 1e5, 1);
}

void AddPartialUpdate(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  const size_t dim = d.Dim(t);
  const std::vector<Var> vars = d.Vars(t.shape);
  const Expr e = d.Read(t, d.AsIndex(vars));
  Func func = d.NewFunc();
  func(vars) = e;
  Index edge = d.AsIndex(vars);
  edge[dim] = t.shape[dim] / 2;
  func(edge) += d.Number(5);
  d.AddTensors(t.shape, d.Bound(t) + 5, 1);
}

void AddTriangularSum(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 1);
  const size_t dim = d.Dim(t);
  const std::vector<Var> vars = d.Vars(t.shape);
  RDom r = d.Domain({t.shape[dim]});
  r.where(r[0] <= vars[dim]);
  Index index = d.AsIndex(vars);
  index[dim] = r[0];
  const Expr e = d.Read(t, index);
  if (Size(t.shape) * t.shape[dim] > d.kMaxWork) return;
  Func func = d.NewFunc();
  func(vars) = d.Number(0);
  func(vars) += e;
  d.AddTensors(t.shape, d.Bound(t) * t.shape[dim], 1);
}

void AddHistogram(RandomDefinitions& d) {
  constexpr int kBins = 8;
  const RandomTensor t = d.Source(1, 1);
  if (Size(t.shape) > d.kMaxReduction) return;
  const bool of_rows = t.shape.size() > 1 && d.rng().Chance(0.5);
  Shape shape = {kBins};
  std::vector<int> extents = t.shape;
  if (of_rows) {
    shape.push_back(extents.back());
    extents.pop_back();
  }
  const std::vector<Var> vars = d.Vars(shape);
  const RDom r = d.Domain(extents);
  Index index;
  for (size_t k = 0; k < extents.size(); ++k)
    index.emplace_back(r[static_cast<int>(k)]);
  if (of_rows) index.emplace_back(vars.back());
  Index bin = d.AsIndex(vars);
  bin[0] = Halide::clamp(d.ReadInt(t, index) % kBins, 0, kBins - 1);
  Func func = d.NewFunc();
  func(vars) = d.Number(0);
  func(bin) += d.Number(1);
  d.AddTensors(shape, Size(extents), 1);
}

}  // namespace pruner
