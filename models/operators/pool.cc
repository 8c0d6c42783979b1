#include "models/operators/pool.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/operators/data_type.h"
#include "models/operators/emission.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "models/operators/window.h"
#include "models/operators/window_attributes.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;

// Beyond it powers of usual numbers are no floats.
constexpr int64_t kHighestPower = 64;

constexpr double kLowest = std::numeric_limits<float>::lowest();

std::vector<WindowAxis> AxesOf(const PoolWindows& windows, const Shape& input,
                               const Shape& output) {
  const size_t rank = windows.kernel.size();
  return MakeWindowAxes(input, output, windows.kernel,
                        WithDefault(windows.stride, rank, 1),
                        WithDefault(windows.dilation, rank, 1),
                        WithDefault(windows.padding_before, rank, 0));
}

// The elements of windows, one by one: of each dimension the position, which
// counts from the input's first element, innermost first.
using Visitor =
    absl::FunctionRef<void(const std::vector<int64_t>& at, bool is_inside)>;

void VisitWindow(const std::vector<WindowAxis>& axes,
                 const std::vector<int64_t>& window, Visitor visit) {
  std::vector<int64_t> k(axes.size()), at(axes.size());
  while (true) {
    bool is_inside = true;
    for (size_t d = 0; d < axes.size(); ++d) {
      at[d] = window[d] * axes[d].stride + k[d] * axes[d].dilation -
              axes[d].padding_before;
      is_inside &= at[d] >= 0 && at[d] < axes[d].input;
    }
    visit(at, is_inside);
    size_t d = 0;
    while (d < axes.size() && ++k[d] == axes[d].kernel) k[d++] = 0;
    if (d == axes.size()) return;
  }
}

// The row-major index of the nearest element of the input.
int64_t FlatIndex(const std::vector<WindowAxis>& axes,
                  const std::vector<int64_t>& at) {
  int64_t index = 0;
  for (size_t d = axes.size(); d-- > 0;) {
    index = index * axes[d].input +
            std::clamp<int64_t>(at[d], 0, axes[d].input - 1);
  }
  return index;
}

// Sets each element of the output to element(its window, its image and channel
// of the input: the first element, the next ones being a number of channels
// apart).
template <typename Element>
void ForEachWindow(const std::vector<WindowAxis>& axes, const Array& input,
                   Array& output, const Element& element) {
  const int64_t channels = output.shape.back();
  int64_t pixels = 1, windows = 1;
  for (const WindowAxis& axis : axes) {
    pixels *= axis.input;
    windows *= axis.output;
  }
  std::vector<int64_t> window(axes.size());
  for (int64_t i = 0; i < output.shape[0] * windows; ++i) {
    int64_t rest = i % windows;
    for (size_t d = 0; d < axes.size(); ++d) {
      window[d] = rest % axes[d].output;
      rest /= axes[d].output;
    }
    for (int64_t c = 0; c < channels; ++c) {
      output.values[i * channels + c] =
          element(window, &input.values[i / windows * pixels * channels + c]);
    }
  }
}

// Windows of which each has an element of the input and, whatever is beyond the
// border, the one that is nearest to it.
bool AreNearElements(const std::vector<WindowAxis>& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const WindowAxis& axis) {
    return axis.dilation == 1 && axis.padding_before < axis.kernel &&
           (axis.output - 1) * axis.stride - axis.padding_before < axis.input;
  });
}

// What windows read, in the loops of {N, spatial..., C}.
class WindowReader {
 public:
  // `outside` is what the elements outside the input are, which the nearest
  // ones may take the place of if may_repeat.
  WindowReader(const PoolWindows& windows, AnchorEmitter& emitter,
               const Expr& outside, bool may_repeat)
      : axes_(AxesOf(windows, emitter.InputShape(0), emitter.OutputShape())),
        loops_(ImageLoops(emitter.OutputShape())),
        domain_(WindowDomain(axes_)),
        repeats_(may_repeat && AreNearElements(axes_)),
        input_(emitter.Input(0, emitter.InputShape(0))),
        padded_(input_, repeats_ ? std::vector<WindowAxis>{} : axes_, outside) {
  }

  const std::vector<WindowAxis>& axes() const { return axes_; }
  const OutputLoops& loops() const { return loops_; }
  Expr LoopOf(size_t axis) const { return loops_.vars[axis + 1]; }

  // The element at the domain's position.
  Expr Value() const {
    std::vector<Expr> indices(loops_.vars.begin(), loops_.vars.end());
    for (size_t d = 0; d < axes_.size(); ++d) {
      indices[d + 1] =
          repeats_ ? Nearest(d) : axes_[d].Position(LoopOf(d), domain_[d]);
    }
    return repeats_ ? input_(indices) : padded_(indices);
  }

  // Its FlatIndex.
  Expr Index() const {
    Expr index = 0;
    for (size_t d = axes_.size(); d-- > 0;)
      index = index * ToExpr(axes_[d].input) + Nearest(d);
    return index;
  }

