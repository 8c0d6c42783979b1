#include "halide_ext/plugin/plugin_params.h"

#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace pruner {
namespace {

constexpr int kMaxParallelism = 1024;
constexpr int64_t kMaxTrials = 1000000;

bool SetText(absl::string_view value, std::string& text) {
  text = std::string(value);
  return !text.empty();
}

// What a parameter is called, what it may be, and how it is read; false: it is
// none of these.
struct Param {
  const char* name;
  const char* range;
  bool (*set)(absl::string_view value, PluginParams& params);
};

const std::vector<Param>& Params() {
  static const auto& params = *new std::vector<Param>{
      {"parallelism", "a number of threads, or 0 for all cores",
       [](absl::string_view value, PluginParams& params) {
         return absl::SimpleAtoi(value, &params.parallelism) &&
                params.parallelism >= 0 &&
                params.parallelism <= kMaxParallelism;
       }},
      {"seed", "a number from 0 on",
       [](absl::string_view value, PluginParams& params) {
         return absl::SimpleAtoi(value, &params.seed);
       }},
      {"trials", "a number of candidates to time, from 0 to 1000000",
       [](absl::string_view value, PluginParams& params) {
         return absl::SimpleAtoi(value, &params.trials) && params.trials >= 0 &&
                params.trials <= kMaxTrials;
       }},
      {"time_limit", "a positive duration such as 90s, 10m or inf",
       [](absl::string_view value, PluginParams& params) {
         return absl::ParseDuration(value, &params.time_limit) &&
                params.time_limit > absl::ZeroDuration();
       }},
      {"record_log", "the name of a file",
       [](absl::string_view value, PluginParams& params) {
         return SetText(value, params.record_log);
       }},
      {"policy", "the name of a search policy",
       [](absl::string_view value, PluginParams& params) {
         return SetText(value, params.policy);
       }},
      {"cost_model", "the name of a learned model, or none",
       [](absl::string_view value, PluginParams& params) {
         return SetText(value, params.cost_model);
       }},
      {"target_spec", "the name of a file or of a packaged target",
       [](absl::string_view value, PluginParams& params) {
         return SetText(value, params.target_spec);
       }},
      {"passes", "on or off",
       [](absl::string_view value, PluginParams& params) {
         params.passes = value == "on";
         return value == "on" || value == "off";
       }},
      {"strict", "0 or 1",
       [](absl::string_view value, PluginParams& params) {
         return absl::SimpleAtob(value, &params.strict);
       }},
      {"verbose", "0 or 1",
       [](absl::string_view value, PluginParams& params) {
         return absl::SimpleAtob(value, &params.verbose);
       }},
  };
  return params;
}

}  // namespace

absl::StatusOr<PluginParams> ParsePluginParams(
    const std::map<std::string, std::string>& params) {
  PluginParams result;
  for (const auto& [name, value] : params) {
    bool is_known = false;
    for (const Param& param : Params()) {
      if (name != param.name) continue;
      is_known = true;
      if (param.set(value, result)) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "autoscheduler.", name, "=", value, " is not ", param.range));
    }
    if (is_known) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no autoscheduler.", name, "; there are ",
        absl::StrJoin(Params(), ", ", [](std::string* out, const Param& p) {
          absl::StrAppend(out, p.name);
        })));
  }
  return result;
}

}  // namespace pruner
