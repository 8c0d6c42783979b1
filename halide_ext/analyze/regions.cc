#include "halide_ext/analyze/regions.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/analyze/functions_of.h"
#include "halide_ext/analyze/partial_reads.h"
#include "halide_ext/analyze/producers_first.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

// Of a dimension of which updates take so much all might as well be taken.
constexpr double kNearlyWhole = 0.75;

std::optional<int64_t> AsInt(const Expr& e) {
  if (!e.defined()) return std::nullopt;
  return as_const_int(simplify(e));
}

std::optional<Range> RangeOf(const Expr& min, const Expr& extent) {
  const std::optional<int64_t> m = AsInt(min);
  const std::optional<int64_t> e = AsInt(extent);
  if (!m || !e) return std::nullopt;
  return Range{.min = *m, .max = *m + *e - 1};
}

std::optional<Range> RangeFromBounds(const std::vector<Bound>& bounds,
                                     const std::string& var) {
  for (const Bound& bound : bounds) {
    if (bound.var == var) return RangeOf(bound.min, bound.extent);
  }
  return std::nullopt;
}

// As bounded, as the buffer of an output is constrained, or as estimated.
std::optional<Range> DeclaredRange(const Function& function, int d) {
  const std::string& var = function.args()[d];
  std::optional<Range> range =
      RangeFromBounds(function.schedule().bounds(), var);
  if (!range && !function.output_buffers().empty()) {
    const Halide::Parameter& buffer = function.output_buffers()[0];
    range = RangeOf(buffer.min_constraint(d), buffer.extent_constraint(d));
  }
  if (!range) range = RangeFromBounds(function.schedule().estimates(), var);
  return range;
}

std::optional<Region> GivenRegion(const Halide::Parameter& p) {
  Region region;
  for (int d = 0; d < p.dimensions(); ++d) {
    std::optional<Range> range =
        RangeOf(p.min_constraint(d), p.extent_constraint(d));
    if (!range)
      range = RangeOf(p.min_constraint_estimate(d),
                      p.extent_constraint_estimate(d));
    if (!range) return std::nullopt;
    region.push_back(*range);
  }
  return region;
}

std::optional<Region> InputRegion(const Call& call) {
  if (!call.image.defined()) return GivenRegion(call.param);
  Region region;
  for (int d = 0; d < call.image.dimensions(); ++d) {
    region.push_back(
        {.min = call.image.dim(d).min(), .max = call.image.dim(d).max()});
  }
  return region;
}

// Can be computed where it is read instead of being stored.
bool IsInlinable(const Function& function, const PipelineRegions& pipeline,
                 bool is_output) {
  return function.is_pure() && !is_output &&
         !pipeline.read_by_extern.contains(function.name());
}

class RegionFinder {
 public:
  RegionFinder(const std::map<std::string, Function>& environment,
               const std::set<std::string>& outputs, PipelineRegions& out)
      : environment_(environment), outputs_(outputs), out_(out) {}

  // Adds what `function`, whose region is known, reads.
  absl::Status Visit(const Function& function) {
    for (const Halide::ExternFuncArgument& argument :
         function.extern_arguments()) {
      RETURN_IF_ERROR(AddExternRead(function, argument));
    }
    std::vector<ResolvedDefinition>& definitions =
        out_.definitions[function.name()];
    for (ResolvedDefinition& definition : definitions) {
      for (ReductionVariable& r : definition.rvars)
        RETURN_IF_ERROR(BoundDomain(function, definition, r));
    }
    CoverUpdates(function, definitions);
    for (ResolvedDefinition& definition : definitions) {
      Scope<Interval> scope;
      Enter(function, definition, scope);
      for (const Expr& e : definition.Calls()) {
        const Call* call = e.as<Call>();
        if (call->name == function.name()) continue;
        RETURN_IF_ERROR(AddRead(function, *call, scope));
      }
      for (const auto& [name, dimensions] : PartialReads(definition)) {
        out_.read_in_part[out_.Resolve(name)].insert(dimensions.begin(),
                                                     dimensions.end());
      }
    }
    return absl::OkStatus();
  }

  // Funcs that have to be inlined for all reads to have bounds.
  const std::set<std::string>& to_inline() const { return to_inline_; }

