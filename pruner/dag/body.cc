#include "pruner/dag/body.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace pruner {
namespace {

// How many operands the kind has; none: any number. (An axis has one or none.)
std::optional<size_t> Arity(OpKind kind) {
  switch (kind) {
    case OpKind::kConstant:
    case OpKind::kParameter:
      return 0;
    case OpKind::kCast:
    case OpKind::kReinterpret:
    case OpKind::kNot:
      return 1;
    case OpKind::kSelect:
      return 3;
    case OpKind::kAxis:
    case OpKind::kRead:
    case OpKind::kSelf:
    case OpKind::kCall:
      return std::nullopt;
    default:
      return 2;
  }
}

bool IsKnown(OpKind kind) {
  return (kind >= OpKind::kConstant && kind <= OpKind::kReinterpret) ||
         (kind >= OpKind::kAdd && kind <= OpKind::kCall);
}

// Functions that round once, as fused hardware instructions do.
bool IsFusedMultiplyAdd(absl::string_view function) {
  return function == "fma" || function == "strict_fma";
}

// Hints to the compiler, which compute nothing.
bool IsHint(absl::string_view function) {
  return function == "likely" || function == "likely_if_innermost" ||
         function == "promise_clamped" ||
         function == "unsafe_promise_clamped" || function == "strict_float";
}

void CountCall(const Op& op, OpCounts& counts) {
  // Functions of the math library have the width in their names, Halide's
  // intrinsics have none.
  const absl::string_view name = op.function;
  const bool is_math = name.ends_with("_f32") || name.ends_with("_f64") ||
                       name.ends_with("_f16");
  const bool is_float = op.type.IsFloat();
  if (IsHint(name)) return;
  if (IsFusedMultiplyAdd(name)) {
    ++(is_float ? counts.float_mad : counts.int_mad);
  } else if (is_math) {
    ++(is_float ? counts.float_math : counts.int_math);
  } else {
    ++(is_float ? counts.float_other : counts.int_other);
  }
}

void Count(const Definition& definition, const Op& op, OpCounts& counts) {
  const auto of = [&](int64_t& in_float, int64_t& in_int) {
    ++(definition.ops[op.operands[0]].type.IsFloat() ? in_float : in_int);
  };
  switch (op.kind) {
    case OpKind::kAdd:
    case OpKind::kSub:
      return of(counts.float_add, counts.int_add);
    case OpKind::kMul:
      return of(counts.float_mul, counts.int_mul);
    case OpKind::kDiv:
    case OpKind::kMod:
      return of(counts.float_div, counts.int_div);
    case OpKind::kMin:
    case OpKind::kMax:
    case OpKind::kEqual:
    case OpKind::kNotEqual:
    case OpKind::kLess:
    case OpKind::kLessEqual:
      return of(counts.float_compare, counts.int_compare);
    case OpKind::kAnd:
    case OpKind::kOr:
    case OpKind::kNot:
      ++counts.boolean;
      return;
    case OpKind::kSelect:
      ++counts.select;
      return;
    case OpKind::kCall:
      return CountCall(op, counts);
    default:
      return;
  }
}

// What the values need, but for indices.
std::vector<bool> NeededByValues(const Definition& definition) {
  // Operands come first, so one pass backwards finds all.
  std::vector<bool> is_needed(definition.ops.size(), false);
  for (int value : definition.values) is_needed[value] = true;
  for (size_t i = definition.ops.size(); i-- > 0;) {
    const Op& op = definition.ops[i];
    if (!is_needed[i] || op.kind == OpKind::kRead || op.kind == OpKind::kSelf)
      continue;
    for (int operand : op.operands) is_needed[operand] = true;
  }
  return is_needed;
}

// Where what is read comes in.
std::vector<bool> FollowsFromReads(const Definition& definition) {
  std::vector<bool> follows(definition.ops.size(), false);
  for (size_t i = 0; i < definition.ops.size(); ++i) {
    const Op& op = definition.ops[i];
    follows[i] =
        op.kind == OpKind::kRead || op.kind == OpKind::kSelf ||
        std::any_of(op.operands.begin(), op.operands.end(),
                    [&](int operand) -> bool { return follows[operand]; });
  }
  return follows;
}

// In additions. Constants are divided by with a product and shifts, others on
// no unit for vectors.
int64_t IntegerOperations(const Definition& definition, const Op& op) {
  constexpr int64_t kByConstant = 4, kByOther = 16;
  switch (op.kind) {
    case OpKind::kConstant:
    case OpKind::kAxis:
    case OpKind::kParameter:
    case OpKind::kRead:
    case OpKind::kSelf:
    case OpKind::kReinterpret:
      return 0;
    case OpKind::kDiv:
    case OpKind::kMod: {
      const Op& by = definition.ops[op.operands[1]];
      if (by.kind != OpKind::kConstant) return kByOther;
      return (by.value & (by.value - 1)) == 0 ? 1 : kByConstant;
    }
    default:
      return 1;
  }
}

// What an operation takes, in additions.
double Additions(const Definition& definition, const Op& op) {
  constexpr double kOfDivision = 8, kOfFunction = 20;
  OpCounts counts;
  Count(definition, op, counts);
  const int64_t functions = counts.float_math + counts.int_math;
  const int64_t divisions = counts.float_div + counts.int_div;
  return static_cast<double>(counts.Total() - functions - divisions) +
         kOfDivision * static_cast<double>(divisions) +
         kOfFunction * static_cast<double>(functions);
}

bool IsElementItself(const Op& op) {
  return op.kind == OpKind::kSelf && op.operands.empty();
}

}  // namespace

