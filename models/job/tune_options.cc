#include "models/job/tune_options.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "models/job/network_job.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/measure/measure_policy.h"
#include "pruner/sample/sampling.h"
#include "pruner/search/policy_table.h"
#include "pruner/tune/objective.h"
#include "pruner/tune/policy_models.h"
#include "pruner/tune/scheduler_table.h"
#include "pruner/tune/task_scheduler.h"

namespace pruner {
namespace {

constexpr const char* kAutoschedulers[] = {"adams2019", "li2018",
                                           "mullapudi2016"};

absl::Status CheckWhatIsTuned(const TuneOptions& options) {
  if (options.models.empty() != options.pipeline.empty())
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      options.pipeline.empty()
          ? "what is to be tuned? Say --model=resnet50, or --pipeline=FILE"
          : "--model and --pipeline exclude each other: a run tunes networks "
            "or one pipeline");
}

absl::Status CheckModels(const TuneOptions& options) {
  const std::set<std::string> distinct(options.models.begin(),
                                       options.models.end());
  if (distinct.size() == options.models.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--model=", absl::StrJoin(options.models, ","),
                   " names a network twice"));
}

// That what only gradients heed is not given without them.
absl::Status CheckForGradients(const std::string& flag, bool given,
                               const SchedulerEntry& scheduler) {
  if (!given || scheduler.by_gradients) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, " is for --scheduler=gradient; ", scheduler.name,
                   " knows nothing of it"));
}

absl::StatusOr<std::unique_ptr<const Objective>> ObjectiveOf(
    const TuneOptions& options) {
  std::vector<double> limits;
  for (const absl::Duration limit : options.latency_limits) {
    if (limit <= absl::ZeroDuration()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--latency_limits: ", absl::FormatDuration(limit),
                       " is not positive: write 8ms"));
    }
    limits.push_back(absl::ToDoubleSeconds(limit));
  }
  const size_t networks = std::max<size_t>(options.models.size(), 1);
  if (!limits.empty() && limits.size() != networks) {
    return absl::InvalidArgumentError(
        absl::StrCat("--latency_limits are ", limits.size(), " for ", networks,
                     " networks: write one for each, 1us where none is"));
  }
  return MakeObjective(options.objective, std::move(limits));
}

absl::Status CheckInit(const TuneOptions& options, const PolicyEntry& policy) {
  absl::StatusOr<Init> init = ParseInit(options.init);
  RETURN_IF_ERROR(init.status()) << "in --init";
  if (*init != Init::kHardwareAware) return absl::OkStatus();
  if (!policy.has_first_batch) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--init=", options.init, " is not for --policy=", policy.name,
        ", which has no first batch of its own"));
  }
  if (options.trials > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--init=", options.init,
      " is where a search begins, and with --trials=0 there is none"));
}

absl::Status CheckMeasurePolicy(const TuneOptions& options) {
  if (options.measure_policy == kAutoPolicy) return absl::OkStatus();
  const absl::StatusOr<MeasurePolicy> policy =
      ParseMeasurePolicy(options.measure_policy);
  if (!policy.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--measure_policy=", options.measure_policy, ": ",
                     policy.status().message(), ", or auto"));
  }
  if (*policy == MeasurePolicy::kWarm || options.pipeline.empty())
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--measure_policy=", options.measure_policy,
      " is for networks, whose constants are known; pipelines are timed warm"));
}

absl::Status CheckPositive(const std::string& flag, absl::Duration given) {
  if (given > absl::ZeroDuration()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, "=", absl::FormatDuration(given),
                   " is not positive: write 10m, 90s or inf"));
}