 private:
  // The variables of the definition and what they range over.
  static void Enter(const Function& function,
                    const ResolvedDefinition& definition,
                    Scope<Interval>& scope) {
    for (int d = 0; d < function.dimensions(); ++d) {
      const auto& [min, max] = definition.region[d];
      scope.push(function.args()[d],
                 Interval(static_cast<int>(min), static_cast<int>(max)));
    }
    for (const ReductionVariable& r : definition.rvars)
      scope.push(r.var, Interval(r.min, simplify(r.min + r.extent - 1)));
  }

  // Says what each definition is computed for: the last one for what is read of
  // the Func, those before also for what later ones write and read of it. What
  // the first one is computed for becomes the region of the Func.
  void CoverUpdates(const Function& function,
                    std::vector<ResolvedDefinition>& definitions) {
    Region& region = out_.regions.at(function.name());
    Region needed = region;
    // By updates, wherever they are computed.
    Region taken(region.size(), {.min = std::numeric_limits<int64_t>::max(),
                                 .max = std::numeric_limits<int64_t>::min()});
    for (size_t k = definitions.size(); k-- > 0;) {
      ResolvedDefinition& definition = definitions[k];
      definition.region.clear();
      for (const Range& range : needed)
        definition.region.emplace_back(range.min, range.max);
      if (k == 0) break;
      Scope<Interval> scope;
      Enter(function, definition, scope);
      const auto include = [&](const std::vector<Expr>& indices) {
        IncludeIndices(indices, scope, needed);
        IncludeIndices(WithoutOwn(function, indices), scope, taken);
      };
      include(definition.args);
      for (const Expr& e : definition.Calls()) {
        const Call* call = e.as<Call>();
        if (call->name == function.name()) include(call->args);
      }
    }
    for (size_t d = 0; d < region.size(); ++d) {
      const Range both = {.min = std::max(taken[d].min, needed[d].min),
                          .max = std::min(taken[d].max, needed[d].max)};
      // No update may take any of it.
      if (both.min <= both.max &&
          static_cast<double>(both.Extent()) >=
              kNearlyWhole * static_cast<double>(needed[d].Extent())) {
        out_.taken_whole[function.name()].insert(static_cast<int>(d));
      }
    }
    if (outputs_.contains(function.name())) return;
    for (size_t d = 0; d < region.size(); ++d) {
      if (needed[d].min < region[d].min || needed[d].max > region[d].max)
        out_.read_in_part[function.name()].insert(static_cast<int>(d));
    }
    region = needed;
  }

  // Indices that are none of the Func's own variables, which stand for whatever
  // is computed.
  static std::vector<Expr> WithoutOwn(const Function& function,
                                      std::vector<Expr> indices) {
    for (size_t d = 0; d < indices.size(); ++d) {
      const auto* variable = indices[d].as<Variable>();
      if (variable != nullptr && variable->name == function.args()[d])
        indices[d] = Expr();
    }
    return indices;
  }

  // What is not known is left out.
  static void IncludeIndices(const std::vector<Expr>& indices,
                             const Scope<Interval>& scope, Region& region) {
    for (size_t d = 0; d < indices.size(); ++d) {
      if (!indices[d].defined()) continue;
      const Interval range = bounds_of_expr_in_scope(
          indices[d], scope, empty_func_value_bounds(), /*const_bound=*/true);
      const std::optional<int64_t> low =
          range.has_lower_bound() ? AsInt(range.min) : std::nullopt;
      const std::optional<int64_t> high =
          range.has_upper_bound() ? AsInt(range.max) : std::nullopt;
      if (low) region[d].min = std::min(region[d].min, *low);
      if (high) region[d].max = std::max(region[d].max, *high);
    }
  }

