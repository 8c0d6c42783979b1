#include "models/rewrite/move_transposes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/operators/broadcast.h"
#include "models/rewrite/graph_copier.h"

namespace pruner {
namespace {

using Perm = std::vector<int64_t>;

bool IsIdentity(const Perm& perm) {
  return std::is_sorted(perm.begin(), perm.end());
}

// Transposed by `first`, then by `second`.
Perm Composed(const Perm& first, const Perm& second) {
  Perm perm;
  for (const int64_t d : second) perm.push_back(first[d]);
  return perm;
}

// `values` belong to the dimensions of a transposed tensor; those that belong
// to the dimensions of the tensor it was made of.
std::vector<int64_t> Untransposed(const std::vector<int64_t>& values,
                                  const Perm& perm) {
  std::vector<int64_t> result(values.size());
  for (size_t d = 0; d < values.size(); ++d) result[perm[d]] = values[d];
  return result;
}

int64_t LargeExtents(const Shape& shape) {
  return std::count_if(shape.begin(), shape.end(),
                       [](int64_t extent) { return extent > 1; });
}

// Whether transposing `shape` leaves its elements where they are.
bool MovesNothing(const Shape& shape, const Perm& perm) {
  int64_t last = -1;
  for (const int64_t d : perm) {
    if (shape[d] == 1) continue;
    if (d < last) return false;
    last = d;
  }
  return true;
}

// A tensor of the old graph as a transposed one of the new graph.
struct Transposed {
  TensorId source = kNoTensor;
  Perm perm;
};

class Mover {
 public:
  explicit Mover(const OperatorGraph& graph)
      : graph_(graph), copier_(graph), is_output_(OutputMask(graph)) {}

  absl::StatusOr<OperatorGraph> Run() && {
    for (const Node& node : graph_.nodes) {
      if (!Move(node)) CopyNode(node);
    }
    for (const TensorId output : graph_.outputs) Materialize(output);
    return std::move(copier_).Finish();
  }

 private:
  const Transposed* Find(TensorId tensor) const {
    const auto found = transposed_.find(tensor);
    return found == transposed_.end() ? nullptr : &found->second;
  }

  // The tensor itself, as the new graph has it.
  TensorId Materialize(TensorId tensor) {
    const auto found = transposed_.find(tensor);
    if (found == transposed_.end()) return copier_.Copy(tensor);
    const Transposed moved = found->second;
    transposed_.erase(found);
    const Shape& from = copier_.builder().ShapeOf(moved.source);
    const Operator op = MovesNothing(from, moved.perm)
                            ? Operator(Reshape{graph_.ShapeOf(tensor)})
                            : Operator(Transpose{moved.perm});
    const TensorId copy = copier_.builder().Apply(graph_.tensors[tensor].name,
                                                  op, {moved.source});
    copier_.Replace(tensor, copy);
    return copy;
  }

  void CopyNode(const Node& node) {
    for (const TensorId input : node.inputs) Materialize(input);
    copier_.CopyNode(node);
  }

  // Computes `op` of tensors of the new graph; the node's output is the result,
  // transposed.
  bool Replace(const Node& node, const Operator& op,
               const std::vector<TensorId>& inputs, const Perm& perm) {
    const std::string stem = graph_.NameOf(node);
    const TensorId source = copier_.builder().Apply(
        IsIdentity(perm) ? stem : copier_.FreshName(absl::StrCat(stem, "'")),
        op, inputs);
    SetTransposed(node.output, {source, perm});
    return true;
  }

  void SetTransposed(TensorId tensor, const Transposed& moved) {
    if (IsIdentity(moved.perm) && !is_output_[tensor]) {
      copier_.Replace(tensor, moved.source);
    } else if (IsIdentity(moved.perm)) {
      const std::string& name = graph_.tensors[tensor].name;
      const bool has_name = moved.source != kNoTensor &&
                            copier_.builder().NameOf(moved.source) == name;
      copier_.Replace(
          tensor, has_name ? moved.source
                           : copier_.builder().Identity(name, moved.source));
    } else {
      transposed_[tensor] = moved;
    }
  }

  // False if the node is to be copied.
  bool Move(const Node& node) {
    return std::visit([&](const auto& op) { return MoveKind(node, op); },
                      node.op);
  }

