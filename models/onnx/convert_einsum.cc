// Sums of products by labels of dimensions, operand by operand: what nobody
// else reads is added up, and two operands become a product of matrices, or
// elementwise where nothing is added up.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "models/onnx/converters.h"
#include "models/onnx/einsum_equation.h"
#include "models/onnx/node_import.h"
#include "models/operators/operators.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

struct Operand {
  OnnxValue value;
  EinsumLabels labels;  // distinct, but before TakeDiagonals

  bool Has(int label) const { return absl::c_linear_search(labels, label); }
  int64_t Extent(int label) const {
    return value.shape[absl::c_find(labels, label) - labels.begin()];
  }
};

EinsumLabels Joined(const EinsumLabels& a, const EinsumLabels& b) {
  EinsumLabels joined = a;
  joined.insert(joined.end(), b.begin(), b.end());
  return joined;
}

// With dimensions in this order, which has all of them.
absl::StatusOr<Operand> Ordered(NodeImport& n, const Operand& operand,
                                const EinsumLabels& order) {
  std::vector<int64_t> permutation;
  for (const int label : order)
    permutation.push_back(absl::c_find(operand.labels, label) -
                          operand.labels.begin());
  ASSIGN_OR_RETURN(OnnxValue value, n.Transpose(operand.value, permutation));
  return Operand{std::move(value), order};
}

// Of dimensions with the same label, only where they have the same index.
absl::StatusOr<Operand> TakeDiagonals(NodeImport& n, Operand operand) {
  while (true) {
    EinsumLabels& labels = operand.labels;
    const auto repeated = absl::c_find_if(
        labels, [&](int label) { return absl::c_count(labels, label) > 1; });
    if (repeated == labels.end()) return operand;
    const int64_t first = repeated - labels.begin();
    const int64_t second =
        std::find(repeated + 1, labels.end(), *repeated) - labels.begin();
    Shape shape = operand.value.shape;
    const int64_t extent = shape[first];
    if (shape[second] != extent) {
      return n.Error(absl::StrCat("takes a diagonal of ", extent, " x ",
                                  shape[second], " elements"));
    }
    // Both at the end, as one dimension in which the diagonal has steps.
    std::vector<int64_t> permutation;
    EinsumLabels others;
    Shape flat;
    for (int64_t i = 0; i < operand.value.rank(); ++i) {
      if (i == first || i == second) continue;
      permutation.push_back(i);
      others.push_back(labels[i]);
      flat.push_back(shape[i]);
    }
    permutation.insert(permutation.end(), {first, second});
    flat.push_back(extent * extent);
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < extent; ++i) indices.push_back(i * (extent + 1));
    ASSIGN_OR_RETURN(OnnxValue value, n.Transpose(operand.value, permutation));
    ASSIGN_OR_RETURN(value, n.Reshape(value, flat));
    const auto axis = static_cast<int64_t>(flat.size()) - 1;
    ASSIGN_OR_RETURN(value,
                     n.Apply(Gather{.axis = axis},
                             {value, KnownInts(std::move(indices), {extent})}));
    others.push_back(*repeated);
    operand = {std::move(value), std::move(others)};
  }
}

// Without dimensions of extent 1 that "..." stands for, where others have more.
absl::Status DropBroadcast(NodeImport& n, std::vector<Operand>& operands) {
  std::map<int, int64_t> extents;
  for (const Operand& operand : operands) {
    for (const int label : operand.labels) {
      int64_t& extent = extents.emplace(label, 1).first->second;
      extent = std::max(extent, operand.Extent(label));
    }
  }
  for (Operand& operand : operands) {
    Operand kept{operand.value, {}};
    Shape shape;
    for (const int label : operand.labels) {
      const int64_t extent = operand.Extent(label);
      if (extent != extents[label] && (label > 0 || extent != 1)) {
        return n.Error(absl::StrCat("has a dimension of ", extent,
                                    " elements where another input has ",
                                    extents[label]));
      }
      if (extent != extents[label]) continue;
      kept.labels.push_back(label);
      shape.push_back(extent);
    }
    ASSIGN_OR_RETURN(kept.value, n.Reshape(operand.value, shape));
    operand = std::move(kept);
  }
  return absl::OkStatus();
}

// Added up over what is not among `needed`.
absl::StatusOr<Operand> SumUp(NodeImport& n, Operand operand,
                              const EinsumLabels& needed) {
  EinsumLabels kept;
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < operand.value.rank(); ++i) {
    if (absl::c_linear_search(needed, operand.labels[i])) {
      kept.push_back(operand.labels[i]);
    } else {
      axes.push_back(i);
    }
  }
  if (axes.empty()) return operand;
  const Reduce sum{.kind = "sum", .axes = axes, .keepdims = false};
  ASSIGN_OR_RETURN(OnnxValue value, n.Apply(sum, {operand.value}));
  return Operand{std::move(value), std::move(kept)};
}

// Extents of these dimensions.
Shape ExtentsOf(const Operand& operand, const EinsumLabels& labels) {
  Shape shape;
  for (const int label : labels) shape.push_back(operand.Extent(label));
  return shape;
}

// Dimensions of a pair of operands, by who has them.
struct Roles {
  EinsumLabels batch;   // both, and the result
  EinsumLabels summed;  // both, but not the result
  EinsumLabels left;
  EinsumLabels right;
};

Roles RolesOf(const Operand& left, const Operand& right,
              const EinsumLabels& needed) {
  Roles roles;
  for (const int label : left.labels) {
    if (!right.Has(label)) {
      roles.left.push_back(label);
    } else if (absl::c_linear_search(needed, label)) {
      roles.batch.push_back(label);
    } else {
      roles.summed.push_back(label);
    }
  }
  for (const int label : right.labels)
    if (!left.Has(label)) roles.right.push_back(label);
  return roles;
}