  // Makes the variable's domain constant, the largest that it can be.
  static absl::Status BoundDomain(const Function& function,
                                  ResolvedDefinition& definition,
                                  ReductionVariable& r) {
    if (AsInt(r.min) && AsInt(r.extent)) return absl::OkStatus();
    const auto bounds = [](const Expr& e) {
      return bounds_of_expr_in_scope(e, Scope<Interval>::empty_scope(),
                                     empty_func_value_bounds(),
                                     /*const_bound=*/true);
    };
    const Interval min = bounds(r.min);
    const Interval max = bounds(r.min + r.extent - 1);
    const std::optional<int64_t> low =
        min.has_lower_bound() ? AsInt(min.min) : std::nullopt;
    const std::optional<int64_t> high =
        max.has_upper_bound() ? AsInt(max.max) : std::nullopt;
    if (!low || !high) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the domain of the reduction variable '", r.var, "' of '",
          function.name(),
          "' is not known: give bounds or estimates to the inputs whose sizes "
          "are in it, or a range to the parameter"));
    }
    const Expr variable = Variable::make(Halide::Int(32), r.var);
    definition.exact_domain.push_back(variable >= r.min &&
                                      variable < r.min + r.extent);
    r.min = static_cast<int>(*low);
    r.extent = static_cast<int>(std::max<int64_t>(1, *high - *low + 1));
    return absl::OkStatus();
  }

  // `image` is undefined but for one that is part of the pipeline.
  void AddInput(const std::string& name, Halide::Type type,
                const Halide::Buffer<>& image) {
    if (!out_.input_types.emplace(name, type).second) return;
    out_.inputs.push_back(name);
    if (image.defined()) out_.images.emplace(name, image);
  }

  static void Include(const Region& more, Region& region) {
    if (region.empty()) region = more;
    for (size_t d = 0; d < more.size(); ++d) {
      region[d].min = std::min(region[d].min, more[d].min);
      region[d].max = std::max(region[d].max, more[d].max);
    }
  }

  // Which elements an extern stage reads, it says only when it runs.
  absl::Status AddExternRead(const Function& reader,
                             const Halide::ExternFuncArgument& argument) {
    if (argument.is_buffer()) {
      const Halide::Buffer<>& image = argument.buffer;
      AddInput(image.name(), image.type(), image);
      Region region;
      for (int d = 0; d < image.dimensions(); ++d)
        region.push_back(
            {.min = image.dim(d).min(), .max = image.dim(d).max()});
      out_.regions[image.name()] = std::move(region);
    } else if (argument.is_image_param()) {
      const Halide::Parameter& input = argument.image_param;
      AddInput(input.name(), input.type(), {});
      const std::optional<Region> given = GivenRegion(input);
      if (!given) return UnknownInput(reader, input.name());
      out_.regions[input.name()] = *given;
    } else if (argument.is_func()) {
      GuessRegion(reader, Function(argument.func));
    }
    return absl::OkStatus();
  }

  void GuessRegion(const Function& reader, const Function& source) {
    const Region& asked = out_.regions.at(reader.name());
    Region region;
    bool guessed = false;
    for (int d = 0; d < source.dimensions(); ++d) {
      std::optional<Range> range = DeclaredRange(source, d);
      guessed = guessed || !range;
      if (!range && source.dimensions() == reader.dimensions())
        range = asked[d];
      region.push_back(range.value_or(Range{}));
    }
    Include(region, out_.regions[source.name()]);
    if (!out_.guessed.insert(source.name()).second || !guessed) return;
    out_.notes.push_back(absl::StrCat(
        "how much of '", source.name(), "' the extern stage '", reader.name(),
        "' reads is not known before it runs, and is guessed: give '",
        source.name(), "' estimates to have it tuned for the right size"));
  }

  static absl::Status UnknownInput(const Function& reader,
                                   const std::string& input) {
    return absl::InvalidArgumentError(absl::StrCat(
        "how much of the input '", input, "' is read by '", reader.name(),
        "' depends on an extern stage: give the input bounds or an estimate in "
        "every dimension"));
  }

  absl::Status AddRead(const Function& reader, const Call& call,
                       const Scope<Interval>& scope) {
    const auto alias = out_.aliases.find(call.name);
    const Call& source = alias == out_.aliases.end() ? call : *alias->second;
    const bool is_input = source.call_type == Call::Image;
    const bool is_guess = out_.guessed.contains(reader.name());
    bool is_given = false;
    if (is_input) {
      AddInput(source.name, source.type, source.image);
      if (std::optional<Region> given = InputRegion(source)) {
        out_.regions[source.name] = *std::move(given);
        is_given = true;
      } else if (is_guess) {
        return UnknownInput(reader, source.name);
      }
    } else if (is_guess) {
      out_.guessed.insert(source.name);
    }
    Region region;
    for (size_t d = 0; d < call.args.size(); ++d) {
      const Interval interval = bounds_of_expr_in_scope(call.args[d], scope);
      if (is_given && interval.is_bounded()) continue;
      const std::optional<int64_t> min =
          interval.has_lower_bound() ? AsInt(interval.min) : std::nullopt;
      const std::optional<int64_t> max =
          interval.has_upper_bound() ? AsInt(interval.max) : std::nullopt;
      if (min && max) {
        region.push_back({.min = *min, .max = *max});
        continue;
      }
      if (!is_input && IsInlinable(environment_.at(source.name), out_,
                                   outputs_.contains(source.name))) {
        to_inline_.insert(source.name);
        return absl::OkStatus();
      }
      return absl::InvalidArgumentError(absl::StrCat(
          "'", reader.name(), "' reads '", source.name, "' in dimension ", d,
          " at an index without known bounds: clamp the index",
          is_input && !is_given ? " or give the input an estimate" : ""));
    }
    if (!is_given) Include(region, out_.regions[source.name]);
    return absl::OkStatus();
  }

  const std::map<std::string, Function>& environment_;
  const std::set<std::string>& outputs_;
  PipelineRegions& out_;
  std::set<std::string> to_inline_;
};

