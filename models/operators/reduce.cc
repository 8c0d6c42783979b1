#include "models/operators/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/operators/broadcast.h"
#include "models/operators/data_type.h"
#include "models/operators/emission.h"
#include "models/operators/loop_groups.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;

constexpr absl::string_view kKinds[] = {
    "sum", "mean", "max",        "min",     "prod",
    "l1",  "l2",   "sum_square", "log_sum", "log_sum_exp"};
// What int64 has, too.
constexpr absl::string_view kWholeKinds[] = {"sum", "max", "min", "prod"};

template <typename Kinds>
bool IsOneOf(const Kinds& kinds, absl::string_view kind) {
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

// What is reduced; Number is double or Expr. `largest` is the largest element,
// lest exponentials overflow.
template <typename Number>
Number Term(const std::string& kind, const Number& x, const Number& largest) {
  using std::abs;
  using std::exp;
  if (kind == "l1") return abs(x);
  if (kind == "l2" || kind == "sum_square") return x * x;
  if (kind == "log_sum_exp") return exp(x - largest);
  return x;
}

template <typename Number>
Number Join(const std::string& kind, const Number& a, const Number& b) {
  using std::max;
  using std::min;
  if (kind == "max") return max(a, b);
  if (kind == "min") return min(a, b);
  if (kind == "prod") return a * b;
  return a + b;
}

template <typename Number>
Number Finish(const std::string& kind, const Number& total,
              const Number& largest, const Number& share) {
  using std::log;
  using std::sqrt;
  if (kind == "mean") return total * share;
  if (kind == "l2") return sqrt(total);
  if (kind == "log_sum") return log(total);
  if (kind == "log_sum_exp") return log(total) + largest;
  return total;
}

Expr Lowest(const Halide::Type& type) {
  return type.is_float() ? LowestFloat() : type.min();
}
Expr Highest(const Halide::Type& type) {
  return type.is_float() ? -LowestFloat() : type.max();
}

Expr Begin(const std::string& kind, const Halide::Type& type) {
  if (kind == "max") return Lowest(type);
  if (kind == "min") return Highest(type);
  return Halide::Internal::make_const(type, kind == "prod" ? 1 : 0);
}

double Begin(const std::string& kind) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (kind == "max") return -infinity;
  if (kind == "min") return infinity;
  return kind == "prod" ? 1 : 0;
}

// The input's shape, with 1 for what is reduced.
Shape KeptShape(const Shape& input, const std::vector<int64_t>& axes) {
  Shape kept = input;
  for (const int64_t axis : axes) kept[axis] = 1;
  return kept;
}

Shape OutputShape(const Shape& input, const std::vector<int64_t>& axes,
                  bool keepdims) {
  if (keepdims) return KeptShape(input, axes);
  Shape output;
  for (size_t d = 0; d < input.size(); ++d) {
    if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(d)) ==
        axes.end()) {
      output.push_back(input[d]);
    }
  }
  return output;
}

// The input by groups of dimensions that are kept and reduced.
struct ReductionLoops {
  Shape input_shape;
  OutputLoops loops;
  std::vector<Expr> at;  // of the input, outermost first
  bool is_reduction = false;
};

ReductionLoops MakeLoops(const Shape& input, const std::vector<int64_t>& axes,
                         const Shape& output) {
  constexpr int64_t kKept = 0, kReduced = 1;
  std::vector<int64_t> marks(input.size(), kKept);
  for (const int64_t axis : axes) marks[axis] = kReduced;
  for (size_t d = 0; d < input.size(); ++d) {
    if (input[d] == 1) marks[d] = kAnyMark;
  }
  const std::vector<DimensionGroup> groups = GroupDimensions(marks);
  ReductionLoops result;
  result.input_shape = GroupedShape(input, groups);
  Shape kept = result.input_shape;
  std::vector<ReductionAxis> reduced;  // innermost first
  for (size_t g = groups.size(); g-- > 0;) {
    if (groups[g].mark != kReduced) continue;
    kept[g] = 1;
    reduced.push_back(
        {absl::StrCat("r", reduced.size()), result.input_shape[g]});
  }
  const GroupLoops out = LoopOverGroups(kept, output);
  result.loops = out.loops;
  result.at = out.at;
  result.is_reduction = !reduced.empty();
  if (result.is_reduction) {
    const Halide::RDom r = NamedRDom(reduced);
    int axis = 0;
    for (size_t g = groups.size(); g-- > 0;) {
      if (groups[g].mark == kReduced) result.at[g] = r[axis++];
    }
  }
  if (result.at.empty()) {
    result.input_shape = {1};
    result.at = {0};
  }
  return result;
}

}  // namespace

absl::StatusOr<DataType> Reduce::InferType(DataTypes inputs) const {
  if (inputs[0] == DataType::kInt64 && IsOneOf(kWholeKinds, kind))
    return DataType::kInt64;
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kFloat32));
  return DataType::kFloat32;
}

absl::StatusOr<Shape> Reduce::InferShape(Shapes inputs) const {
  if (!IsOneOf(kKinds, kind)) {
    return Invalid("kind \"", kind, "\" is none of ",
                   absl::StrJoin(kKinds, ", "));
  }
  const auto rank = static_cast<int64_t>(inputs[0].size());
  for (size_t i = 0; i < axes.size(); ++i) {
    RETURN_IF_ERROR(CheckRange("axes", axes[i], 0, rank - 1));
    if (i > 0 && axes[i] <= axes[i - 1]) return Invalid("axes must ascend");
  }
  return OutputShape(inputs[0], axes, keepdims);
}

