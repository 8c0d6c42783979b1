// Writes operators as pipelines to tune; see kUsage.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "tools/bench/cuda_tasks.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, output_dir, "", "folder for the files NAME.hlpipe");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "Writes Ansor's operators and subgraphs as pipelines that tune takes, on "
    "any target.\n\n"
    "  write_pipelines --op=GMM,C2D --batch=1 --output_dir=operators\n"
    "  tune --pipeline=operators/GMM_4_b1.hlpipe --target=h200 --trials=100";

constexpr char kSources[] = "tools/bench/";

absl::Status Run() {
  if (absl::GetFlag(FLAGS_output_dir).empty())
    return absl::InvalidArgumentError("where to? Say --output_dir=FOLDER");
  const std::string folder = ResolveUserPath(absl::GetFlag(FLAGS_output_dir));
  ASSIGN_OR_RETURN(const std::vector<Workload> workloads, OperatorWorkloads());
  RETURN_IF_ERROR(MakeDirectories(folder));
  for (const Workload& workload : workloads) {
    const std::string file =
        absl::StrCat(folder, "/", workload.name, ".hlpipe");
    RETURN_IF_ERROR(WriteFileAtomically(file, workload.pipeline));
    std::cout << file << "\n";
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  if (const std::optional<int> code =
          pruner::InitTool(argc, argv, pruner::kUsage, pruner::kSources))
    return *code;
  const absl::Status status = pruner::Run();
  return status.ok() ? pruner::kExitOk
                     : pruner::ReportError("write_pipelines", status);
}
