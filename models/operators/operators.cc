#include "models/operators/operators.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "models/operators/broadcast.h"
#include "models/operators/data_type.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

std::string Text(int64_t value) { return absl::StrCat(value); }
std::string Text(double value) { return absl::StrFormat("%.17g", value); }
std::string Text(bool value) { return value ? "true" : "false"; }
std::string Text(const std::string& value) { return value; }
std::string Text(const Shape& shape) { return absl::StrJoin(shape, ","); }
std::string Text(const std::vector<double>& values) {
  return absl::StrJoin(values, ",", [](std::string* out, double value) {
    out->append(Text(value));
  });
}
std::string Text(const Extent2d& extent) {
  return absl::StrCat(extent.h, ",", extent.w);
}
std::string Text(const Padding2d& padding) {
  return absl::StrCat(padding.top, ",", padding.left, ",", padding.bottom, ",",
                      padding.right);
}

template <typename Kind>
concept Unary = requires(const Kind& op) { op.At(0.0); };
template <typename Kind>
concept Binary = requires(const Kind& op) { op.At(0.0, 0.0); };
template <typename Kind>
concept Ternary = requires(const Kind& op) { op.At(0.0, 0.0, 0.0); };
// Defined by an element of the output.
template <typename Kind>
concept ByElement = Unary<Kind> || Binary<Kind> || Ternary<Kind>;

template <typename Kind>
absl::StatusOr<Shape> Infer(const Kind& op, Shapes inputs) {
  if constexpr (ByElement<Kind>) {
    absl::Status status;
    VisitAttributes(op, [&](absl::string_view name, double value) {
      status.Update(CheckFinite(name, value));
    });
    if constexpr (requires { op.CheckAttributes(); })
      status.Update(op.CheckAttributes());
    RETURN_IF_ERROR(status);
    return BroadcastShape(inputs);
  } else {
    return op.InferShape(inputs);
  }
}

template <typename Kind>
double Count(const Kind& op, Shapes inputs, const Shape& output) {
  if constexpr (ByElement<Kind>) {
    return op.kFlops * NumElementsAsDouble(output);
  } else {
    return op.CountFlops(inputs, output);
  }
}

template <typename Kind>
void Evaluate(const Kind& op, Arrays inputs, int threads, Array& output) {
  if constexpr (Unary<Kind>) {
    for (size_t i = 0; i < output.values.size(); ++i)
      output.values[i] = op.At(inputs[0]->values[i]);
  } else if constexpr (ByElement<Kind>) {
    std::vector<Shape> shapes;
    for (const Array* input : inputs) shapes.push_back(input->shape);
    ForEachBroadcast(
        shapes, output.shape, [&](int64_t i, absl::Span<const int64_t> at) {
          const double first = inputs[0]->values[at[0]];
          const double second = inputs[1]->values[at[1]];
          if constexpr (Binary<Kind>) {
            output.values[i] = op.At(first, second);
          } else {
            output.values[i] = op.At(first, second, inputs[2]->values[at[2]]);
          }
        });
  } else {
    op.Evaluate(inputs, threads, output);
  }
}

}  // namespace

const OperatorKind& KindOf(const Operator& op) {
  return std::visit(
      [](const auto& kind) -> const OperatorKind& { return kind.kKind; }, op);
}

std::string OperatorText(const Operator& op) {
  std::vector<std::string> attributes;
  std::visit(
      [&](const auto& kind) {
        VisitAttributes(kind, [&](absl::string_view name, const auto& field) {
          attributes.push_back(absl::StrCat(name, "=", Text(field)));
        });
      },
      op);
  return absl::StrCat(KindOf(op).name, "(", absl::StrJoin(attributes, " "),
                      ")");
}

absl::StatusOr<DataType> InferType(const Operator& op, DataTypes inputs) {
  return std::visit(
      [&](const auto& kind) -> absl::StatusOr<DataType> {
        if constexpr (requires { kind.InferType(inputs); }) {
          return kind.InferType(inputs);
        } else {
          RETURN_IF_ERROR(CheckTypes(inputs, DataType::kFloat32));
          return DataType::kFloat32;
        }
      },
      op);
}

absl::StatusOr<Shape> InferShape(const Operator& op, Shapes inputs) {
  const OperatorKind& described = KindOf(op);
  const int arity = described.arity(), given = static_cast<int>(inputs.size());
  if (described.is_variadic() ? given < arity : given != arity)
    return Invalid("takes ", arity, described.is_variadic() ? " or more" : "",
                   " inputs, not ", given);
  ASSIGN_OR_RETURN(
      Shape output,
      std::visit([&](const auto& kind) { return Infer(kind, inputs); }, op));
  RETURN_IF_ERROR(CheckShape(output));
  return output;
}

double CountFlops(const Operator& op, Shapes inputs, const Shape& output) {
  return std::visit(
      [&](const auto& kind) { return Count(kind, inputs, output); }, op);
}

double SumLength(const Operator& op, Shapes inputs, const Shape& output) {
  return std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.SumLength(inputs); }) {
          return static_cast<double>(kind.SumLength(inputs));
        } else {
          // Of products and their sums.
          return Count(kind, inputs, output) /
                 (2 * NumElementsAsDouble(output));
        }
      },
      op);
}

Array EvaluateOperator(const Operator& op, Arrays inputs,
                       const Shape& output_shape, int threads) {
  Array output{output_shape,
               std::vector<double>(NumElements(output_shape), 0.0)};
  std::visit([&](const auto& kind) { Evaluate(kind, inputs, threads, output); },
             op);
  return output;
}

std::string TaskText(const Operator& op, Shapes inputs) {
  return std::visit(
      [&](const auto& kind) {
        std::string text(kind.kKind.task_name);
        if constexpr (requires { kind.TaskAttributes(inputs); })
          text += kind.TaskAttributes(inputs);
        return text;
      },
      op);
}

}  // namespace pruner
