// Runs a tuned network; see kUsage.
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>

#include "absl/base/log_severity.h"
#include "absl/flags/flag.h"
#include "absl/log/globals.h"
#include "absl/log/initialize.h"
#include "pruner/base/os/environment.h"
#include "tools/common/tool_flags.h"
#include "tools/run/run_network.h"

ABSL_FLAG(std::string, dir, "", "folder that tune wrote (its --output_dir)");
ABSL_FLAG(std::string, input, "",
          "file with the input's values as raw little-endian fp32, NHWC; "
          "random if empty");
ABSL_FLAG(std::string, output, "",
          "file to write the output's values to, as raw fp32");
ABSL_FLAG(std::string, model, "",
          "the network, if its graph file is no longer where it was");
ABSL_FLAG(std::string, formulations, "all",
          "whose records are used: all, or of direct,winograd_f2,winograd_f4,"
          "im2col,nchwc");
ABSL_FLAG(double, max_error, 1e-3,
          "formulations with a larger relative error are not used");
ABSL_FLAG(uint64_t, seed, 1, "of the random input");
ABSL_FLAG(double, seconds, 2, "how long to time the network");
ABSL_FLAG(int, top, 15, "how many kernels to list, slowest first");

namespace {

constexpr char kUsage[] =
    "Builds the network that a folder's record log was tuned for from the best "
    "schedules in\n"
    "it, runs it, times it and shows the kernels' shares.\n\n"
    "  run --dir=r50\n"
    "  run --dir=r50 --input=image.f32 --output=logits.f32";

constexpr char kSources[] = "tools/run/run_main";

std::string UserPath(const std::string& path) {
  return path.empty() ? path : pruner::ResolveUserPath(path);
}

}  // namespace

int main(int argc, char** argv) {
  absl::SetStderrThreshold(absl::LogSeverityAtLeast::kWarning);
  absl::InitializeLog();
  if (const std::optional<int> code =
          pruner::InitTool(argc, argv, kUsage, kSources))
    return *code;
  pruner::RunNetworkOptions options;
  options.directory = UserPath(absl::GetFlag(FLAGS_dir));
  options.input_file = UserPath(absl::GetFlag(FLAGS_input));
  options.output_file = UserPath(absl::GetFlag(FLAGS_output));
  options.model = absl::GetFlag(FLAGS_model);
  options.formulations = absl::GetFlag(FLAGS_formulations);
  options.max_error = absl::GetFlag(FLAGS_max_error);
  options.seed = absl::GetFlag(FLAGS_seed);
  options.seconds = absl::GetFlag(FLAGS_seconds);
  options.top = absl::GetFlag(FLAGS_top);
  const absl::Status status = pruner::RunNetwork(
      options, [](const std::string& text) { std::cout << text << std::endl; });
  return status.ok() ? pruner::kExitOk : pruner::ReportError("run", status);
}
