#include "halide_ext/analyze/body_builder.h"

#include <bit>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace pruner {

using Halide::Expr;
using namespace Halide::Internal;

// Makes an operation of one node, its operands first.
class OpVisitor : public IRVisitor {
 public:
  explicit OpVisitor(BodyBuilder& builder) : builder_(builder) {}

  int result = -1;

 protected:
  using IRVisitor::visit;

  void visit(const IntImm* op) override { Constant(op->type, op->value); }
  void visit(const UIntImm* op) override {
    Constant(op->type, static_cast<int64_t>(op->value));
  }
  void visit(const FloatImm* op) override {
    Constant(op->type, std::bit_cast<int64_t>(op->value));
  }
  void visit(const StringImm* op) override {
    Make(OpKind::kCall, op->type, {}, absl::StrCat("\"", op->value));
  }
  void visit(const Cast* op) override {
    Make(OpKind::kCast, op->type, {op->value});
  }
  void visit(const Reinterpret* op) override {
    Make(OpKind::kReinterpret, op->type, {op->value});
  }
  void visit(const Add* op) override { Binary(OpKind::kAdd, op); }
  void visit(const Sub* op) override { Binary(OpKind::kSub, op); }
  void visit(const Mul* op) override { Binary(OpKind::kMul, op); }
  void visit(const Div* op) override { Binary(OpKind::kDiv, op); }
  void visit(const Mod* op) override { Binary(OpKind::kMod, op); }
  void visit(const Min* op) override { Binary(OpKind::kMin, op); }
  void visit(const Max* op) override { Binary(OpKind::kMax, op); }
  void visit(const EQ* op) override { Binary(OpKind::kEqual, op); }
  void visit(const NE* op) override { Binary(OpKind::kNotEqual, op); }
  void visit(const LT* op) override { Binary(OpKind::kLess, op); }
  void visit(const LE* op) override { Binary(OpKind::kLessEqual, op); }
  void visit(const GT* op) override {
    Make(OpKind::kLess, op->type, {op->b, op->a});
  }
  void visit(const GE* op) override {
    Make(OpKind::kLessEqual, op->type, {op->b, op->a});
  }
  void visit(const And* op) override { Binary(OpKind::kAnd, op); }
  void visit(const Or* op) override { Binary(OpKind::kOr, op); }
  void visit(const Not* op) override { Make(OpKind::kNot, op->type, {op->a}); }
  void visit(const Select* op) override {
    Make(OpKind::kSelect, op->type,
         {op->condition, op->true_value, op->false_value});
  }
  void visit(const Call* op) override { result = builder_.AddCall(*op); }
  void visit(const Let* op) override {
    const int value = builder_.Add(op->value);
    auto [let, is_new] = builder_.lets_.emplace(op->name, value);
    const int hidden = std::exchange(let->second, value);
    result = builder_.Add(op->body);
    if (is_new) {
      builder_.lets_.erase(op->name);
    } else {
      builder_.lets_[op->name] = hidden;
    }
  }

  void visit(const Variable* op) override {
    if (const auto let = builder_.lets_.find(op->name);
        let != builder_.lets_.end()) {
      result = let->second;
      return;
    }
    const ElementType type = ToElementType(op->type);
    const auto axis = builder_.variables_.find(op->name);
    if (axis == builder_.variables_.end()) {
      const auto number = static_cast<int>(builder_.parameters_.size());
      const auto parameter = builder_.parameters_.emplace(op->name, number);
      result = builder_.Intern({.kind = OpKind::kParameter,
                                .type = type,
                                .value = parameter.first->second});
      return;
    }
    Op value = {
        .kind = OpKind::kAxis, .type = type, .value = axis->second.axis};
    if (axis->second.min != 0)
      value.operands = {builder_.AddConstant(type, axis->second.min)};
    result = builder_.Intern(std::move(value));
  }

 private:
  void Constant(const Halide::Type& type, int64_t value) {
    result = builder_.AddConstant(ToElementType(type), value);
  }

  void Make(OpKind kind, const Halide::Type& type,
            const std::vector<Expr>& operands, std::string function = "") {
    Op op = {.kind = kind, .type = ToElementType(type)};
    op.function = std::move(function);
    for (const Expr& operand : operands)
      op.operands.push_back(builder_.Add(operand));
    result = builder_.Intern(std::move(op));
  }

