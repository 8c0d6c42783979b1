#include "halide_ext/analyze/analyze.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "halide_ext/analyze/body_builder.h"
#include "halide_ext/analyze/extensible.h"
#include "halide_ext/analyze/index_expr.h"
#include "halide_ext/analyze/lost_reads.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/analyze/selecting_variables.h"
#include "halide_ext/analyze/stage_reads.h"
#include "pruner/base/hash.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

// Builds the stages one after the other.
class DagBuilder {
 public:
  DagBuilder(const PipelineRegions& regions, Sizes sizes,
             const AuthorSchedules& scheduled)
      : regions_(regions), sizes_(sizes), scheduled_(scheduled) {}

  void AddInput(const std::string& name) {
    Stage stage;
    stage.name = name;
    stage.kind = StageKind::kPlaceholder;
    stage.shape = Shape(name);
    stage.types = {ToElementType(regions_.input_types.at(name))};
    if (const auto image = regions_.images.find(name);
        image != regions_.images.end()) {
      stage.contents = ContentsOf(image->second);
    }
    stage.sizes_are_known = sizes_ == Sizes::kExact;
    FuncBinding binding;
    binding.func = name;
    AddRegion(name, stage, binding);
    // Without a Func that loads it, no schedule can copy it. Nor do we know yet
    // how to copy what may be of any size.
    stage.opaque = true;
    for (const auto& [loader, load] : regions_.aliases) {
      if (load->name != name || sizes_ == Sizes::kEstimates) continue;
      stage.opaque = false;
      for (size_t d = load->args.size(); d-- > 0;)
        binding.variables.push_back(load->args[d].as<Variable>()->name);
      break;
    }
    Add(std::move(stage), std::move(binding));
  }

  void AddFunction(const Function& function, bool is_output) {
    const std::string& name = function.name();
    const std::vector<ResolvedDefinition>& definitions =
        regions_.definitions.at(name);
    Stage stage;
    stage.name = name;
    stage.shape = Shape(name);
    stage.types.clear();
    for (const Halide::Type& type : function.output_types())
      stage.types.push_back(ToElementType(type));
    stage.is_output = is_output || regions_.read_by_extern.contains(name);
    stage.ordered = IsOrdered(function);
    FuncBinding binding;
    binding.func = name;
    binding.loses_reads = LosesReads(function);
    AddExtensible(function, definitions, binding);
    if (const auto schedule = scheduled_.find(name);
        schedule != scheduled_.end()) {
      stage.author_schedule = schedule->second;
      binding.is_scheduled = true;
    }
    const std::string why = binding.is_scheduled
                                ? absl::StrCat("'", name,
                                               "' stays scheduled "
                                               "as it is")
                                : WhyOpaque(function, definitions);
    stage.opaque = !why.empty();
    if (stage.opaque) notes.push_back(why);
    stage.sizes_are_known = !regions_.guessed.contains(name);
    AddRegion(name, stage, binding);
    AxisVariables variables;
    AddSpatialAxes(function, stage, binding, variables);
    if (!stage.opaque && function.has_update_definition()) {
      binding.update = 0;
      AddReductionAxes(definitions.back(), stage, binding, variables);
    }
    StageReads reads(regions_, stage_of_, stage);
    for (const ResolvedDefinition& definition : definitions) {
      const bool initialization = definition.update < 0 && binding.update >= 0;
      reads.Add(function, definition, initialization, variables);
      stage.definitions.push_back(
          BodyOf(function, definition, stage, variables, reads));
      if (!stage.opaque) continue;
      SayHowItIsWritten(definition, stage.definitions.back());
      std::vector<std::string>& own = binding.own_variables.emplace_back();
      for (const ReductionVariable& r : definition.rvars) own.push_back(r.var);
    }
    if (function.has_extern_definition()) AddExtern(function, reads, stage);
    stage.has_parts =
        stage.opaque && stage.author_schedule == 0 && HasParts(stage);
    if (!stage.definitions.empty())
      stage.ops = CountOps(stage.definitions.back());
    if (!stage.opaque && stage.HasReduction())
      stage.reduction = ReductionKindOf(stage.definitions.back());
    if (!stage.opaque && !stage.HasReduction())
      MarkSelectingAxes(definitions.back(), variables, stage);
    Add(std::move(stage), std::move(binding));
  }