absl::Status CheckCompare(const TuneOptions& options) {
  for (const std::string& name : options.compare) {
    if (std::find(std::begin(kAutoschedulers), std::end(kAutoschedulers),
                  name) == std::end(kAutoschedulers)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--compare=", name, " is not one of ",
                       absl::StrJoin(kAutoschedulers, ", ")));
    }
    if (!FileExists(PluginPath(options, name))) {
      return absl::FailedPreconditionError(absl::StrCat(
          "--compare=", name, ": there is no plugin ",
          PluginPath(options, name),
          "; bazel run //tools:tune -- … knows where the plugins are"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<TaskScheduler>> SchedulerOf(
    const TuneOptions& options, double peak_flops_per_second) {
  ASSIGN_OR_RETURN(const SchedulerEntry* scheduler,
                   FindScheduler(options.scheduler));
  RETURN_IF_ERROR(CheckFlagRange(
      "patience", static_cast<double>(options.patience), 0, 10'000'000));
  RETURN_IF_ERROR(
      CheckForGradients("patience", options.patience > 0, *scheduler));
  RETURN_IF_ERROR(CheckForGradients(
      "objective", options.objective != kDefaultObjective, *scheduler));
  RETURN_IF_ERROR(CheckForGradients(
      "latency_limits", !options.latency_limits.empty(), *scheduler));
  ASSIGN_OR_RETURN(std::unique_ptr<const Objective> objective,
                   ObjectiveOf(options));
  return scheduler->make({.peak_flops_per_second = peak_flops_per_second,
                          .patience = options.patience},
                         std::move(objective));
}

std::string PluginPath(const TuneOptions& options,
                       const std::string& autoscheduler) {
  return absl::StrCat(options.plugin_directory, "/libautoschedule_",
                      autoscheduler, ".so");
}

// What summary.json says is a number, which readers of JSON have as a double.
absl::Status CheckSeed(uint64_t seed) {
  constexpr uint64_t kMaxSeed = uint64_t{1} << 53;
  if (seed <= kMaxSeed) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--seed=", seed, ": seeds are whole numbers up to ", kMaxSeed));
}

absl::Status CheckSearchOptions(const TuneOptions& options) {
  RETURN_IF_ERROR(CheckModels(options));
  RETURN_IF_ERROR(CheckFlagRange("trials", static_cast<double>(options.trials),
                                 0, 10'000'000));
  if (options.trials == 0 && !options.compare.empty()) {
    return absl::InvalidArgumentError(
        "--compare times candidates, which --trials=0 does not: ask for trials "
        "or leave it out");
  }
  RETURN_IF_ERROR(CheckSeed(options.seed));
  RETURN_IF_ERROR(CheckFlagRange("threads", options.threads, 0, 1024));
  RETURN_IF_ERROR(CheckFlagRange("batch", options.batch, 1, 4096));
  RETURN_IF_ERROR(ParseInputShapes(options.input_shapes).status());
  RETURN_IF_ERROR(CheckFlagRange("race", options.race, 0, 100));
  RETURN_IF_ERROR(CheckPositive("time_limit", options.time_limit));
  RETURN_IF_ERROR(CheckPositive("compile_timeout", options.compile_timeout));
  RETURN_IF_ERROR(CheckPositive("run_timeout", options.run_timeout));
  if (options.output_dir.empty()) {
    return absl::InvalidArgumentError(
        "--output_dir needs the name of a folder");
  }
  ASSIGN_OR_RETURN(const PolicyEntry* policy, FindPolicy(options.policy));
  RETURN_IF_ERROR(CheckModelsOf(*policy, options.cost_model));
  if (options.trials > 0) {
    RETURN_IF_ERROR(CheckNetworkProgram(options.cost_model));
  }
  RETURN_IF_ERROR(SchedulerOf(options, 0).status());
  RETURN_IF_ERROR(ParseSampling(options.sampling).status()) << "in --sampling";
  RETURN_IF_ERROR(CheckInit(options, *policy));
  RETURN_IF_ERROR(CheckMeasurePolicy(options));
  return ParseFormulations(options.formulations, options.max_error).status();
}

absl::Status CheckTuneOptions(const TuneOptions& options) {
  RETURN_IF_ERROR(CheckWhatIsTuned(options));
  RETURN_IF_ERROR(CheckSearchOptions(options));
  return CheckCompare(options);
}

}  // namespace pruner