 private:
  Expr Nearest(size_t d) const {
    return axes_[d].Nearest(LoopOf(d), domain_[static_cast<int>(d)]);
  }

  std::vector<WindowAxis> axes_;
  OutputLoops loops_;
  Halide::RDom domain_;
  bool repeats_;
  TensorParameter input_;
  PaddedInput padded_;
};

// The positions that count: [low, high).
struct Counted {
  int64_t low = 0;
  int64_t high = 0;
};

// Innermost first, as the axes are.
std::vector<Counted> CountedOf(const Pool& pool,
                               const std::vector<WindowAxis>& axes) {
  const std::vector<int64_t> after =
      WithDefault(pool.windows.padding_after, axes.size(), 0);
  std::vector<Counted> counted;
  for (size_t d = 0; d < axes.size(); ++d) {
    counted.push_back({0, axes[d].input});
    if (!pool.count_include_pad) continue;
    counted.back().low -= axes[d].padding_before;
    counted.back().high += after[axes.size() - 1 - d];
  }
  return counted;
}

// How many elements of window i are before `bound`.
Expr CountBefore(const WindowAxis& axis, const Expr& i, int64_t bound) {
  const Expr distance =
      ToExpr(bound + axis.padding_before) - i * ToExpr(axis.stride);
  return Halide::clamp(
      (distance + ToExpr(axis.dilation - 1)) / ToExpr(axis.dilation), 0,
      ToExpr(axis.kernel));
}

Expr Mean(const Pool& pool, const WindowReader& reader, const Expr& sum) {
  const std::vector<Counted> counted = CountedOf(pool, reader.axes());
  double volume = 1;
  Expr count;  // in the dimensions where it differs between windows
  for (size_t d = 0; d < counted.size(); ++d) {
    const WindowAxis& axis = reader.axes()[d];
    const int64_t first = -axis.padding_before;
    const int64_t end = first + (axis.output - 1) * axis.stride +
                        (axis.kernel - 1) * axis.dilation + 1;
    if (first >= counted[d].low && end <= counted[d].high) {
      volume *= static_cast<double>(axis.kernel);
      continue;
    }
    const Expr elements = CountBefore(axis, reader.LoopOf(d), counted[d].high) -
                          CountBefore(axis, reader.LoopOf(d), counted[d].low);
    count = count.defined() ? count * elements : elements;
  }
  const Expr scaled = sum * FloatExpr(1.0 / volume);
  return count.defined() ? scaled / Halide::cast<float>(Halide::max(count, 1))
                         : scaled;
}

}  // namespace

absl::StatusOr<Shape> PoolWindows::InferShape(const Shape& input) const {
  const size_t rank = kernel.size();
  if (rank < 1 || rank > 3)
    return Invalid("kernel must have 1 to 3 values, not ", rank);
  RETURN_IF_ERROR(CheckRank("input", input, rank + 2));
  RETURN_IF_ERROR(CheckWindowAttribute("kernel", kernel, rank, 1));
  RETURN_IF_ERROR(CheckWindowAttribute("stride", stride, rank, 1));
  RETURN_IF_ERROR(CheckWindowAttribute("dilation", dilation, rank, 1));
  RETURN_IF_ERROR(
      CheckWindowAttribute("padding_before", padding_before, rank, 0));
  RETURN_IF_ERROR(
      CheckWindowAttribute("padding_after", padding_after, rank, 0));
  RETURN_IF_ERROR(CheckWindowAttribute("out", out, rank, 1));
  Shape output = {input[0]};
  for (size_t d = 0; d < rank; ++d) {
    ASSIGN_OR_RETURN(
        const int64_t extent,
        WindowedExtent(
            d, {.input = input[d + 1],
                .kernel = kernel[d],
                .stride = WithDefault(stride, rank, 1)[d],
                .dilation = WithDefault(dilation, rank, 1)[d],
                .padding_before = WithDefault(padding_before, rank, 0)[d],
                .padding_after = WithDefault(padding_after, rank, 0)[d],
                .windows = WithDefault(out, rank, 0)[d]}));
    output.push_back(extent);
  }
  output.push_back(input.back());
  return output;
}

double PoolWindows::Volume() const {
  double volume = 1;
  for (const int64_t extent : kernel) volume *= static_cast<double>(extent);
  return volume;
}

std::string PoolWindows::Text() const {
  std::string text = absl::StrCat("_", ExtentsText(kernel));
  if (!stride.empty()) absl::StrAppend(&text, "_s", ExtentsText(stride));
  if (!dilation.empty()) absl::StrAppend(&text, "_d", ExtentsText(dilation));
  return text;
}

absl::StatusOr<Shape> Pool::InferShape(Shapes inputs) const {
  if (kind != "max" && kind != "average" && kind != "lp")
    return Invalid("kind \"", kind, "\" is not max, average or lp");
  RETURN_IF_ERROR(CheckRange("p", p, 1, kHighestPower));
  return windows.InferShape(inputs[0]);
}