  std::vector<Stage> stages;
  std::vector<FuncBinding> bindings;
  std::vector<std::string> notes;

 private:
  void AddRegion(const std::string& name, Stage& stage,
                 FuncBinding& binding) const {
    const Region& region = regions_.regions.at(name);
    for (size_t d = region.size(); d-- > 0;)
      binding.mins.push_back(region[d].min);
    const auto found = regions_.read_in_part.find(name);
    if (found == regions_.read_in_part.end()) return;
    for (size_t d = region.size(); d-- > 0;)
      stage.read_in_part.push_back(found->second.contains(static_cast<int>(d)));
  }

  void AddExtensible(const Function& function,
                     const std::vector<ResolvedDefinition>& definitions,
                     FuncBinding& binding) {
    std::set<std::string> periodic;
    if (!definitions.empty())
      periodic = PeriodicVariables(definitions[0].values);
    for (int d = function.dimensions(); d-- > 0;) {
      binding.extensible.push_back(!periodic.contains(function.args()[d]) &&
                                   extensible_.Contains(function, d));
    }
  }

  // Why the Func is computed as written; empty if its loops may be tiled and
  // reordered.
  static std::string WhyOpaque(
      const Function& function,
      const std::vector<ResolvedDefinition>& definitions) {
    const std::string& name = function.name();
    if (function.has_extern_definition() || !function.has_pure_definition()) {
      return absl::StrCat(
          "'", name,
          "' is an extern stage, whose loops nobody sees: it and "
          "what it reads are computed at the root; define it as a Func to have "
          "it tuned");
    }
    constexpr absl::string_view kAsWritten =
        ": it is computed as written, in parallel and in vectors only along "
        "dimensions that are independent of each other; ";
    if (definitions.size() > 2) {
      return absl::StrCat("'", name, "' has ", definitions.size() - 1,
                          " updates", kAsWritten,
                          "make each a Func of its own to have them tuned");
    }
    if (definitions.size() < 2) return "";
    const ResolvedDefinition& update = definitions[1];
    if (update.predicate.defined()) {
      return absl::StrCat("the update of '", name, "' has a predicate",
                          kAsWritten,
                          "put the condition into the value with select() to "
                          "have it tuned");
    }
    const bool is_fixed = update.exact_domain.empty() &&
                          !(update.domain_is_estimated && IsOrdered(function));
    if (!is_fixed) {
      return absl::StrCat("the reduction domain of '", name,
                          "' is not constant", kAsWritten,
                          "give the sizes that it depends on bounds to have it "
                          "tuned");
    }
    for (int d = 0; d < function.dimensions(); ++d) {
      if (update.independent[d]) continue;
      return absl::StrCat("the update of '", name,
                          "' is no reduction over all of it (see '",
                          function.args()[d], "')", kAsWritten,
                          "a definition without an update, or one that updates "
                          "each element by itself, is tuned");
    }
    return "";
  }

  static void SayHowItIsWritten(const ResolvedDefinition& resolved,
                                Definition& definition) {
    definition.independent.assign(resolved.independent.rbegin(),
                                  resolved.independent.rend());
    definition.is_predicated = resolved.predicate.defined();
    for (size_t d = resolved.region.size(); d-- > 0;) {
      const auto& [min, max] = resolved.region[d];
      definition.covered.push_back(max - min + 1);
    }
  }

  // Whether each dimension is independent in all definitions, or taken whole by
  // one of them. Nobody sees the definition of an extern stage.
  bool HasParts(const Stage& stage) const {
    if (!stage.extern_function.empty()) return false;
    const auto found = regions_.taken_whole.find(stage.name);
    for (int axis = 0; axis < stage.SpatialRank(); ++axis) {
      const bool is_whole =
          found != regions_.taken_whole.end() &&
          found->second.contains(stage.SpatialRank() - 1 - axis);
      if (!is_whole && !stage.IsIndependent(axis)) return false;
    }
    return true;
  }

