// libautoschedule_pruner.so: Halide's autoscheduler "Pruner". It hands the
// pipeline to a worker and applies what comes back.
#include <dlfcn.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "halide_ext/build/pipeline_parameters.h"
#include "halide_ext/lower/directive.h"
#include "halide_ext/lower/directive_proto.h"
#include "halide_ext/passes/device_passes.h"
#include "halide_ext/plugin/default_schedule.h"
#include "halide_ext/plugin/plugin_params.h"
#include "halide_ext/plugin/worker_client.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/utf8.h"

namespace pruner {
namespace {

// Of what is done beside trials, for pipelines of hundreds of Funcs.
constexpr absl::Duration kTimeout = absl::Minutes(10);

std::string PluginPath() {
  Dl_info info;
  // Any address of the plugin's.
  if (dladdr(reinterpret_cast<const void*>(&PluginPath), &info) == 0 ||
      info.dli_fname == nullptr) {
    return "libautoschedule_pruner.so";
  }
  return info.dli_fname;
}

// Names in it are whatever a pipeline calls its stages.
void Say(const PluginParams& params, absl::string_view text) {
  if (params.verbose) std::cerr << "Pruner: " << ForTerminal(text) << std::endl;
}

proto::ScheduleRequest RequestOf(const Halide::Pipeline& pipeline,
                                 const Halide::Target& target,
                                 const PluginParams& params) {
  proto::ScheduleRequest request;
  request.set_halide_target(target.to_string());
  request.set_parallelism(params.parallelism);
  request.set_seed(params.seed);
  request.set_trials(params.trials);
  request.set_time_limit_seconds(absl::ToDoubleSeconds(params.time_limit));
  request.set_record_log(params.record_log);
  request.set_policy(params.policy);
  request.set_cost_model(params.cost_model);
  request.set_target_spec(params.target_spec);
  request.set_strict(params.strict);
  request.set_without_passes(!params.passes);
  *request.mutable_pipeline() = StorePipeline(pipeline, Sizes::kEstimates);
  return request;
}

absl::StatusOr<proto::ScheduleReply> Ask(const Halide::Pipeline& pipeline,
                                         const Halide::Target& target,
                                         const PluginParams& params) {
  const proto::ScheduleRequest request = RequestOf(pipeline, target, params);
  // Of another version of Halide, in which the plugin was loaded all the same.
  RETURN_IF_ERROR(
      CheckPipelineBytes(request.pipeline().halide(), "the pipeline"));
  ASSIGN_OR_RETURN(const std::string worker, FindWorker(PluginPath()));
  const absl::Duration timeout =
      params.trials > 0 ? params.time_limit + kTimeout : kTimeout;
  return AskWorker(worker, request, timeout, [&](const std::string& text) {
    Say(params, absl::StripAsciiWhitespace(text));
  });
}

absl::StatusOr<std::vector<Directive>> DirectivesOf(
    const proto::ScheduleReply& reply) {
  std::vector<Directive> directives;
  for (const proto::Directive& message : reply.directives()) {
    ASSIGN_OR_RETURN(directives.emplace_back(), FromProto(message));
  }
  return directives;
}

// As the body of the function that Halide writes for `-e schedule`. Funcs are
// found by their number, as names differ from run to run.
std::string SourceOf(const std::vector<Directive>& directives,
                     Halide::Pipeline pipeline) {
  std::string text =
      "  static_cast<void>(target);\n"
      "  using namespace ::Halide;\n"
      "  std::map<std::string, Func> funcs;\n";
  const std::map<std::string, Halide::Func> funcs = FuncsOf(pipeline);
  std::set<std::string> distinct;
  for (const auto& [name, func] : funcs) distinct.insert(func.name());
  std::map<std::string, size_t> numbers;
  for (size_t i = 0; i < distinct.size(); ++i)
    numbers[pipeline.get_func(i).name()] = i;
  for (const auto& [name, func] : funcs) {
    absl::StrAppend(&text, "  funcs[\"", name, "\"] = pipeline.get_func(",
                    numbers.at(func.name()), ");\n");
  }
  return absl::StrCat(text, PrintDirectiveLines(directives));
}

bool HasKernels(const std::vector<Directive>& directives) {
  return std::any_of(directives.begin(), directives.end(),
                     [](const Directive& d) { return IsOfKernels(d.kind); });
}

constexpr char kPassesNote[] =
    "  // Pruner's plugin has kernels compiled with lowering passes of its "
    "own, "
    "which\n"
    "  // this schedule needs to be right; with autoscheduler.passes=off it "
    "chooses\n"
    "  // one that needs none.\n";

// What to do, once the parameters are known. Error: what the user has to mend.
absl::StatusOr<std::vector<Directive>> FindDirectives(
    const Halide::Pipeline& pipeline, const Halide::Target& target,
    const PluginParams& params) {
  const absl::StatusOr<proto::ScheduleReply> reply =
      Guarded<proto::ScheduleReply>(
          [&] { return Ask(pipeline, target, params); });
  if (reply.ok()) {
    for (const std::string& note : reply->notes()) Say(params, note);
    for (const std::string& warning : reply->warnings())
      _halide_user_warning << "Pruner: " << ForTerminal(warning);
    if (!reply->error().empty())
      return absl::InvalidArgumentError(reply->error());
    if (reply->directives().empty()) return DefaultDirectives(pipeline, target);
    return DirectivesOf(*reply);
  }
  if (params.strict) return reply.status();
  _halide_user_warning << "Pruner found no schedule, and the pipeline gets a "
                          "simple one: "
                       << ForTerminal(reply.status().message());
  return DefaultDirectives(pipeline, target);
}

void Schedule(const Halide::Pipeline& pipeline, const Halide::Target& target,
              const Halide::AutoschedulerParams& given,
              Halide::AutoSchedulerResults* results) {
  const auto schedule = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const PluginParams params, ParsePluginParams(given.extra));
    ASSIGN_OR_RETURN(const std::vector<Directive> directives,
                     FindDirectives(pipeline, target, params));
    const bool needs_passes = params.passes && HasKernels(directives);
    results->target = target;
    results->autoscheduler_params = given;
    results->schedule_source = absl::StrCat(needs_passes ? kPassesNote : "",
                                            SourceOf(directives, pipeline));
    Say(params, absl::StrCat("schedule\n", results->schedule_source));
    RETURN_IF_ERROR(ApplyDirectives(directives, pipeline));
    if (needs_passes) {
      Halide::Pipeline same = pipeline;
      AddDevicePasses(same, target, /*report=*/nullptr);
    }
    return absl::OkStatus();
  };
  const absl::Status status = schedule();
  if (!status.ok()) {
    _halide_user_error << "Pruner: " << ForTerminal(status.message());
  }
}

// Loading the plugin registers it.
[[maybe_unused]] const bool kRegistered = [] {
  Halide::Pipeline::add_autoscheduler("Pruner", Schedule);
  return true;
}();

}  // namespace
}  // namespace pruner