  bool MoveKind(const Node& node, const Transpose& op) {
    const TensorId input = node.inputs[0];
    if (const Transposed* moved = Find(input)) {
      SetTransposed(node.output,
                    {moved->source, Composed(moved->perm, op.perm)});
    } else {
      SetTransposed(node.output, {copier_.Copy(input), op.perm});
    }
    return true;
  }

  bool MoveKind(const Node& node, const Reshape& op) {
    const Transposed* const moved = Find(node.inputs[0]);
    if (moved == nullptr ||
        !MovesNothing(copier_.builder().ShapeOf(moved->source), moved->perm)) {
      return false;
    }
    copier_.Replace(node.output, copier_.builder().Apply(graph_.NameOf(node),
                                                         op, {moved->source}));
    return true;
  }

  bool MoveKind(const Node& node, const Concat& op) {
    const Transposed* const first = Find(node.inputs[0]);
    if (first == nullptr) return false;
    std::vector<TensorId> sources;
    for (const TensorId input : node.inputs) {
      const Transposed* const moved = Find(input);
      if (moved == nullptr || moved->perm != first->perm) return false;
      sources.push_back(moved->source);
    }
    const Perm perm = first->perm;
    return Replace(node, Concat{perm[op.axis]}, sources, perm);
  }

  bool MoveKind(const Node& node, const Pad& op) {
    return MoveUnary(node, [&](const Perm& perm) {
      Pad moved = op;
      moved.before = Untransposed(op.before, perm);
      moved.after = Untransposed(op.after, perm);
      return moved;
    });
  }

  bool MoveKind(const Node& node, const Slice& op) {
    return MoveUnary(node, [&](const Perm& perm) {
      return Slice{.starts = Untransposed(op.starts, perm),
                   .extents = Untransposed(op.extents, perm),
                   .steps = Untransposed(op.steps, perm)};
    });
  }

  bool MoveKind(const Node& node, const Softmax& op) {
    return MoveUnary(node,
                     [&](const Perm& perm) { return Softmax{perm[op.axis]}; });
  }

  // Per channel of the last dimension.
  bool MoveKind(const Node& node, const BiasAdd&) { return MoveChannels(node); }
  bool MoveKind(const Node& node, const BatchNorm&) {
    return MoveChannels(node);
  }

  bool MoveKind(const Node& node, const Reduce& op) {
    const Transposed* const moved = Find(node.inputs[0]);
    if (moved == nullptr) return false;
    const Perm perm = moved->perm;
    Reduce reduce = op;
    for (int64_t& axis : reduce.axes) axis = perm[axis];
    std::sort(reduce.axes.begin(), reduce.axes.end());
    Perm after = perm;
    if (!op.keepdims) {
      after.clear();
      for (size_t d = 0; d < perm.size(); ++d) {
        const auto is_below = [&](int64_t axis) { return axis < perm[d]; };
        if (std::find(op.axes.begin(), op.axes.end(),
                      static_cast<int64_t>(d)) == op.axes.end()) {
          after.push_back(perm[d] - std::count_if(reduce.axes.begin(),
                                                  reduce.axes.end(), is_below));
        }
      }
    }
    return Replace(node, reduce, {moved->source}, after);
  }

  // A transpose of an operand's matrices.
  bool MoveKind(const Node& node, const MatMul& op) {
    MatMul product = op;
    std::vector<TensorId> inputs;
    bool changes = false;
    for (size_t i = 0; i < 2; ++i) {
      const Transposed* const moved = Find(node.inputs[i]);
      const bool is_matrix = moved != nullptr && SwapsLast(moved->perm);
      if (is_matrix) {
        bool& flag = i == 0 ? product.transpose_left : product.transpose_right;
        flag = !flag;
        changes = true;
      }
      inputs.push_back(is_matrix ? moved->source : Materialize(node.inputs[i]));
    }
    return changes && Replace(node, product, inputs, {});
  }

  // Where all channels are read for a pixel, those far away are few.
  bool MoveKind(const Node& node, const Conv2d& op) {
    constexpr int64_t kFewChannels = 4;
    const Transposed* const moved = Find(node.inputs[0]);
    if (moved == nullptr || op.channels_first ||
        moved->perm != Perm{0, 2, 3, 1}) {
      return false;
    }
    const TensorId source = moved->source;
    const Shape& shape = copier_.builder().ShapeOf(source);
    if (shape.empty() || shape[1] > kFewChannels ||
        MovesNothing(shape, moved->perm)) {
      return false;
    }
    Conv2d conv = op;
    conv.channels_first = true;
    return Replace(node, conv, {source, Materialize(node.inputs[1])}, {});
  }

