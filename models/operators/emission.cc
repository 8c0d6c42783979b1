#include "models/operators/emission.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/operators/shape.h"

namespace pruner {

using Halide::Expr;

Halide::Func NamedFunc(absl::string_view name) {
  return Halide::Func(Halide::Internal::Function(std::string(name)));
}

Halide::RDom NamedRDom(const std::vector<ReductionAxis>& axes) {
  std::vector<Halide::Internal::ReductionVariable> variables;
  variables.reserve(axes.size());
  for (const ReductionAxis& axis : axes) {
    variables.push_back({axis.name, 0, ToExpr(axis.extent)});
  }
  return Halide::RDom(Halide::Internal::ReductionDomain(variables));
}

Expr LowestFloat() { return Expr(std::numeric_limits<float>::lowest()); }

TensorParameter::TensorParameter(const std::string& name, const Shape& shape)
    : parameter_(Halide::Float(32), /*is_buffer=*/true,
                 static_cast<int>(shape.size()), name),
      load_(NamedFunc(absl::StrCat(name, "_f"))) {
  std::vector<Halide::Var> vars;
  int64_t stride = 1;
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    const int64_t extent = shape[shape.size() - 1 - d];
    parameter_.set_min_constraint(d, 0);
    parameter_.set_extent_constraint(d, ToExpr(extent));
    parameter_.set_stride_constraint(d, ToExpr(stride));
    stride *= extent;
    vars.emplace_back(absl::StrCat("d", d));
  }
  load_(vars) = Halide::Internal::Call::make(
      parameter_, std::vector<Expr>(vars.begin(), vars.end()));
}

Expr TensorParameter::operator()(const std::vector<Expr>& indices) const {
  return load_(indices);
}

Expr WeightsParameter::operator()(const Expr& channel,
                                  const std::vector<Expr>& others,
                                  const std::vector<Expr>& position) const {
  std::vector<Expr> indices = {channel};
  indices.insert(indices.end(), others.begin(), others.end());
  if (lanes_ > 0) {
    indices[0] = channel % ToExpr(lanes_);
    indices.push_back(channel / ToExpr(lanes_));
  }
  indices.insert(indices.end(), position.begin(), position.end());
  return tensor_(indices);
}

OutputLoops ImageLoops(const Shape& shape) {
  const Halide::Var c("c"), x("x"), y("y"), n("n");
  return {.vars = {c, x, y, n}, .shape = shape, .channel = c};
}

}  // namespace pruner
