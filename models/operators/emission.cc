#include "models/operators/emission.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/operators/data_type.h"
#include "models/operators/shape.h"

namespace pruner {
namespace {

// Innermost first.
constexpr const char* kSpatialNames[] = {"x", "y", "z"};

}  // namespace

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

Halide::Type StoredType(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return Halide::Float(32);
    case DataType::kInt64:
      return Halide::Int(64);
    case DataType::kBool:
      return Halide::UInt(8);
  }
  return Halide::Float(32);
}

TensorParameter::TensorParameter(const std::string& name, const Shape& shape,
                                 DataType type)
    : parameter_(StoredType(type), /*is_buffer=*/true,
                 static_cast<int>(shape.size()), name),
      load_(NamedFunc(absl::StrCat(name, "_f"))),
      type_(type),
      stored_(shape),
      seen_(shape) {
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

TensorParameter TensorParameter::Reshaped(const Shape& shape) const {
  TensorParameter reshaped = *this;
  reshaped.seen_ = shape;
  return reshaped;
}

TensorParameter TensorParameter::ChannelsLast() const {
  TensorParameter last = *this;
  last.is_channels_last_ = true;
  return last;
}

Expr TensorParameter::operator()(const std::vector<Expr>& indices) const {
  std::vector<Expr> at = indices;
  // Innermost first.
  if (is_channels_last_) std::rotate(at.begin(), at.begin() + 1, at.end() - 1);
  if (seen_ != stored_) {
    Expr linear = 0;
    int64_t stride = 1;
    for (size_t d = 0; d < at.size(); ++d) {
      linear = linear + at[d] * ToExpr(stride);
      stride *= seen_[seen_.size() - 1 - d];
    }
    at.clear();
    stride = 1;
    for (size_t d = stored_.size(); d-- > 0;) {
      at.push_back(linear / ToExpr(stride) % ToExpr(stored_[d]));
      stride *= stored_[d];
    }
  }
  const Expr element = load_(at);
  return type_ == DataType::kBool ? element != 0 : element;
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
  OutputLoops loops = {
      .vars = {Halide::Var("c")}, .shape = shape, .channel = Halide::Var("c")};
  for (size_t d = 0; d + 2 < shape.size(); ++d)
    loops.vars.emplace_back(kSpatialNames[d]);
  loops.vars.emplace_back("n");
  return loops;
}

}  // namespace pruner
