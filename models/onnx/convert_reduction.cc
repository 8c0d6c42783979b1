#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/onnx/converters.h"
#include "models/onnx/node_import.h"
#include "models/operators/data_type.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// All axes where the node says none, unless it says that this means none.
absl::StatusOr<std::vector<int64_t>> ReducedAxes(const NodeImport& n,
                                                 int64_t rank) {
  ASSIGN_OR_RETURN(std::vector<int64_t> axes, n.IntsOf("axes", 1, {}));
  ASSIGN_OR_RETURN(const int64_t noop, n.node().Int("noop_with_empty_axes", 0));
  if (axes.empty() && noop == 0) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  return n.Axes(axes, rank);
}

// Maxima and minima of bools are those of 0 and 1.
absl::StatusOr<OnnxValue> ApplyReduce(NodeImport& n, const OnnxValue& input,
                                      const Reduce& reduce) {
  if (input.type != DataType::kBool) return n.Apply(reduce, {input});
  ASSIGN_OR_RETURN(const OnnxValue numbers, n.Cast(input, DataType::kInt64));
  ASSIGN_OR_RETURN(const OnnxValue reduced, n.Apply(reduce, {numbers}));
  return n.Cast(reduced, DataType::kBool);
}

absl::Status ImportReduction(NodeImport& n, absl::string_view kind) {
  RETURN_IF_ERROR(
      n.node().CheckAttributes({"axes", "keepdims", "noop_with_empty_axes"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                   ReducedAxes(n, input.rank()));
  ASSIGN_OR_RETURN(const int64_t keepdims, n.node().Int("keepdims", 1));
  if (absl::c_linear_search(input.shape, 0)) {
    return n.Error(absl::StrCat("reduces a tensor of shape ",
                                ShapeText(input.shape),
                                ", which has no elements"));
  }
  const bool is_element = kind == "sum" || kind == "mean" || kind == "max" ||
                          kind == "min" || kind == "prod";
  const Reduce reduce{
      .kind = std::string(kind), .axes = axes, .keepdims = keepdims != 0};
  OnnxValue output = input;
  // What else there is changes elements that nothing is added to.
  if (!axes.empty() || !is_element) {
    ASSIGN_OR_RETURN(output, ApplyReduce(n, input, reduce));
  }
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportArgReduction(NodeImport& n, absl::string_view kind) {
  RETURN_IF_ERROR(
      n.node().CheckAttributes({"axis", "keepdims", "select_last_index"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const int64_t given, n.node().Int("axis", 0));
  ASSIGN_OR_RETURN(const int64_t axis, n.Axis(given, input.rank()));
  ASSIGN_OR_RETURN(const int64_t keepdims, n.node().Int("keepdims", 1));
  ASSIGN_OR_RETURN(const int64_t last, n.node().Int("select_last_index", 0));
  ASSIGN_OR_RETURN(OnnxValue output,
                   n.Apply(ArgReduce{.kind = std::string(kind),
                                     .axis = axis,
                                     .keepdims = keepdims != 0,
                                     .select_last_index = last != 0},
                           {input}));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

}  // namespace

void AddReductionConverters(Converters& converters) {
  converters["ArgMax"] = [](NodeImport& n) {
    return ImportArgReduction(n, "max");
  };
  converters["ArgMin"] = [](NodeImport& n) {
    return ImportArgReduction(n, "min");
  };
  converters["ReduceL1"] = [](NodeImport& n) {
    return ImportReduction(n, "l1");
  };
  converters["ReduceL2"] = [](NodeImport& n) {
    return ImportReduction(n, "l2");
  };
  converters["ReduceLogSum"] = [](NodeImport& n) {
    return ImportReduction(n, "log_sum");
  };
  converters["ReduceLogSumExp"] = [](NodeImport& n) {
    return ImportReduction(n, "log_sum_exp");
  };
  converters["ReduceMax"] = [](NodeImport& n) {
    return ImportReduction(n, "max");
  };
  converters["ReduceMean"] = [](NodeImport& n) {
    return ImportReduction(n, "mean");
  };
  converters["ReduceMin"] = [](NodeImport& n) {
    return ImportReduction(n, "min");
  };
  converters["ReduceProd"] = [](NodeImport& n) {
    return ImportReduction(n, "prod");
  };
  converters["ReduceSum"] = [](NodeImport& n) {
    return ImportReduction(n, "sum");
  };
  converters["ReduceSumSquare"] = [](NodeImport& n) {
    return ImportReduction(n, "sum_square");
  };
}

}  // namespace pruner