absl::Status CheckDefinition(const Definition& definition, int reads) {
  const auto error = [](const auto&... what) {
    return absl::InvalidArgumentError(absl::StrCat(what...));
  };
  const int size = static_cast<int>(definition.ops.size());
  for (int i = 0; i < size; ++i) {
    const Op& op = definition.ops[i];
    if (!IsKnown(op.kind))
      return error("operation ", i, " is of no known kind");
    if (Arity(op.kind).value_or(op.operands.size()) != op.operands.size()) {
      return error("operation ", i, " has ", op.operands.size(), " operands");
    }
    for (int operand : op.operands) {
      if (operand < 0 || operand >= i)
        return error("operation ", i, " uses ", operand,
                     ", which is not before it");
    }
    if (op.kind == OpKind::kRead && (op.access < 0 || op.access >= reads))
      return error("operation ", i, " reads nothing that is there");
  }
  for (const std::vector<int>* uses :
       {&definition.values, &definition.indices, &definition.conditions}) {
    for (int use : *uses) {
      if (use < 0 || use >= size) return error("there is no operation ", use);
    }
  }
  return absl::OkStatus();
}

OpCounts CountOps(const Definition& definition) {
  OpCounts counts;
  const std::vector<bool> is_needed = NeededByValues(definition);
  for (size_t i = 0; i < definition.ops.size(); ++i) {
    if (is_needed[i]) Count(definition, definition.ops[i], counts);
  }
  return counts;
}

IntegerWork CountIntegerWork(const Definition& definition) {
  IntegerWork work;
  const std::vector<bool> is_needed = NeededByValues(definition);
  const std::vector<bool> of_data = FollowsFromReads(definition);
  for (size_t i = 0; i < definition.ops.size(); ++i) {
    const Op& op = definition.ops[i];
    if (!is_needed[i] || !of_data[i] || op.operands.empty()) continue;
    const ElementType& from = definition.ops[op.operands.back()].type;
    const bool is_cast = op.kind == OpKind::kCast;
    if (is_cast ? from.IsFloat() && op.type.IsFloat() : from.IsFloat())
      continue;
    const int64_t operations = IntegerOperations(definition, op);
    work.operations += operations;
    work.bytes += operations *
                  std::max({1, from.bits / 8, is_cast ? op.type.bits / 8 : 0});
  }
  return work;
}

WorkByAxis WorkByAxisOf(const Definition& definition, int axes) {
  WorkByAxis work = {.varying = std::vector<double>(axes, 0)};
  const std::vector<bool> is_needed = NeededByValues(definition);
  std::vector<bool> varies(definition.ops.size());
  std::vector<double> additions(definition.ops.size(), 0);
  for (size_t i = 0; i < definition.ops.size(); ++i) {
    if (!is_needed[i]) continue;
    additions[i] = Additions(definition, definition.ops[i]);
    work.all += additions[i];
  }
  for (int axis = 0; axis < axes; ++axis) {
    for (size_t i = 0; i < definition.ops.size(); ++i) {
      const Op& op = definition.ops[i];
      varies[i] =
          op.kind == OpKind::kSelf ||
          (op.kind == OpKind::kAxis && op.value == axis) ||
          std::any_of(op.operands.begin(), op.operands.end(),
                      [&](int operand) -> bool { return varies[operand]; });
      if (varies[i]) work.varying[axis] += additions[i];
    }
  }
  return work;
}

absl::string_view ReductionKindName(ReductionKind kind) {
  constexpr absl::string_view kNames[] = {"none", "sum", "product",
                                          "min",  "max", "other"};
  return kNames[static_cast<int>(kind)];
}

ReductionKind ReductionKindOf(const Definition& update) {
  if (update.values.size() != 1) return ReductionKind::kOther;
  const Op& op = update.ops[update.values[0]];
  const bool combines =
      op.operands.size() == 2 &&
      std::any_of(op.operands.begin(), op.operands.end(), [&](int operand) {
        return IsElementItself(update.ops[operand]);
      });
  if (!combines) return ReductionKind::kOther;
  switch (op.kind) {
    case OpKind::kAdd:
      return ReductionKind::kSum;
    case OpKind::kMul:
      return ReductionKind::kProduct;
    case OpKind::kMin:
      return ReductionKind::kMin;
    case OpKind::kMax:
      return ReductionKind::kMax;
    default:
      return ReductionKind::kOther;
  }
}

}  // namespace pruner
