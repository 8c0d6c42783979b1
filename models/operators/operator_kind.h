// What every operator is described by, and what attributes are made of.
//
// An operator is one struct in one pair of files: its attributes, which
// VisitFields lists once for text and stored forms, its row of the table of
// kinds, and, as members, what shape its output has, how much arithmetic it
// does and what it computes. A struct becomes an operator by its place in the
// variant of operators.h, and one that lacks a part does not compile. Its
// members, documented where operators.h has them for all kinds, are
//
//   static constexpr OperatorKind kKind
//   bool operator==(const Kind&) const
//   static void VisitFields(Self&, Visitor&&): visitor("name", field) of each
//     attribute, if there are any
//   absl::StatusOr<Shape> InferShape(Shapes inputs) const
//   double CountFlops(Shapes inputs, const Shape& output) const
//   void Evaluate(Arrays inputs, int threads, Array& output) const
//   Emitted Emit(AnchorEmitter&) const, of an anchor (emission.h)
//   Halide::Expr Emit(absl::Span<const Halide::Expr> operands) const, of an
//     elementwise one: an element of its output, of those of its inputs
//   std::string TaskAttributes(Shapes inputs) const: if its tasks' names are to
//     have more than its own, "_3x3_s2"
//   int64_t SumLength(Shapes inputs) const: of the longest sum that an element
//   of
//     the output depends on, if it is not half of the operations for one
//   absl::StatusOr<DataType> InferType(DataTypes inputs) const: of the
//     output, if not all of them are float32
//
// An elementwise operator, whose attributes are finite numbers, may have
// instead of InferShape, CountFlops and Evaluate
//
//   static constexpr int kFlops: of an element
//   double At(double) const: an element of its output, of one of each input,
//     which are broadcast (broadcast.h)
//   absl::Status CheckAttributes() const: if not all of them fit together
#ifndef MODELS_OPERATORS_OPERATOR_KIND_H_
#define MODELS_OPERATORS_OPERATOR_KIND_H_

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "models/operators/data_type.h"
#include "models/operators/shape.h"

// Only those who emit need all of Halide.
namespace Halide {  // NOLINT(readability-identifier-naming): theirs
struct Expr;
}  // namespace Halide

namespace pruner {

class AnchorEmitter;
class TensorParameter;
struct Emitted;

struct Extent2d {
  int64_t h = 1;
  int64_t w = 1;
  bool operator==(const Extent2d&) const = default;
};

struct Padding2d {
  int64_t top = 0;
  int64_t left = 0;
  int64_t bottom = 0;
  int64_t right = 0;
  bool operator==(const Padding2d&) const = default;
};

// How an operator may share a kernel with its neighbours.
enum class OperatorClass {
  kAnchor,       // reads several elements of an input for one of the output
  kElementwise,  // out[i] depends only on elements at i, and on parameters per
                 // channel
  kView,         // the same elements in the same order under another shape
};

struct OperatorKind {
  absl::string_view name;  // also of its message, with fields of these names
  absl::string_view task_name;  // of tasks that begin with it
  // Of the inputs, in order; the rest is empty. "..." at the end: there may be
  // any number of the one before it.
  std::array<absl::string_view, 5> roles;
  OperatorClass operator_class;
  // Of an anchor: in all its kernels no loop is over channels, the last
  // dimension of the output, and over others too. Elementwise ones are so.
  bool has_channel_loops = false;

  // Inputs that there have to be.
  constexpr int arity() const {
    int count = 0;
    for (const absl::string_view role : roles)
      count += role.empty() || role == kMore ? 0 : 1;
    return count;
  }
  constexpr bool is_variadic() const {
    for (const absl::string_view role : roles) {
      if (role == kMore) return true;
    }
    return false;
  }
  constexpr absl::string_view RoleOf(int input) const {
    return roles[input < arity() ? input : arity() - 1];
  }

  static constexpr absl::string_view kMore = "...";
};

// A tensor's values, row-major; values.size() == NumElements(shape).
struct Array {
  Shape shape;
  std::vector<double> values;
};

// Calls visitor("name", attribute) for each; `op` may be const.
template <typename Kind, typename Visitor>
void VisitAttributes(Kind& op, Visitor&& visitor) {
  if constexpr (requires { op.VisitFields(op, visitor); }) {
    op.VisitFields(op, visitor);
  } else {
    static_assert(std::is_empty_v<Kind>, "VisitFields is missing");
  }
}

using Shapes = absl::Span<const Shape>;
using Arrays = absl::Span<const Array* const>;

}  // namespace pruner

#endif  // MODELS_OPERATORS_OPERATOR_KIND_H_
