#include "halide_ext/build/integer_code.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Type;
using Halide::Internal::Call;
using NodeType = Halide::Internal::IRNodeType;

// The two operands of a binary operator.
template <typename T>
std::vector<Expr> Operands(const Expr& e) {
  return {e.as<T>()->a, e.as<T>()->b};
}

// None where `e` is no operator.
std::vector<Expr> OperandsOf(const Expr& e) {
  namespace hi = Halide::Internal;
  switch (e.node_type()) {
    case NodeType::Add:
      return Operands<hi::Add>(e);
    case NodeType::Sub:
      return Operands<hi::Sub>(e);
    case NodeType::Mul:
      return Operands<hi::Mul>(e);
    case NodeType::Div:
      return Operands<hi::Div>(e);
    case NodeType::Mod:
      return Operands<hi::Mod>(e);
    case NodeType::Min:
      return Operands<hi::Min>(e);
    case NodeType::Max:
      return Operands<hi::Max>(e);
    case NodeType::EQ:
      return Operands<hi::EQ>(e);
    case NodeType::NE:
      return Operands<hi::NE>(e);
    case NodeType::LT:
      return Operands<hi::LT>(e);
    case NodeType::LE:
      return Operands<hi::LE>(e);
    case NodeType::GT:
      return Operands<hi::GT>(e);
    case NodeType::GE:
      return Operands<hi::GE>(e);
    case NodeType::And:
      return Operands<hi::And>(e);
    case NodeType::Or:
      return Operands<hi::Or>(e);
    case NodeType::Not:
      return {e.as<hi::Not>()->a};
    case NodeType::Select:
      return {e.as<hi::Select>()->condition, e.as<hi::Select>()->true_value,
              e.as<hi::Select>()->false_value};
    default:
      return {};
  }
}

bool IsUsualFloat(Type type) {
  return type.code() == Type::Float && type.bits() >= 32;
}

// Floats hold whole numbers, as bounds of what becomes an index do.
bool HoldsIntegers(Type type) {
  return type.is_scalar() &&
         (type.is_int() || type.is_uint() || IsUsualFloat(type));
}

// The integer of the type, or whole number of a float's, that arithmetic comes
// to; none where a float would round it.
MaybeInt ValueOf(int64_t value, Type type) {
  if (type.is_float()) {
    const int64_t most = int64_t{1} << (type.bits() == 32 ? 24 : 53);
    return std::abs(value) <= most ? MaybeInt(value) : std::nullopt;
  }
  if (type.bits() >= 64) return value;
  const uint64_t mask = (uint64_t{1} << type.bits()) - 1;
  const uint64_t low = static_cast<uint64_t>(value) & mask;
  const bool negative = type.is_int() && (low >> (type.bits() - 1)) != 0;
  return static_cast<int64_t>(negative ? low | ~mask : low);
}

MaybeInt WholeNumber(double value, Type type) {
  constexpr double kMost = int64_t{1} << 53;
  if (!(std::abs(value) <= kMost) || value != std::floor(value))
    return std::nullopt;
  return ValueOf(static_cast<int64_t>(value), type);
}

}  // namespace

int IntegerCode::Bind(const std::string& name) {
  bound_[name].push_back(static_cast<int>(slots_.size()));
  slots_.emplace_back();
  return static_cast<int>(slots_.size()) - 1;
}

void IntegerCode::Unbind(const std::string& name) { bound_[name].pop_back(); }

int IntegerCode::Add(const Node& node) {
  nodes_.push_back(node);
  return static_cast<int>(nodes_.size()) - 1;
}

int IntegerCode::CompileLet(const Halide::Internal::Let& let,
                            std::set<int>& reads) {
  Node node = {.kind = Kind::kLet};
  node.args[0] = Compile(let.value, reads);
  node.constant = Bind(let.name);
  std::set<int> in_body;
  node.args[1] = Compile(let.body, in_body);
  Unbind(let.name);
  in_body.erase(static_cast<int>(node.constant));
  reads.insert(in_body.begin(), in_body.end());
  return Add(node);
}

int IntegerCode::CompileCall(const Call& call, std::set<int>& reads) {
  Node node = {.kind = Kind::kCall, .type = call.type};
  if (call.is_intrinsic({Call::likely, Call::likely_if_innermost,
                         Call::promise_clamped,
                         Call::unsafe_promise_clamped})) {
    return Compile(call.args[0], reads);
  }
  if (call.is_intrinsic(Call::if_then_else) && call.args.size() == 3) {
    return Compile(Halide::Internal::Select::make(call.args[0], call.args[1],
                                                  call.args[2]),
                   reads);
  }
  for (const auto op :
       {Call::abs, Call::absd, Call::shift_left, Call::shift_right,
        Call::bitwise_and, Call::bitwise_or, Call::bitwise_xor,
        Call::bitwise_not, Call::div_round_to_zero, Call::mod_round_to_zero}) {
    if (!call.is_intrinsic(op)) continue;
    node.call = op;
    for (size_t i = 0; i < call.args.size(); ++i)
      node.args[i] = Compile(call.args[i], reads);
    return Add(node);
  }
  return Add({});
}