  // Whether its partial results cannot be combined, as far as Halide can prove.
  static bool IsOrdered(const Function& function) {
    if (!function.has_update_definition()) return false;
    const Halide::Internal::Definition& update = function.update(0);
    const AssociativeOp proof =
        prove_associativity(function.name(), update.args(), update.values());
    return !proof.associative() || !proof.commutative();
  }

  // More copies of the body than this are not worth what they save.
  static constexpr int64_t kMaxSelected = 64;

  static void MarkSelectingAxes(const ResolvedDefinition& definition,
                                const AxisVariables& variables, Stage& stage) {
    std::vector<int> selecting;
    int64_t copies = 1;
    for (const std::string& name : SelectingVariables(definition.values)) {
      const auto variable = variables.find(name);
      if (variable == variables.end()) return;
      const int axis = variable->second.axis;
      if (stage.axes[axis].extent > kMaxSelected) return;
      selecting.push_back(axis);
      copies *= stage.axes[axis].extent;
    }
    if (copies > kMaxSelected) return;
    for (int axis : selecting) stage.axes[axis].selects = true;
  }

  // A hash of the table's elements as they would lie dense in memory.
  static uint64_t ContentsOf(const Halide::Buffer<>& table) {
    std::vector<int> mins, extents;
    for (int d = 0; d < table.dimensions(); ++d) {
      mins.push_back(table.dim(d).min());
      extents.push_back(table.dim(d).extent());
    }
    Halide::Runtime::Buffer<> dense(table.type(), extents);
    dense.set_min(mins);
    dense.copy_from(*table.get());
    return Fingerprint(
        absl::string_view(static_cast<const char*>(dense.data()),
                          dense.number_of_elements() * dense.type().bytes()));
  }

  std::vector<int64_t> Mins(const std::string& name) const {
    std::vector<int64_t> mins;
    for (const Range& range : regions_.regions.at(name))
      mins.push_back(range.min);
    return mins;
  }

  // Of a stage that is computed as written, the reduction variables are the
  // definition's own.
  Definition BodyOf(const Function& function,
                    const ResolvedDefinition& definition, const Stage& stage,
                    AxisVariables variables, const StageReads& reads) const {
    const std::string& name = function.name();
    const std::vector<int64_t> mins = Mins(name);
    std::vector<int64_t> extents;
    for (const ReductionVariable& r : definition.rvars) {
      if (!stage.opaque) break;
      const int axis = stage.SpatialRank() + static_cast<int>(extents.size());
      variables[r.var] = {.axis = axis,
                          .min = *as_const_int(simplify(r.min)),
                          .is_reduction = true};
      extents.push_back(*as_const_int(simplify(r.extent)));
    }
    BodyBuilder body(name, mins, variables,
                     [&](const Call& call) { return reads.SiteOf(call); });
    std::vector<int> values;
    for (const Expr& value : definition.values)
      values.push_back(body.Add(value));
    std::vector<int> indices;
    for (size_t d = definition.args.size(); stage.opaque && d-- > 0;)
      indices.push_back(body.AddIndex(definition.args[d], mins[d]));
    std::vector<int> conditions;
    for (const Expr& condition : definition.Conditions())
      conditions.push_back(body.Add(condition));
    body.definition.values = std::move(values);
    body.definition.indices = std::move(indices);
    body.definition.conditions = std::move(conditions);
    body.definition.extents = std::move(extents);
    return std::move(body.definition);
  }

