#include "models/job/serve_network.h"

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "models/runtime/latency.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/json.h"

namespace pruner {
namespace {

constexpr JsonStyle kStyle = {.all_fields = false};

// The seconds of a line "time SECONDS".
absl::StatusOr<double> ParseRequest(const std::string& line) {
  absl::string_view rest = line;
  double seconds = 0;
  if (absl::ConsumePrefix(&rest, "time ") && absl::SimpleAtod(rest, &seconds) &&
      seconds >= 0 && seconds <= 3600) {
    return seconds;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "'", line, "' is no request; there is: time SECONDS, up to 3600"));
}

}  // namespace

absl::Status ServeNetwork(const proto::ServedNetwork& network,
                          absl::FunctionRef<absl::Status()> run,
                          std::istream& requests,
                          const std::function<void(const std::string&)>& say,
                          Clock& clock) {
  say(ToJson(network, kStyle));
  for (std::string line; std::getline(requests, line);) {
    ASSIGN_OR_RETURN(const double seconds, ParseRequest(line));
    ASSIGN_OR_RETURN(
        const Latency latency,
        MeasureLatency(
            run, {.warm_up_runs = 1, .min_samples = 3, .min_seconds = seconds},
            clock));
    proto::ServedTiming timing;
    timing.mutable_seconds()->Add(latency.seconds.begin(),
                                  latency.seconds.end());
    say(ToJson(timing, kStyle));
  }
  return absl::OkStatus();
}

}  // namespace pruner