double Pool::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output) * windows.Volume() *
         (kind == "lp" ? static_cast<double>(p) : 1.0);
}

void Pool::Evaluate(Arrays inputs, int, Array& output) const {
  const std::vector<WindowAxis> axes =
      AxesOf(windows, inputs[0]->shape, output.shape);
  const std::vector<Counted> counted = CountedOf(*this, axes);
  const int64_t channels = output.shape.back();
  const auto power = static_cast<double>(p);
  const auto element = [&](const std::vector<int64_t>& window,
                           const double* image) {
    double largest = kLowest, sum = 0, powers = 0;
    int64_t count = 0;
    VisitWindow(
        axes, window, [&](const std::vector<int64_t>& at, bool is_inside) {
          bool counts = true;
          for (size_t d = 0; d < at.size(); ++d)
            counts &= at[d] >= counted[d].low && at[d] < counted[d].high;
          count += counts ? 1 : 0;
          if (!is_inside) return;
          const double value = image[FlatIndex(axes, at) * channels];
          largest = std::max(largest, value);
          sum += value;
          powers += std::pow(std::abs(value), power);
        });
    if (kind == "max") return largest;
    if (kind == "lp") return std::pow(powers, 1 / power);
    return sum / static_cast<double>(std::max<int64_t>(count, 1));
  };
  ForEachWindow(axes, *inputs[0], output, element);
}

std::string Pool::TaskAttributes(Shapes) const {
  return absl::StrCat("_", kind, windows.Text());
}

Emitted Pool::Emit(AnchorEmitter& emitter) const {
  const bool is_max = kind == "max", is_lp = kind == "lp";
  const WindowReader reader(windows, emitter,
                            is_max ? LowestFloat() : Expr(0.0f), is_max);
  const std::vector<Halide::Var>& vars = reader.loops().vars;
  Halide::Func pool = NamedFunc("pool");
  if (is_max) {
    pool(vars) = LowestFloat();
    pool(vars) = Halide::max(pool(vars), reader.Value());
    return {.value = pool(vars), .loops = reader.loops()};
  }
  pool(vars) = 0.0f;
  if (!is_lp) {
    pool(vars) += reader.Value();
    return {.value = Mean(*this, reader, pool(vars)), .loops = reader.loops()};
  }
  const auto power = static_cast<double>(p);
  pool(vars) += Halide::pow(Halide::abs(reader.Value()), FloatExpr(power));
  Expr root = pool(vars);
  if (p == 2) root = Halide::sqrt(root);
  if (p > 2) root = Halide::pow(root, FloatExpr(1 / power));
  return {.value = root, .loops = reader.loops()};
}

absl::StatusOr<DataType> ArgMaxPool::InferType(DataTypes inputs) const {
  RETURN_IF_ERROR(CheckTypes(inputs, DataType::kFloat32));
  return DataType::kInt64;
}

absl::StatusOr<Shape> ArgMaxPool::InferShape(Shapes inputs) const {
  return windows.InferShape(inputs[0]);
}

double ArgMaxPool::CountFlops(Shapes, const Shape& output) const {
  return NumElementsAsDouble(output) * windows.Volume();
}

void ArgMaxPool::Evaluate(Arrays inputs, int, Array& output) const {
  const std::vector<WindowAxis> axes =
      AxesOf(windows, inputs[0]->shape, output.shape);
  const int64_t channels = output.shape.back();
  const auto element = [&](const std::vector<int64_t>& window,
                           const double* image) {
    double largest = kLowest;
    int64_t first = -1;
    VisitWindow(
        axes, window, [&](const std::vector<int64_t>& at, bool is_inside) {
          const int64_t index = FlatIndex(axes, at);
          const double value = is_inside ? image[index * channels] : kLowest;
          if (first >= 0 && value <= largest) return;
          largest = value;
          first = index;
        });
    return static_cast<double>(first);
  };
  ForEachWindow(axes, *inputs[0], output, element);
}

std::string ArgMaxPool::TaskAttributes(Shapes) const { return windows.Text(); }

Emitted ArgMaxPool::Emit(AnchorEmitter& emitter) const {
  const WindowReader reader(windows, emitter, LowestFloat(),
                            /*may_repeat=*/true);
  const std::vector<Halide::Var>& vars = reader.loops().vars;
  Halide::Func largest = NamedFunc("largest");
  largest(vars) = LowestFloat();
  largest(vars) = Halide::max(largest(vars), reader.Value());
  int64_t pixels = 1;
  for (const WindowAxis& axis : reader.axes()) pixels *= axis.input;
  const Expr last = ToExpr(pixels - 1);
  Halide::Func first = NamedFunc("first");
  first(vars) = last;
  first(vars) = Halide::min(
      first(vars),
      Halide::select(reader.Value() == largest(vars), reader.Index(), last));
  return {.value = Halide::cast<int64_t>(first(vars)), .loops = reader.loops()};
}

}  // namespace pruner