  template <typename Kind>
  bool MoveKind(const Node& node, const Kind& op) {
    if constexpr (Kind::kKind.operator_class == OperatorClass::kElementwise) {
      return MoveElementwise(node);
    } else {
      static_cast<void>(node), static_cast<void>(op);
      return false;
    }
  }

  static bool SwapsLast(const Perm& perm) {
    const size_t rank = perm.size();
    if (rank < 2) return false;
    Perm swapped = perm;
    std::swap(swapped[rank - 1], swapped[rank - 2]);
    return IsIdentity(swapped);
  }

  template <typename Change>
  bool MoveUnary(const Node& node, const Change& change) {
    const Transposed* const moved = Find(node.inputs[0]);
    if (moved == nullptr) return false;
    const Transposed input = *moved;
    return Replace(node, change(input.perm), {input.source}, input.perm);
  }

  bool MoveChannels(const Node& node) {
    const Transposed* const moved = Find(node.inputs[0]);
    if (moved == nullptr ||
        moved->perm.back() != static_cast<int64_t>(moved->perm.size()) - 1) {
      return false;
    }
    const Transposed input = *moved;
    std::vector<TensorId> inputs = {input.source};
    for (size_t i = 1; i < node.inputs.size(); ++i)
      inputs.push_back(Materialize(node.inputs[i]));
    return Replace(node, node.op, inputs, input.perm);
  }

  bool MoveElementwise(const Node& node) {
    const Transposed* first = nullptr;
    for (const TensorId input : node.inputs) {
      const Transposed* const moved = Find(input);
      if (first == nullptr && moved != nullptr &&
          graph_.ShapeOf(input) == graph_.ShapeOf(node.output)) {
        first = moved;
      }
    }
    if (first == nullptr) return false;
    const Perm perm = first->perm;
    for (const TensorId input : node.inputs) {
      if (!CanUntranspose(input, perm)) return false;
    }
    std::vector<TensorId> operands;
    for (const TensorId input : node.inputs)
      operands.push_back(Untranspose(input, perm));
    return Replace(node, node.op, operands, perm);
  }

  // Whether there is, without work, a tensor that `perm` transposes to one that
  // broadcasts as this one.
  bool CanUntranspose(TensorId operand, const Perm& perm) const {
    const Transposed* const moved = Find(operand);
    if (moved != nullptr && moved->perm == perm) return true;
    const Shape& shape = graph_.ShapeOf(operand);
    return moved == nullptr && (LargeExtents(shape) <= 1 ||
                                (graph_.constants.contains(operand) &&
                                 graph_.TypeOf(operand) == DataType::kFloat32));
  }

  TensorId Untranspose(TensorId operand, const Perm& perm) {
    if (const Transposed* moved = Find(operand)) return moved->source;
    const Shape& shape = graph_.ShapeOf(operand);
    if (LargeExtents(shape) == 0) return copier_.Copy(operand);
    const std::string name = copier_.FreshName(
        absl::StrCat(graph_.tensors[operand].name, "/untransposed"));
    const Shape padded = WithRank(shape, perm.size());
    const Shape before = Untransposed(padded, perm);
    if (LargeExtents(shape) == 1)
      return copier_.builder().Apply(name, Reshape{before},
                                     {copier_.Copy(operand)});
    // Of constants the values move.
    Perm inverse(perm.size());
    for (size_t d = 0; d < perm.size(); ++d)
      inverse[perm[d]] = static_cast<int64_t>(d);
    const Array values = {
        padded, MaterializeConstant(graph_.constants.at(operand), shape)};
    const Array moved =
        EvaluateOperator(Transpose{inverse}, {&values}, before, 1);
    return copier_.builder().Constant(
        name, before,
        {MakeExplicit({moved.values.begin(), moved.values.end()})});
  }

  const OperatorGraph& graph_;
  GraphCopier copier_;
  const std::vector<bool> is_output_;
  std::map<TensorId, Transposed> transposed_;
};

}  // namespace

absl::StatusOr<OperatorGraph> MoveTransposes(const OperatorGraph& graph) {
  return Mover(graph).Run();
}

}  // namespace pruner
