// Poolings of windows in one to three dimensions.
#ifndef MODELS_OPERATORS_POOL_H_
#define MODELS_OPERATORS_POOL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Windows on {N, spatial..., C}, of which each attribute has a number for each
// spatial dimension, outermost first: window i has the elements i * stride + k
// * dilation - padding_before, 0 <= k < kernel. There are `out` windows; if
// that is empty, as many as fit the padded input. Those of a given `out` may
// reach beyond it, as rounding up (ceil_mode) lets them. Of ONNX and PyTorch.
struct PoolWindows {
  std::vector<int64_t> kernel{};
  std::vector<int64_t> stride{};          // empty: all 1
  std::vector<int64_t> dilation{};        // empty: all 1
  std::vector<int64_t> padding_before{};  // empty: all 0
  std::vector<int64_t> padding_after{};   // empty: all 0
  std::vector<int64_t> out{};
  bool operator==(const PoolWindows&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("kernel", self.kernel);
    visitor("stride", self.stride);
    visitor("dilation", self.dilation);
    visitor("padding_before", self.padding_before);
    visitor("padding_after", self.padding_after);
    visitor("out", self.out);
  }
  absl::StatusOr<Shape> InferShape(const Shape& input) const;
  // Elements of a window.
  double Volume() const;
  std::string Text() const;
};

// Of each window the
//   "max": maximum of the input's elements in it;
//   "average": mean of these, and, if count_include_pad, of the padding's,
//     which are zeros; what is beyond the padded input never counts;
//   "lp": p-th root of the sum of the p-th powers of their absolute values.
// A window that has no element gives the lowest finite number or, if it is no
// maximum, 0.
struct Pool {
  static constexpr OperatorKind kKind{"Pool",
                                      "pool",
                                      {"input"},
                                      OperatorClass::kAnchor,
                                      /*has_channel_loops=*/true};
  std::string kind = "max";
  int64_t p = 2;
  PoolWindows windows{};
  bool count_include_pad = false;
  bool operator==(const Pool&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    visitor("kind", self.kind);
    visitor("p", self.p);
    PoolWindows::VisitFields(self.windows, visitor);
    visitor("count_include_pad", self.count_include_pad);
  }
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

// Where the maximum of each window is, int64: the row-major index of the
// element in the spatial dimensions of the input, of the first one if several
// are as large.
struct ArgMaxPool {
  static constexpr OperatorKind kKind{
      "ArgMaxPool", "arg_max_pool", {"input"}, OperatorClass::kAnchor};
  PoolWindows windows{};
  bool operator==(const ArgMaxPool&) const = default;
  template <typename Self, typename Visitor>
  static void VisitFields(Self& self, Visitor&& visitor) {
    PoolWindows::VisitFields(self.windows, visitor);
  }
  absl::StatusOr<DataType> InferType(DataTypes inputs) const;
  absl::StatusOr<Shape> InferShape(Shapes inputs) const;
  double CountFlops(Shapes inputs, const Shape& output) const;
  void Evaluate(Arrays inputs, int threads, Array& output) const;
  Emitted Emit(AnchorEmitter& emitter) const;
  std::string TaskAttributes(Shapes inputs) const;
};

}  // namespace pruner

#endif  // MODELS_OPERATORS_POOL_H_