int IntegerCode::Compile(const Expr& expr, std::set<int>& reads) {
  namespace hi = Halide::Internal;
  if (!HoldsIntegers(expr.type())) return Add({});
  Node node = {.type = expr.type()};
  if (const auto* imm = expr.as<hi::IntImm>()) {
    node.kind = Kind::kConstant;
    node.constant = imm->value;
  } else if (const auto* imm = expr.as<hi::UIntImm>()) {
    node.kind = Kind::kConstant;
    node.constant = static_cast<int64_t>(imm->value);
  } else if (const auto* imm = expr.as<hi::FloatImm>()) {
    const MaybeInt whole = WholeNumber(imm->value, expr.type());
    if (!whole.has_value()) return Add({});
    node.kind = Kind::kConstant;
    node.constant = *whole;
  } else if (const auto* variable = expr.as<hi::Variable>()) {
    const auto found = bound_.find(variable->name);
    if (found != bound_.end() && !found->second.empty()) {
      node.kind = Kind::kSlot;
      node.constant = found->second.back();
      reads.insert(found->second.back());
    }
  } else if (const auto* let = expr.as<hi::Let>()) {
    return CompileLet(*let, reads);
  } else if (const auto* call = expr.as<Call>()) {
    return CompileCall(*call, reads);
  } else if (const auto* cast = expr.as<hi::Cast>()) {
    node.kind = Kind::kCast;
    node.args[0] = Compile(cast->value, reads);
  } else if (const std::vector<Expr> operands = OperandsOf(expr);
             !operands.empty()) {
    node.kind = Kind::kOperator;
    node.op = expr.node_type();
    for (size_t i = 0; i < operands.size(); ++i)
      node.args[i] = Compile(operands[i], reads);
  }
  return Add(node);
}

MaybeInt IntegerCode::EvaluateOperator(const Node& node) {
  const MaybeInt a = Evaluate(node.args[0]);
  switch (node.op) {
    case NodeType::Select:
      if (a.has_value()) return Evaluate(node.args[*a != 0 ? 1 : 2]);
      if (const MaybeInt b = Evaluate(node.args[1]);
          b == Evaluate(node.args[2])) {
        return b;
      }
      return std::nullopt;
    case NodeType::Not:
      if (!a.has_value()) return a;
      return *a == 0;
    default:
      break;
  }
  // These are decided by one side.
  if (node.op == NodeType::And && a == 0) return 0;
  if (node.op == NodeType::Or && a == 1) return 1;
  const MaybeInt b = Evaluate(node.args[1]);
  if (node.op == NodeType::And && b == 0) return 0;
  if (node.op == NodeType::Or && b == 1) return 1;
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  // Signed arithmetic does not overflow in Halide, unsigned wraps.
  switch (node.op) {
    case NodeType::Add:
      return ValueOf(*a + *b, node.type);
    case NodeType::Sub:
      return ValueOf(*a - *b, node.type);
    case NodeType::Mul:
      return ValueOf(*a * *b, node.type);
    case NodeType::Div:
      if (node.type.is_float()) return std::nullopt;
      return Halide::Internal::div_imp(*a, *b);
    case NodeType::Mod:
      if (node.type.is_float()) return std::nullopt;
      return Halide::Internal::mod_imp(*a, *b);
    case NodeType::Min:
      return std::min(*a, *b);
    case NodeType::Max:
      return std::max(*a, *b);
    case NodeType::EQ:
      return *a == *b;
    case NodeType::NE:
      return *a != *b;
    case NodeType::LT:
      return *a < *b;
    case NodeType::LE:
      return *a <= *b;
    case NodeType::GT:
      return *a > *b;
    case NodeType::GE:
      return *a >= *b;
    case NodeType::And:
      return (*a & *b);
    case NodeType::Or:
      return (*a | *b);
    default:
      return std::nullopt;
  }
}

MaybeInt IntegerCode::Evaluate(int id) {
  const Node& node = nodes_[id];
  switch (node.kind) {
    case Kind::kUnknown:
      return std::nullopt;
    case Kind::kConstant:
      return node.constant;
    case Kind::kSlot:
      return slots_[node.constant];
    case Kind::kLet:
      slots_[node.constant] = Evaluate(node.args[0]);
      return Evaluate(node.args[1]);
    case Kind::kCast: {
      const MaybeInt value = Evaluate(node.args[0]);
      if (!value.has_value()) return value;
      return ValueOf(*value, node.type);
    }
    case Kind::kOperator:
      return EvaluateOperator(node);
    case Kind::kCall:
      break;
  }
  const MaybeInt a = Evaluate(node.args[0]);
  const MaybeInt b = node.args[1] < 0 ? MaybeInt(0) : Evaluate(node.args[1]);
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  const bool is_shift =
      node.call == Call::shift_left || node.call == Call::shift_right;
  if (is_shift && (*b < 0 || *b > 62)) return std::nullopt;
  switch (node.call) {
    case Call::abs:
      return *a < 0 ? -*a : *a;
    case Call::absd:
      return std::max(*a, *b) - std::min(*a, *b);
    case Call::shift_left:
      return ValueOf(*a * (int64_t{1} << *b), node.type);
    case Call::shift_right:
      return *a >> *b;
    case Call::bitwise_and:
      return *a & *b;
    case Call::bitwise_or:
      return *a | *b;
    case Call::bitwise_xor:
      return *a ^ *b;
    case Call::bitwise_not:
      return ValueOf(~*a, node.type);
    case Call::div_round_to_zero:
      return *b == 0 ? 0 : *a / *b;
    case Call::mod_round_to_zero:
      return *b == 0 ? 0 : *a % *b;
    default:
      return std::nullopt;
  }
}

}  // namespace pruner
