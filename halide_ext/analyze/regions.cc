#include "halide_ext/analyze/regions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Expr;
using namespace Halide::Internal;

class CallCollector : public IRGraphVisitor {
 public:
  std::vector<Expr> calls;

 protected:
  using IRGraphVisitor::visit;
  void visit(const Call* op) override {
    if (op->call_type == Call::Halide || op->call_type == Call::Image)
      calls.push_back(op);
    IRGraphVisitor::visit(op);
  }
};

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

// An output's size: as bounded, as its buffer is constrained, or as estimated.
absl::StatusOr<Region> OutputRegion(const Function& function) {
  Region region;
  for (int d = 0; d < function.dimensions(); ++d) {
    const std::string& var = function.args()[d];
    const Halide::Parameter& buffer = function.output_buffers()[0];
    std::optional<Range> range =
        RangeFromBounds(function.schedule().bounds(), var);
    if (!range)
      range = RangeOf(buffer.min_constraint(d), buffer.extent_constraint(d));
    if (!range) range = RangeFromBounds(function.schedule().estimates(), var);
    if (!range) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the size of output '", function.name(), "' in dimension ", d, " ('",
          var, "') is not known: give it an estimate or bounds"));
    }
    region.push_back(*range);
  }
  return region;
}

std::optional<Region> InputRegion(const Call& call) {
  Region region;
  const int dimensions = static_cast<int>(call.args.size());
  for (int d = 0; d < dimensions; ++d) {
    if (call.image.defined()) {
      region.push_back(
          {.min = call.image.dim(d).min(), .max = call.image.dim(d).max()});
      continue;
    }
    const Halide::Parameter& p = call.param;
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

class RegionFinder {
 public:
  explicit RegionFinder(PipelineRegions& out) : out_(out) {}

  // Adds what `function`, whose region is known, reads.
  absl::Status Visit(const Function& function) {
    for (const Halide::ExternFuncArgument& argument :
         function.extern_arguments()) {
      if (!argument.is_func() && !argument.is_buffer() &&
          !argument.is_image_param()) {
        continue;
      }
      return absl::InvalidArgumentError(absl::StrCat(
          "what the extern stage '", function.name(),
          "' reads of other Funcs and inputs is not known: cut the pipeline "
          "there"));
    }
    for (const Definition& definition : DefinitionsOf(function)) {
      Halide::Internal::Scope<Interval> scope;
      const Region& region = out_.regions.at(function.name());
      for (int d = 0; d < function.dimensions(); ++d) {
        scope.push(function.args()[d],
                   Interval(static_cast<int>(region[d].min),
                            static_cast<int>(region[d].max)));
      }
      for (const ReductionVariable& r : definition.schedule().rvars()) {
        scope.push(r.var, Interval(r.min, simplify(r.min + r.extent - 1)));
      }
      for (const Expr& e : CallsOf(definition)) {
        const Call* call = e.as<Call>();
        if (call->name == function.name()) continue;
        RETURN_IF_ERROR(AddRead(function, *call, scope));
      }
    }
    return absl::OkStatus();
  }

 private:
  absl::Status AddRead(const Function& reader, const Call& call,
                       const Scope<Interval>& scope) {
    const auto alias = out_.aliases.find(call.name);
    const Call& source = alias == out_.aliases.end() ? call : *alias->second;
    const bool is_input = source.call_type == Call::Image;
    if (is_input) {
      if (out_.input_types.emplace(source.name, source.type).second) {
        out_.inputs.push_back(source.name);
        if (source.image.defined()) out_.images.insert(source.name);
      }
      if (std::optional<Region> given = InputRegion(source)) {
        out_.regions[source.name] = *std::move(given);
        return absl::OkStatus();
      }
    }
    Region& region = out_.regions[source.name];
    const bool first = region.empty();
    for (size_t d = 0; d < call.args.size(); ++d) {
      const Interval interval = bounds_of_expr_in_scope(call.args[d], scope);
      const std::optional<int64_t> min =
          interval.has_lower_bound() ? AsInt(interval.min) : std::nullopt;
      const std::optional<int64_t> max =
          interval.has_upper_bound() ? AsInt(interval.max) : std::nullopt;
      if (!min || !max) {
        return absl::InvalidArgumentError(absl::StrCat(
            "'", reader.name(), "' reads '", source.name, "' in dimension ", d,
            " at an index without known bounds: clamp the index",
            is_input ? " or give the input an estimate" : ""));
      }
      if (first) {
        region.push_back({.min = *min, .max = *max});
      } else {
        region[d].min = std::min(region[d].min, *min);
        region[d].max = std::max(region[d].max, *max);
      }
    }
    return absl::OkStatus();
  }

  PipelineRegions& out_;
};

}  // namespace

const std::string& PipelineRegions::Resolve(const Call& call) const {
  const auto alias = aliases.find(call.name);
  return alias == aliases.end() ? call.name : alias->second->name;
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

std::vector<Expr> CallsOf(const Definition& definition) {
  CallCollector collector;
  std::vector<Expr> all = definition.values();
  const std::vector<Expr> args = definition.args();
  all.insert(all.end(), args.begin(), args.end());
  if (definition.predicate().defined()) all.push_back(definition.predicate());
  for (const Expr& e : all) substitute_in_all_lets(e).accept(&collector);
  return collector.calls;
}

std::vector<Definition> DefinitionsOf(const Function& function) {
  std::vector<Definition> definitions;
  if (function.has_pure_definition())
    definitions.push_back(function.definition());
  for (const Definition& update : function.updates())
    definitions.push_back(update);
  return definitions;
}

absl::StatusOr<PipelineRegions> FindRegions(const Halide::Pipeline& pipeline) {
  PipelineRegions result;
  std::vector<Function> outputs;
  for (const Halide::Func& func : pipeline.outputs())
    outputs.push_back(func.function());
  if (outputs.empty())
    return absl::InvalidArgumentError("the pipeline has no output");
  const std::map<std::string, Function> environment =
      build_environment(outputs);
  for (const std::string& name : topological_order(outputs, environment)) {
    const Function& function = environment.at(name);
    const bool is_output =
        std::any_of(outputs.begin(), outputs.end(),
                    [&](const Function& f) { return f.name() == name; });
    if (const Call* alias = is_output ? nullptr : LoadOfInput(function)) {
      result.aliases[name] = alias;
    } else {
      result.functions.push_back(function);
    }
  }
  for (const Function& output : outputs) {
    ASSIGN_OR_RETURN(result.regions[output.name()], OutputRegion(output));
  }
  RegionFinder finder(result);
  for (size_t i = result.functions.size(); i-- > 0;) {
    RETURN_IF_ERROR(finder.Visit(result.functions[i]));
  }
  return result;
}

}  // namespace pruner
