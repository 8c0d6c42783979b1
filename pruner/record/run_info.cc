#include "pruner/record/run_info.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace pruner {
namespace {

// More than any log holds, and few enough to count on from.
constexpr int64_t kMaxId = int64_t{1} << 53;

}  // namespace

std::string RunInfo::Option(absl::string_view name) const {
  for (const auto& [option, value] : options) {
    if (option == name) return value;
  }
  return "";
}

proto::Run ToProto(const LoggedRun& run) {
  proto::Run message;
  message.set_id(run.id);
  message.set_seed(run.info.seed);
  message.set_target(run.target.value);
  message.set_policy(run.info.policy);
  for (const auto& [name, value] : run.info.options) {
    proto::Run::Option& option = *message.add_options();
    option.set_name(name);
    option.set_value(value);
  }
  message.set_program(run.info.program);
  message.set_halide(run.info.halide);
  message.set_host(run.info.host);
  message.set_fp32_gflops(run.fp32_gflops);
  message.set_dram_gb_per_s(run.dram_gb_per_s);
  message.set_unix_nanos(absl::ToUnixNanos(run.info.time));
  return message;
}

absl::StatusOr<LoggedRun> FromProto(const proto::Run& message) {
  if (message.id() < 1 || message.id() > kMaxId) {
    return absl::InvalidArgumentError(
        absl::StrCat("a run has the number ", message.id()));
  }
  LoggedRun run = {.id = message.id(),
                   .target = {message.target()},
                   .info = {.seed = message.seed(),
                            .policy = message.policy(),
                            .program = message.program(),
                            .halide = message.halide(),
                            .host = message.host(),
                            .time = absl::FromUnixNanos(message.unix_nanos())},
                   .fp32_gflops = message.fp32_gflops(),
                   .dram_gb_per_s = message.dram_gb_per_s()};
  for (const proto::Run::Option& option : message.options())
    run.info.options.emplace_back(option.name(), option.value());
  return run;
}

}  // namespace pruner
