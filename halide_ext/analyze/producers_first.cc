#include "halide_ext/analyze/producers_first.h"

#include <set>

namespace pruner {
namespace {

using namespace Halide::Internal;

// Names of the Funcs that are called, in the order in which they are met first.
class CallOrder : public IRGraphVisitor {
 public:
  std::vector<std::string> names;

 protected:
  using IRGraphVisitor::visit;
  void visit(const Call* op) override {
    IRGraphVisitor::visit(op);
    if (op->call_type == Call::Halide) names.push_back(op->name);
  }
};

std::vector<std::string> CalledBy(const Function& function) {
  CallOrder calls;
  function.accept(&calls);
  for (const Halide::ExternFuncArgument& argument :
       function.extern_arguments()) {
    if (argument.is_func())
      calls.names.push_back(Function(argument.func).name());
  }
  return calls.names;
}

class Sorter {
 public:
  explicit Sorter(const std::map<std::string, Function>& environment)
      : environment_(environment) {}

  std::vector<std::string> order;

  void Visit(const std::string& name) {
    if (!visited_.insert(name).second) return;
    for (const std::string& called : CalledBy(environment_.at(name)))
      Visit(called);
    order.push_back(name);
  }

 private:
  const std::map<std::string, Function>& environment_;
  std::set<std::string> visited_;
};

}  // namespace

std::vector<std::string> ProducersFirst(
    const std::vector<Function>& outputs,
    const std::map<std::string, Function>& environment) {
  Sorter sorter(environment);
  for (const Function& output : outputs) sorter.Visit(output.name());
  return sorter.order;
}

}  // namespace pruner
