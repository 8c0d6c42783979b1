#include "halide_ext/analyze/analyze.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "halide_ext/analyze/index_expr.h"
#include "halide_ext/analyze/op_counter.h"
#include "halide_ext/analyze/regions.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

// Builds the stages one after the other.
class DagBuilder {
 public:
  explicit DagBuilder(const PipelineRegions& regions) : regions_(regions) {}

  void AddInput(const std::string& name) {
    Stage stage;
    stage.name = name;
    stage.kind = StageKind::kPlaceholder;
    stage.shape = Shape(name);
    stage.element_bytes = regions_.input_types.at(name).bytes();
    FuncBinding binding;
    binding.func = name;
    for (const auto& [loader, load] : regions_.aliases) {
      if (load->name != name) continue;
      for (size_t d = load->args.size(); d-- > 0;)
        binding.variables.push_back(load->args[d].as<Variable>()->name);
      break;
    }
    Add(std::move(stage), std::move(binding));
  }

  absl::Status AddFunction(const Function& function, bool is_output) {
    Stage stage;
    stage.name = function.name();
    stage.shape = Shape(function.name());
    stage.element_bytes = 0;
    for (const Halide::Type& type : function.output_types())
      stage.element_bytes += type.bytes();
    stage.is_output = is_output;
    stage.opaque = IsOpaque(function);
    FuncBinding binding;
    binding.func = function.name();
    stage.ordered = IsOrdered(function);
    AxisVariables variables;
    AddSpatialAxes(function, stage, binding, variables);
    if (!stage.opaque && function.has_update_definition()) {
      binding.update = 0;
      RETURN_IF_ERROR(AddReductionAxes(function, stage, binding, variables));
    }
    const std::vector<Definition> definitions = DefinitionsOf(function);
    for (size_t i = 0; i < definitions.size(); ++i) {
      const bool initialization = i == 0 && binding.update >= 0;
      AddReads(function, definitions[i], initialization, variables, stage);
    }
    if (!definitions.empty()) {
      for (const Expr& value : definitions.back().values())
        AddOps(CountOps(value), stage.ops);
    }
    Add(std::move(stage), std::move(binding));
    return absl::OkStatus();
  }

  std::vector<Stage> stages;
  std::vector<FuncBinding> bindings;

 private:
  // Computed as written: extern, several updates, or an update that is no
  // reduction over the whole Func.
  static bool IsOpaque(const Function& function) {
    if (function.has_extern_definition() || !function.has_pure_definition())
      return true;
    if (function.updates().size() > 1) return true;
    if (function.updates().empty()) return false;
    const Definition& update = function.update(0);
    if (!update.predicate().defined() || !is_const_one(update.predicate()))
      return true;
    for (int d = 0; d < function.dimensions(); ++d) {
      const auto* variable = update.args()[d].as<Variable>();
      if (variable == nullptr || variable->name != function.args()[d])
        return true;
    }
    return false;
  }

  // Whether its partial results cannot be combined, as far as Halide can prove.
  static bool IsOrdered(const Function& function) {
    if (!function.has_update_definition()) return false;
    const Definition& update = function.update(0);
    const AssociativeOp proof =
        prove_associativity(function.name(), update.args(), update.values());
    return !proof.associative() || !proof.commutative();
  }

  static void AddOps(const OpCounts& more, OpCounts& ops) {
    ops.float_add += more.float_add;
    ops.float_mul += more.float_mul;
    ops.float_div += more.float_div;
    ops.float_compare += more.float_compare;
    ops.float_math += more.float_math;
    ops.integer += more.integer;
    ops.select += more.select;
  }

  std::vector<int64_t> Shape(const std::string& name) const {
    std::vector<int64_t> shape;
    for (const Range& range : regions_.regions.at(name))
      shape.push_back(range.Extent());
    std::reverse(shape.begin(), shape.end());
    return shape;
  }

