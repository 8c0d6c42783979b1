#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/onnx/converters.h"
#include "models/onnx/node_import.h"
#include "models/operators/data_type.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// One operator of the two inputs.
absl::Status SetResult(NodeImport& n, const Operator& op) {
  ASSIGN_OR_RETURN(const OnnxValue data, n.Input(0));
  ASSIGN_OR_RETURN(const OnnxValue indices, n.Input(1));
  ASSIGN_OR_RETURN(OnnxValue output, n.Apply(op, {data, indices}));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

// That of the first input.
absl::StatusOr<int64_t> AxisFrom(const NodeImport& n) {
  ASSIGN_OR_RETURN(const OnnxValue data, n.Input(0));
  ASSIGN_OR_RETURN(const int64_t axis, n.node().Int("axis", 0));
  return n.Axis(axis, data.rank());
}

absl::Status ImportGather(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis"}));
  ASSIGN_OR_RETURN(const int64_t axis, AxisFrom(n));
  return SetResult(n, Gather{axis});
}

absl::Status ImportGatherElements(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis"}));
  ASSIGN_OR_RETURN(const int64_t axis, AxisFrom(n));
  return SetResult(n, GatherElements{axis});
}

absl::Status ImportGatherNd(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"batch_dims"}));
  ASSIGN_OR_RETURN(const int64_t batch_dims, n.node().Int("batch_dims", 0));
  return SetResult(n, GatherNd{batch_dims});
}

absl::Status ImportOneHot(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis"}));
  ASSIGN_OR_RETURN(const OnnxValue given, n.Input(0));
  ASSIGN_OR_RETURN(const double depth, n.ScalarOf(1));
  ASSIGN_OR_RETURN(const OnnxValue values, n.Input(2));
  ASSIGN_OR_RETURN(int64_t axis, n.node().Int("axis", -1));
  ASSIGN_OR_RETURN(axis, n.Axis(axis, given.rank() + 1));
  if (!(depth >= 1 && depth <= static_cast<double>(kMaxTensorElements)))
    return n.Error(absl::StrCat("has a depth of ", depth));
  // Indices may be floats, too.
  ASSIGN_OR_RETURN(const OnnxValue indices, n.Cast(given, DataType::kInt64));
  ASSIGN_OR_RETURN(
      OnnxValue output,
      n.Apply(OneHot{.axis = axis, .depth = static_cast<int64_t>(depth)},
              {indices, values}));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportTopK(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis", "k", "largest", "sorted"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(int64_t axis, n.node().Int("axis", -1));
  ASSIGN_OR_RETURN(axis, n.Axis(axis, input.rank()));
  ASSIGN_OR_RETURN(const int64_t largest, n.node().Int("largest", 1));
  int64_t k = 0;
  if (n.HasInput(1)) {
    ASSIGN_OR_RETURN(const std::vector<int64_t> counts, n.IntsOf(1));
    if (counts.size() != 1) return n.Error("must have one k");
    k = counts[0];
  } else {
    ASSIGN_OR_RETURN(k, n.node().Int("k"));
  }
  if (n.node().HasOutput(0)) {
    ASSIGN_OR_RETURN(OnnxValue values,
                     n.Apply(TopKValues{axis, k, largest != 0}, {input}));
    n.SetOutput(0, std::move(values));
  }
  if (n.node().HasOutput(1)) {
    ASSIGN_OR_RETURN(OnnxValue indices,
                     n.Apply(TopKIndices{axis, k, largest != 0}, {input}));
    n.SetOutput(1, std::move(indices));
  }
  return absl::OkStatus();
}

absl::Status ImportCumSum(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"exclusive", "reverse"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const std::vector<int64_t> given, n.IntsOf(1));
  if (given.size() != 1) return n.Error("must have one axis");
  ASSIGN_OR_RETURN(const int64_t axis, n.Axis(given[0], input.rank()));
  ASSIGN_OR_RETURN(const int64_t exclusive, n.node().Int("exclusive", 0));
  ASSIGN_OR_RETURN(const int64_t reverse, n.node().Int("reverse", 0));
  ASSIGN_OR_RETURN(
      OnnxValue output,
      n.Apply(CumSum{axis, exclusive != 0, reverse != 0}, {input}));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

absl::Status ImportTrilu(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"upper"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const int64_t upper, n.node().Int("upper", 1));
  std::vector<int64_t> k = {0};
  if (n.HasInput(1)) {
    ASSIGN_OR_RETURN(k, n.IntsOf(1));
  }
  if (k.size() != 1) return n.Error("must have one k");
  // Farther away there is nothing, either.
  const int64_t diagonal =
      std::clamp(k[0], -kMaxTensorElements, kMaxTensorElements);
  ASSIGN_OR_RETURN(OnnxValue output,
                   n.Apply(Trilu{upper != 0, diagonal}, {input}));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

}  // namespace

void AddIndexingConverters(Converters& converters) {
  converters["CumSum"] = ImportCumSum;
  converters["Gather"] = ImportGather;
  converters["GatherElements"] = ImportGatherElements;
  converters["GatherND"] = ImportGatherNd;
  converters["OneHot"] = ImportOneHot;
  converters["TopK"] = ImportTopK;
  converters["Trilu"] = ImportTrilu;
}

}  // namespace pruner