double Reduce::CountFlops(Shapes inputs, const Shape& output) const {
  const bool is_plain =
      IsOneOf(kWholeKinds, kind) || kind == "mean" || kind == "log_sum";
  // Besides the sum, an absolute value or a product, or a maximum, a difference
  // and an exponential.
  const double each = is_plain ? 1 : kind == "log_sum_exp" ? 4 : 2;
  const double last =
      IsOneOf(kWholeKinds, kind) || kind == "l1" || kind == "sum_square" ? 0
                                                                         : 1;
  return each * NumElementsAsDouble(inputs[0]) +
         last * NumElementsAsDouble(output);
}

void Reduce::Evaluate(Arrays inputs, int, Array& output) const {
  const Shape& input = inputs[0]->shape;
  const Shape kept = KeptShape(input, axes);
  std::vector<double> largest(output.values.size(), Begin("max"));
  ForEachBroadcast({kept}, input, [&](int64_t i, absl::Span<const int64_t> at) {
    largest[at[0]] = std::max(largest[at[0]], inputs[0]->values[i]);
  });
  std::fill(output.values.begin(), output.values.end(), Begin(kind));
  ForEachBroadcast({kept}, input, [&](int64_t i, absl::Span<const int64_t> at) {
    double& total = output.values[at[0]];
    total = Join(kind, total, Term(kind, inputs[0]->values[i], largest[at[0]]));
  });
  const double share = NumElementsAsDouble(kept) / NumElementsAsDouble(input);
  for (size_t o = 0; o < output.values.size(); ++o) {
    output.values[o] = Finish(kind, output.values[o], largest[o], share);
  }
}

std::string Reduce::TaskAttributes(Shapes) const {
  return absl::StrCat("_", kind);
}

Emitted Reduce::Emit(AnchorEmitter& emitter) const {
  const Shape& input_shape = emitter.InputShape(0);
  const ReductionLoops loops =
      MakeLoops(input_shape, axes, emitter.OutputShape());
  const Expr x = ReadAt(emitter.Input(0, loops.input_shape), loops.at);
  const std::vector<Halide::Var>& vars = loops.loops.vars;
  Expr total = Term(kind, x, x), greatest = x;
  if (loops.is_reduction) {
    Halide::Func largest = NamedFunc("largest");
    if (kind == "log_sum_exp") {
      largest(vars) = LowestFloat();
      largest(vars) = Halide::max(largest(vars), x);
      greatest = largest(vars);
    }
    Halide::Func reduced = NamedFunc("reduced");
    reduced(vars) = Begin(kind, x.type());
    reduced(vars) = Join<Expr>(kind, reduced(vars), Term(kind, x, greatest));
    total = reduced(vars);
  }
  const double share = NumElementsAsDouble(KeptShape(input_shape, axes)) /
                       NumElementsAsDouble(input_shape);
  return {.value = Finish(kind, total, greatest, FloatExpr(share)),
          .loops = loops.loops};
}

absl::StatusOr<DataType> ArgReduce::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kFloat32));
  return DataType::kInt64;
}

absl::StatusOr<Shape> ArgReduce::InferShape(Shapes inputs) const {
  if (kind != "max" && kind != "min")
    return Invalid("kind \"", kind, "\" is neither max nor min");
  RETURN_IF_ERROR(
      CheckRange("axis", axis, 0, static_cast<int64_t>(inputs[0].size()) - 1));
  return OutputShape(inputs[0], {axis}, keepdims);
}

double ArgReduce::CountFlops(Shapes inputs, const Shape&) const {
  return NumElementsAsDouble(inputs[0]);
}

void ArgReduce::Evaluate(Arrays inputs, int, Array& output) const {
  const AxisSplit split = SplitAt(inputs[0]->shape, axis);
  const double sign = kind == "max" ? 1 : -1;
  for (int64_t line = 0; line < split.outer * split.inner; ++line) {
    const double* first =
        &inputs[0]->values[line / split.inner * split.extent * split.inner +
                           line % split.inner];
    int64_t best = 0;
    for (int64_t i = 1; i < split.extent; ++i) {
      const double x = sign * first[i * split.inner];
      const double y = sign * first[best * split.inner];
      if (x > y || (select_last_index && x == y)) best = i;
    }
    output.values[line] = static_cast<double>(best);
  }
}

std::string ArgReduce::TaskAttributes(Shapes) const {
  return absl::StrCat("_", kind);
}

Emitted ArgReduce::Emit(AnchorEmitter& emitter) const {
  const AxisSplit split = SplitAt(emitter.InputShape(0), axis);
  const GroupLoops out =
      LoopOverGroups({split.outer, 1, split.inner}, emitter.OutputShape());
  const Halide::RDom r = NamedRDom({{"rk", split.extent}});
  const Expr x =
      ReadAt(emitter.Input(0, {split.outer, split.extent, split.inner}),
             {out.at[0], r.x, out.at[2]});
  const std::vector<Halide::Var>& vars = out.loops.vars;
  // Two reductions over one number each, which schedules split and share among
  // vectors; one over pairs they leave alone.
  Halide::Func best = NamedFunc("best");
  best(vars) = Begin(kind, x.type());
  best(vars) = Join<Expr>(kind, best(vars), x);
  const Expr last = ToExpr(split.extent - 1);
  Halide::Func index = NamedFunc("index");
  const Expr is_best = x == best(vars);
  if (select_last_index) {
    index(vars) = 0;
    index(vars) =
        Halide::max(index(vars), Halide::select(is_best, Expr(r.x), 0));
  } else {
    index(vars) = last;
    index(vars) =
        Halide::min(index(vars), Halide::select(is_best, Expr(r.x), last));
  }
  return {.value = Halide::cast<int64_t>(index(vars)), .loops = out.loops};
}

}  // namespace pruner