  // What an extern stage is given.
  void AddExtern(const Function& function, StageReads& reads, Stage& stage) {
    stage.extern_function = function.extern_function_name();
    const std::vector<int64_t> no_mins;
    const AxisVariables no_variables;
    BodyBuilder body(function.name(), no_mins, no_variables,
                     [](const Call&) { return ReadSite(); });
    std::vector<int> values;
    for (const Halide::ExternFuncArgument& argument :
         function.extern_arguments()) {
      const int access = reads.AddExtern(argument, stages);
      if (access >= 0) {
        const Stage& source = stages[stage.reads[access].stage];
        values.push_back(body.AddWholeRead(source.types[0], access));
      } else if (argument.is_expr()) {
        values.push_back(body.Add(argument.expr));
      }
    }
    body.definition.values = std::move(values);
    stage.definitions = {std::move(body.definition)};
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
    variables[variable] = {
        .axis = axis, .min = min, .is_reduction = kind == AxisKind::kReduction};
  }

  void AddSpatialAxes(const Function& function, Stage& stage,
                      FuncBinding& binding, AxisVariables& variables) {
    const Region& region = regions_.regions.at(function.name());
    for (int d = function.dimensions() - 1; d >= 0; --d) {
      AddAxis(function.args()[d], region[d].min, region[d].Extent(),
              AxisKind::kSpatial, stage, binding, variables);
    }
  }

  void AddReductionAxes(const ResolvedDefinition& update, Stage& stage,
                        FuncBinding& binding, AxisVariables& variables) {
    for (size_t i = update.rvars.size(); i-- > 0;) {
      const ReductionVariable& r = update.rvars[i];
      AddAxis(r.var, *as_const_int(simplify(r.min)),
              *as_const_int(simplify(r.extent)), AxisKind::kReduction, stage,
              binding, variables);
    }
  }

  void Add(Stage stage, FuncBinding binding) {
    stage_of_[stage.name] = static_cast<int>(stages.size());
    stages.push_back(std::move(stage));
    bindings.push_back(std::move(binding));
  }

  const PipelineRegions& regions_;
  ExtensibleDimensions extensible_{regions_};
  const Sizes sizes_;
  const AuthorSchedules& scheduled_;
  std::map<std::string, int> stage_of_;
};

absl::StatusOr<AnalyzedPipeline> Analyze(const Halide::Pipeline& pipeline,
                                         Sizes sizes,
                                         const AuthorSchedules& scheduled) {
  ASSIGN_OR_RETURN(PipelineRegions regions, FindRegions(pipeline, sizes));
  std::set<std::string> outputs;
  for (const Halide::Func& func : pipeline.outputs())
    outputs.insert(func.name());
  DagBuilder builder(regions, sizes, scheduled);
  for (const std::string& input : regions.inputs) builder.AddInput(input);
  for (const Function& function : regions.functions) {
    builder.AddFunction(function, outputs.contains(function.name()));
  }
  std::vector<std::string> notes = regions.notes;
  for (const Function& function : regions.inlined) {
    notes.push_back(absl::StrCat(
        "'", function.name(),
        "' is read at an index without known bounds and computed wherever it "
        "is read: clamp the index to have it tuned"));
  }
  notes.insert(notes.end(), builder.notes.begin(), builder.notes.end());
  ASSIGN_OR_RETURN(ComputeDag dag,
                   ComputeDag::Create(std::move(builder.stages)));
  return AnalyzedPipeline{.dag = std::move(dag),
                          .bindings = std::move(builder.bindings),
                          .notes = std::move(notes),
                          .regions = std::move(regions),
                          .sizes = sizes};
}

}  // namespace

bool AnalyzedPipeline::SizesAreKnown() const {
  return sizes == Sizes::kExact &&
         std::all_of(dag.stages().begin(), dag.stages().end(),
                     [](const Stage& stage) { return stage.sizes_are_known; });
}

absl::StatusOr<AnalyzedPipeline> AnalyzePipeline(
    const Halide::Pipeline& pipeline, Sizes sizes,
    const AuthorSchedules& scheduled) {
  try {
    return Analyze(pipeline, sizes, scheduled);
  } catch (const Halide::Error& error) {
    return absl::InvalidArgumentError(absl::StrCat("Halide: ", error.what()));
  }
}

}  // namespace pruner
