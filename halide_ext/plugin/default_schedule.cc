#include "halide_ext/plugin/default_schedule.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/definitions.h"
#include "halide_ext/analyze/functions_of.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/author_schedules.h"
#include "halide_ext/build/mixed_products.h"

namespace pruner {
namespace {

using namespace Halide::Internal;

// Funcs that are read where only the data know: they need not have bounds.
class GatheredFuncs : public IRGraphVisitor {
 public:
  std::set<std::string> names;

 protected:
  using IRGraphVisitor::visit;
  void visit(const Call* op) override {
    if (op->call_type == Call::Halide &&
        std::any_of(op->args.begin(), op->args.end(), ReadsData))
      names.insert(op->name);
    IRGraphVisitor::visit(op);
  }
};

void Add(DirectiveKind kind, const std::string& func,
         std::vector<LoopName> loops, int64_t factor,
         std::vector<Directive>& directives) {
  Directive& directive = directives.emplace_back();
  directive.kind = kind;
  directive.func = func;
  directive.loops = std::move(loops);
  directive.factor = factor;
}

// `lanes`: of vectors; 1: none.
void ScheduleOutput(const Function& output, int lanes,
                    std::vector<Directive>& directives) {
  Add(DirectiveKind::kComputeRoot, output.name(), {}, 0, directives);
  if (!output.is_pure() || output.args().empty()) return;
  if (output.args().size() > 1) {
    Add(DirectiveKind::kParallel, output.name(),
        {{.name = output.args().back()}}, 0, directives);
  }
  if (lanes == 1) return;
  const std::string inner = output.args().front();
  const std::string vectors = absl::StrCat(inner, "_vectors");
  const std::string lane = absl::StrCat(inner, "_lanes");
  Add(DirectiveKind::kSplit, output.name(),
      {{.name = inner}, {.name = vectors}, {.name = lane}}, lanes, directives);
  Add(DirectiveKind::kVectorize, output.name(), {{.name = lane}}, 0,
      directives);
}

}  // namespace

std::vector<Directive> DefaultDirectives(const Halide::Pipeline& pipeline,
                                         const Halide::Target& target) {
  std::set<std::string> output_names;
  for (const Halide::Func& output : pipeline.outputs())
    output_names.insert(output.name());
  const std::map<std::string, Function> environment = FunctionsOf(pipeline);
  GatheredFuncs gathered;
  bool may_mix_products = false;
  for (const auto& [name, function] : environment) {
    function.accept(&gathered);
    may_mix_products |= MayMixProducts(function);
  }
  std::vector<Directive> directives;
  for (const auto& [name, function] : environment) {
    if (HasScheduledLoops(function)) continue;
    if (output_names.contains(name)) {
      const int lanes =
          may_mix_products
              ? 1
              : target.natural_vector_size(function.output_types()[0]);
      ScheduleOutput(function, lanes, directives);
    } else if (LoadOfInput(function) == nullptr &&
               !(function.is_pure() && gathered.names.contains(name))) {
      Add(DirectiveKind::kComputeRoot, name, {}, 0, directives);
    }
  }
  return directives;
}

}  // namespace pruner