// Without the regions of what has to be inlined; the names of that are added to
// `inlined`.
absl::StatusOr<PipelineRegions> TryRegions(
    const std::vector<Function>& outputs,
    const std::map<std::string, Function>& environment, Sizes sizes,
    std::set<std::string>& inlined) {
  PipelineRegions result;
  std::set<std::string> output_names;
  for (const Function& output : outputs) output_names.insert(output.name());
  for (const auto& [name, function] : environment) {
    for (const Halide::ExternFuncArgument& argument :
         function.extern_arguments()) {
      if (argument.is_func())
        result.read_by_extern.insert(Function(argument.func).name());
    }
  }
  const std::vector<std::string> order = ProducersFirst(outputs, environment);
  for (size_t i = order.size(); i-- > 0;) {
    if (inlined.contains(order[i]))
      result.inlined.push_back(environment.at(order[i]));
  }
  for (const std::string& name : order) {
    const Function& function = environment.at(name);
    const bool is_stored =
        output_names.contains(name) || result.read_by_extern.contains(name);
    if (const Call* alias = is_stored ? nullptr : LoadOfInput(function)) {
      result.aliases[name] = alias;
    } else if (!inlined.contains(name)) {
      result.functions.push_back(function);
      result.definitions[name] =
          ResolveDefinitions(function, result.inlined, sizes);
    }
  }
  for (const Function& output : outputs) {
    ASSIGN_OR_RETURN(result.regions[output.name()], OutputRegion(output));
    result.outputs.push_back(output.name());
  }
  RegionFinder finder(environment, output_names, result);
  for (size_t i = result.functions.size(); i-- > 0;) {
    const Function& function = result.functions[i];
    // What only inlined Funcs read has no region yet.
    if (!result.regions.contains(function.name()) ||
        finder.to_inline().contains(function.name())) {
      continue;
    }
    RETURN_IF_ERROR(finder.Visit(function));
  }
  inlined.insert(finder.to_inline().begin(), finder.to_inline().end());
  return result;
}

}  // namespace

const std::string& PipelineRegions::Resolve(const std::string& name) const {
  const auto alias = aliases.find(name);
  return alias == aliases.end() ? name : alias->second->name;
}

const Call* LoadOfInput(const Function& function) {
  if (!function.is_pure() || function.values().size() != 1) return nullptr;
  const Call* call = function.values()[0].as<Call>();
  if (call == nullptr || call->call_type != Call::Image) return nullptr;
  if (call->args.size() != function.args().size()) return nullptr;
  for (size_t d = 0; d < call->args.size(); ++d) {
    const auto* variable = call->args[d].as<Variable>();
    if (variable == nullptr || variable->name != function.args()[d])
      return nullptr;
  }
  return call;
}

absl::StatusOr<Region> OutputRegion(const Function& output) {
  Region region;
  for (int d = 0; d < output.dimensions(); ++d) {
    const std::optional<Range> range = DeclaredRange(output, d);
    if (!range) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the size of output '", output.name(), "' in dimension ", d, " ('",
          output.args()[d], "') is not known: give it an estimate or bounds"));
    }
    region.push_back(*range);
  }
  return region;
}

absl::StatusOr<PipelineRegions> FindRegions(const Halide::Pipeline& pipeline,
                                            Sizes sizes) {
  const std::vector<Function> outputs = OutputFunctions(pipeline);
  if (outputs.empty())
    return absl::InvalidArgumentError("the pipeline has no output");
  const std::map<std::string, Function> environment = FunctionsOf(pipeline);
  std::set<std::string> inlined;
  for (;;) {
    const size_t before = inlined.size();
    ASSIGN_OR_RETURN(PipelineRegions result,
                     TryRegions(outputs, environment, sizes, inlined));
    if (inlined.size() == before) return result;
  }
}

}  // namespace pruner
