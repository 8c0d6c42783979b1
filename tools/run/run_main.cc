// Runs a tuned network; see kUsage.
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "models/job/run_network.h"
#include "pruner/base/os/environment.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"

ABSL_FLAG(std::string, dir, "", "folder that tune wrote (its --output_dir)");
ABSL_FLAG(std::string, input, "",
          "file with the input's values as raw little-endian fp32, NHWC; "
          "random if empty");
ABSL_FLAG(std::string, output, "",
          "file to write the output's values to, as raw fp32");
ABSL_FLAG(std::string, export, "",
          "folder to write the network to as other programs can read it: "
          "graph.json, constants.f32,\ninput.f32 and expected.f64, which is "
          "its output in double precision");
ABSL_FLAG(bool, serve, false,
          "answer lines 'time SECONDS' of the standard input with lines of "
          "JSON, to its end");
ABSL_FLAG(std::string, model, "",
          "which network, where the folder holds several");
ABSL_FLAG(std::string, weights, "",
          "the model's file, if its weights are no longer where they were");
ABSL_FLAG(std::string, target, "host",
          "what this machine is, if it was tuned for a target file (.txtpb)");
ABSL_FLAG(uint64_t, seed, 1, "of the random input");
ABSL_FLAG(double, seconds, 2, "how long to time the network");
ABSL_FLAG(bool, verify, true,
          "compare what each kernel computes with double precision first, "
          "which takes a few seconds; not with --serve");
ABSL_FLAG(int, top, 15, "how many kernels to list, slowest first");

namespace {

constexpr char kUsage[] =
    "Builds a tuned network from the folder that tune wrote, verifies it, "
    "times it and shows\n"
    "the kernels' shares.\n\n"
    "  run --dir=r50\n"
    "  run --dir=both --model=resnet50\n"
    "  run --dir=r50 --input=image.f32 --output=logits.f32\n"
    "  run --dir=r50 --export=r50_files";

constexpr char kSources[] = "tools/run/run_main";

std::string UserPath(const std::string& path) {
  return path.empty() ? path : pruner::ResolveUserPath(path);
}

}  // namespace

int main(int argc, char** argv) {
  if (const std::optional<int> code =
          pruner::InitTool(argc, argv, kUsage, kSources))
    return *code;
  pruner::RunNetworkOptions options;
  options.directory = UserPath(absl::GetFlag(FLAGS_dir));
  options.input_file = UserPath(absl::GetFlag(FLAGS_input));
  options.output_file = UserPath(absl::GetFlag(FLAGS_output));
  options.export_directory = UserPath(absl::GetFlag(FLAGS_export));
  if (absl::GetFlag(FLAGS_serve)) options.requests = &std::cin;
  options.model = absl::GetFlag(FLAGS_model);
  options.weights = UserPath(absl::GetFlag(FLAGS_weights));
  options.target = absl::GetFlag(FLAGS_target);
  options.seed = absl::GetFlag(FLAGS_seed);
  options.seconds = absl::GetFlag(FLAGS_seconds);
  options.verify = absl::GetFlag(FLAGS_verify);
  options.top = absl::GetFlag(FLAGS_top);
  absl::Status printed;
  absl::Status status =
      pruner::RunNetwork(options, [&](const std::string& text) {
        printed.Update(pruner::Print(absl::StrCat(text, "\n")));
      });
  status.Update(printed);
  return status.ok() ? pruner::kExitOk : pruner::ReportError("run", status);
}