  template <typename Node>
  void Binary(OpKind kind, const Node* op) {
    Make(kind, op->type, {op->a, op->b});
  }

  BodyBuilder& builder_;
};

namespace {

std::string Text(const Expr& e) {
  std::ostringstream text;
  text << e;
  return text.str();
}

}  // namespace

ElementType ToElementType(const Halide::Type& type) {
  if (type.is_bfloat()) return {TypeCode::kBFloat, type.bits()};
  if (type.is_float()) return {TypeCode::kFloat, type.bits()};
  // Handles (of strings, of extern functions) are numbers as good as others.
  if (type.is_int()) return {TypeCode::kInt, type.bits()};
  return {TypeCode::kUInt, type.bits()};
}

BodyBuilder::BodyBuilder(const std::string& self,
                         const std::vector<int64_t>& self_mins,
                         const AxisVariables& variables,
                         std::function<ReadSite(const Call&)> site_of)
    : self_(self),
      self_mins_(self_mins),
      variables_(variables),
      site_of_(std::move(site_of)) {}

int BodyBuilder::Add(const Expr& e) {
  // What a let is bound to depends on where it stands.
  if (lets_.empty()) {
    if (const auto done = done_.find(e.get()); done != done_.end())
      return done->second;
  }
  OpVisitor visitor(*this);
  e.accept(&visitor);
  if (visitor.result < 0) {
    // Nodes that only lowering makes; whoever writes one gets its text.
    visitor.result = Intern({.kind = OpKind::kCall,
                             .type = ToElementType(e.type()),
                             .function = absl::StrCat("?", Text(e))});
  }
  if (lets_.empty()) done_.emplace(e.get(), visitor.result);
  return visitor.result;
}

int BodyBuilder::AddIndex(const Expr& e, int64_t min) {
  const int index = Add(e);
  if (min == 0) return index;
  const ElementType type = definition.ops[index].type;
  const int offset = AddConstant(type, min);
  return Intern(
      {.kind = OpKind::kSub, .type = type, .operands = {index, offset}});
}

int BodyBuilder::AddWholeRead(ElementType type, int access) {
  return Intern({.kind = OpKind::kRead, .type = type, .access = access});
}

int BodyBuilder::AddConstant(ElementType type, int64_t value) {
  return Intern({.kind = OpKind::kConstant, .type = type, .value = value});
}

int BodyBuilder::AddCall(const Call& call) {
  Op op = {.type = ToElementType(call.type)};
  if (call.call_type != Call::Halide && call.call_type != Call::Image) {
    op.kind = OpKind::kCall;
    op.function = call.name;
    for (const Expr& argument : call.args) op.operands.push_back(Add(argument));
    return Intern(std::move(op));
  }
  op.value = call.value_index;
  const bool is_self = call.call_type == Call::Halide && call.name == self_;
  ReadSite site;
  if (!is_self) site = site_of_(call);
  const std::vector<int64_t>& mins = is_self ? self_mins_ : site.mins;
  for (size_t d = call.args.size(); d-- > 0;)
    op.operands.push_back(AddIndex(call.args[d], mins[d]));
  if (!is_self) {
    op.kind = OpKind::kRead;
    op.access = site.access;
    return Intern(std::move(op));
  }
  op.kind = OpKind::kSelf;
  bool is_element_itself = true;
  for (size_t d = 0; d < call.args.size(); ++d) {
    const auto* variable = call.args[d].as<Variable>();
    const auto axis = variable == nullptr ? variables_.end()
                                          : variables_.find(variable->name);
    is_element_itself =
        is_element_itself && axis != variables_.end() &&
        axis->second.axis == static_cast<int>(call.args.size() - 1 - d);
  }
  if (is_element_itself) op.operands.clear();
  return Intern(std::move(op));
}

int BodyBuilder::Intern(Op op) {
  const std::string text = absl::StrCat(
      static_cast<int>(op.kind), " ", ToString(op.type), " ", op.value, " ",
      op.access, " ", absl::StrJoin(op.operands, ","), " ", op.function);
  const auto [known, is_new] =
      interned_.emplace(text, static_cast<int>(definition.ops.size()));
  if (is_new) definition.ops.push_back(std::move(op));
  return known->second;
}

}  // namespace pruner