// A stack of matrices {batch..., rows, columns}, or of such ones transposed
// where that is how the operand lies.
struct Matrices {
  OnnxValue value;
  bool is_transposed = false;
};

absl::StatusOr<Matrices> AsMatrices(NodeImport& n, const Operand& operand,
                                    const EinsumLabels& batch,
                                    const EinsumLabels& rows,
                                    const EinsumLabels& columns) {
  const bool is_transposed =
      !operand.value.is_known() &&
      operand.labels == Joined(batch, Joined(columns, rows));
  const EinsumLabels& first = is_transposed ? columns : rows;
  const EinsumLabels& second = is_transposed ? rows : columns;
  ASSIGN_OR_RETURN(const Operand ordered,
                   Ordered(n, operand, Joined(batch, Joined(first, second))));
  Shape shape = ExtentsOf(operand, batch);
  shape.push_back(NumElements(ExtentsOf(operand, first)));
  shape.push_back(NumElements(ExtentsOf(operand, second)));
  ASSIGN_OR_RETURN(OnnxValue value, n.Reshape(ordered.value, shape));
  return Matrices{std::move(value), is_transposed};
}

absl::StatusOr<OnnxValue> MatrixProduct(NodeImport& n, const Operand& left,
                                        const Operand& right,
                                        const Roles& roles) {
  ASSIGN_OR_RETURN(const Matrices a,
                   AsMatrices(n, left, roles.batch, roles.left, roles.summed));
  ASSIGN_OR_RETURN(const Matrices b, AsMatrices(n, right, roles.batch,
                                                roles.summed, roles.right));
  return n.Product(
      a.value, b.value,
      {.transpose_left = a.is_transposed, .transpose_right = b.is_transposed});
}

// The operand as one of these dimensions, 1 where it has none.
absl::StatusOr<OnnxValue> Spread(NodeImport& n, const Operand& operand,
                                 const EinsumLabels& labels) {
  EinsumLabels own;
  Shape shape;
  for (const int label : labels) {
    if (operand.Has(label)) own.push_back(label);
    shape.push_back(operand.Has(label) ? operand.Extent(label) : 1);
  }
  ASSIGN_OR_RETURN(const Operand ordered, Ordered(n, operand, own));
  return n.Reshape(ordered.value, shape);
}

// The product, added up over what both have and is not among `needed`.
absl::StatusOr<Operand> Contract(NodeImport& n, Operand left, Operand right,
                                 const EinsumLabels& needed) {
  ASSIGN_OR_RETURN(left, SumUp(n, left, Joined(needed, right.labels)));
  ASSIGN_OR_RETURN(right, SumUp(n, right, Joined(needed, left.labels)));
  const Roles roles = RolesOf(left, right, needed);
  Operand result;
  result.labels = Joined(roles.batch, Joined(roles.left, roles.right));
  if (roles.summed.empty()) {
    ASSIGN_OR_RETURN(const OnnxValue a, Spread(n, left, result.labels));
    ASSIGN_OR_RETURN(const OnnxValue b, Spread(n, right, result.labels));
    ASSIGN_OR_RETURN(result.value, n.Apply(Mul{}, {a, b}));
    return result;
  }
  ASSIGN_OR_RETURN(const OnnxValue product,
                   MatrixProduct(n, left, right, roles));
  Shape shape = ExtentsOf(left, Joined(roles.batch, roles.left));
  for (const int label : roles.right) shape.push_back(right.Extent(label));
  ASSIGN_OR_RETURN(result.value, n.Reshape(product, shape));
  return result;
}

absl::StatusOr<std::vector<Operand>> LabelOperands(
    NodeImport& n, const std::vector<OnnxValue>& values,
    const EinsumEquation& equation) {
  std::vector<Operand> operands;
  for (size_t i = 0; i < values.size(); ++i) {
    ASSIGN_OR_RETURN(operands.emplace_back(),
                     TakeDiagonals(n, {values[i], equation.inputs[i]}));
  }
  RETURN_IF_ERROR(DropBroadcast(n, operands));
  return operands;
}

absl::Status ImportEinsum(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"equation"}));
  ASSIGN_OR_RETURN(const std::string text, n.node().String("equation"));
  std::vector<OnnxValue> values;
  std::vector<int64_t> ranks;
  for (int i = 0; i < n.inputs(); ++i) {
    ASSIGN_OR_RETURN(values.emplace_back(), n.Input(i));
    if (absl::c_linear_search(values.back().shape, 0))
      return n.Error("has an input without elements");
    ranks.push_back(values.back().rank());
  }
  const absl::StatusOr<EinsumEquation> equation = ParseEinsum(text, ranks);
  if (!equation.ok())
    return n.Error(absl::StrCat("says: ", equation.status().message()));
  ASSIGN_OR_RETURN(std::vector<Operand> operands,
                   LabelOperands(n, values, *equation));
  Operand result = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    EinsumLabels needed = equation->output;
    for (size_t j = i + 1; j < operands.size(); ++j)
      needed = Joined(needed, operands[j].labels);
    ASSIGN_OR_RETURN(result, Contract(n, result, operands[i], needed));
  }
  ASSIGN_OR_RETURN(result, SumUp(n, result, equation->output));
  ASSIGN_OR_RETURN(result, Ordered(n, result, equation->output));
  n.SetOutput(0, std::move(result.value));
  return absl::OkStatus();
}

}  // namespace

void AddEinsumConverter(Converters& converters) {
  converters["Einsum"] = ImportEinsum;
}

}  // namespace pruner
