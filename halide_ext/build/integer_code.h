// Expressions of Halide's whose values are whole numbers, floats among them,
// compiled to be evaluated over and over.
#ifndef HALIDE_EXT_BUILD_INTEGER_CODE_H_
#define HALIDE_EXT_BUILD_INTEGER_CODE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

// None: what a tensor holds, what comes with a buffer, what is no whole number.
using MaybeInt = std::optional<int64_t>;

// Variables are bound to slots, those bound further in over those further out.
class IntegerCode {
 public:
  // A slot of its own for the variable, until Unbind.
  int Bind(const std::string& name);
  void Unbind(const std::string& name);

  // An id for Evaluate; the slots that the expression reads are added to
  // `reads`.
  int Compile(const Halide::Expr& expr, std::set<int>& reads);

  MaybeInt Evaluate(int id);
  MaybeInt& slot(int slot) { return slots_[slot]; }

 private:
  using NodeType = Halide::Internal::IRNodeType;

  enum class Kind { kUnknown, kConstant, kSlot, kLet, kOperator, kCall, kCast };

  struct Node {
    Kind kind = Kind::kUnknown;
    NodeType op = NodeType::IntImm;  // of kOperator
    Halide::Internal::Call::IntrinsicOp call =
        Halide::Internal::Call::IntrinsicOpCount;
    int64_t constant = 0;  // or the slot
    int args[3] = {-1, -1, -1};
    Halide::Type type = {};
  };

  int Add(const Node& node);
  int CompileCall(const Halide::Internal::Call& call, std::set<int>& reads);
  int CompileLet(const Halide::Internal::Let& let, std::set<int>& reads);
  MaybeInt EvaluateOperator(const Node& node);

  std::vector<Node> nodes_;
  std::vector<MaybeInt> slots_;
  std::map<std::string, std::vector<int>> bound_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_INTEGER_CODE_H_