  void AddAxis(const std::string& variable, int64_t min, int64_t extent,
               AxisKind kind, Stage& stage, FuncBinding& binding,
               AxisVariables& variables) {
    const int axis = static_cast<int>(stage.axes.size());
    stage.axes.push_back({.name = absl::StrReplaceAll(variable, {{"$", ""}}),
                          .extent = extent,
                          .kind = kind});
    binding.variables.push_back(variable);
    variables[variable] = {.axis = axis, .min = min};
  }

  void AddSpatialAxes(const Function& function, Stage& stage,
                      FuncBinding& binding, AxisVariables& variables) {
    const Region& region = regions_.regions.at(function.name());
    for (int d = function.dimensions() - 1; d >= 0; --d) {
      AddAxis(function.args()[d], region[d].min, region[d].Extent(),
              AxisKind::kSpatial, stage, binding, variables);
    }
  }

  absl::Status AddReductionAxes(const Function& function, Stage& stage,
                                FuncBinding& binding,
                                AxisVariables& variables) {
    const std::vector<ReductionVariable>& rvars =
        function.update(0).schedule().rvars();
    for (size_t i = rvars.size(); i-- > 0;) {
      const std::optional<int64_t> min = as_const_int(simplify(rvars[i].min));
      const std::optional<int64_t> extent =
          as_const_int(simplify(rvars[i].extent));
      if (!min || !extent) {
        return absl::InvalidArgumentError(
            absl::StrCat("the reduction domain of '", function.name(),
                         "' is not constant in ", rvars[i].var));
      }
      AddAxis(rvars[i].var, *min, *extent, AxisKind::kReduction, stage, binding,
              variables);
    }
    return absl::OkStatus();
  }

  void AddReads(const Function& function, const Definition& definition,
                bool initialization, const AxisVariables& variables,
                Stage& stage) {
    for (const Expr& e : CallsOf(definition)) {
      const Call* call = e.as<Call>();
      if (call->name == function.name()) continue;
      const std::string& source = regions_.Resolve(*call);
      Access access{.stage = stage_of_.at(source),
                    .indices = {},
                    .by_initialization = initialization};
      const Region& region = regions_.regions.at(source);
      for (size_t d = call->args.size(); d-- > 0;) {
        access.indices.push_back(
            ToIndexExpr(call->args[d], variables, region[d].min));
      }
      if (std::find(stage.reads.begin(), stage.reads.end(), access) ==
          stage.reads.end()) {
        stage.reads.push_back(std::move(access));
      }
    }
  }

  void Add(Stage stage, FuncBinding binding) {
    stage_of_[stage.name] = static_cast<int>(stages.size());
    stages.push_back(std::move(stage));
    bindings.push_back(std::move(binding));
  }

  const PipelineRegions& regions_;
  std::map<std::string, int> stage_of_;
};

absl::StatusOr<AnalyzedPipeline> Analyze(const Halide::Pipeline& pipeline) {
  ASSIGN_OR_RETURN(const PipelineRegions regions, FindRegions(pipeline));
  std::set<std::string> outputs;
  for (const Halide::Func& func : pipeline.outputs())
    outputs.insert(func.name());
  DagBuilder builder(regions);
  for (const std::string& input : regions.inputs) builder.AddInput(input);
  for (const Function& function : regions.functions) {
    RETURN_IF_ERROR(
        builder.AddFunction(function, outputs.contains(function.name())));
  }
  ASSIGN_OR_RETURN(ComputeDag dag,
                   ComputeDag::Create(std::move(builder.stages)));
  return AnalyzedPipeline{.dag = std::move(dag),
                          .bindings = std::move(builder.bindings)};
}

}  // namespace

absl::StatusOr<AnalyzedPipeline> AnalyzePipeline(
    const Halide::Pipeline& pipeline) {
  try {
    return Analyze(pipeline);
  } catch (const Halide::Error& error) {
    return absl::InvalidArgumentError(absl::StrCat("Halide: ", error.what()));
  }
}

}  // namespace pruner
