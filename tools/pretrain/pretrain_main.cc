// Trains a network on data sets; see kUsage.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/program_path.h"
#include "pruner/base/status_macros.h"
#include "pruner/tune/cost_models.h"
#include "tools/common/companion_files.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"
#include "tools/evaluate/data_set.h"
#include "tools/evaluate/user_data.h"
#include "tools/pretrain/pretrain.h"

ABSL_FLAG(std::vector<std::string>, data, {},
          "record logs, with commas between them: files, or folders that "
          "collect or tune wrote");
ABSL_FLAG(std::string, output, "", "the file to write the network to");
ABSL_FLAG(std::string, cost_model, "pacm",
          "pacm, Pruner's network; mlp, TenSet's network");
ABSL_FLAG(std::string, columns, pruner::kAllColumns,
          "what it reads of a program: all, the papers' columns and ours; "
          "compat, the papers' alone");
ABSL_FLAG(std::string, pretrained, pruner::kNoPretrained,
          "a network to train further, with its scales of features: none; cpu, "
          "the one that is shipped; or a file");
ABSL_FLAG(int, epochs, 0,
          "for how many epochs it is trained at most; 0: fewer, the more "
          "programs there are");
ABSL_FLAG(uint64_t, seed, 1, "of everything random");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "Trains a network that ranks programs, for tune --pretrained.\n\n"
    "  pretrain --data=r50,operators --output=cpu.network\n"
    "  tune --model=mobilenet_v2 --cost_model=pacm --pretrained=cpu.network";

constexpr char kSources[] = "tools/pretrain/";

absl::Status Run(const char* argv0) {
  const std::string output = ResolveUserPath(absl::GetFlag(FLAGS_output));
  if (output.empty()) {
    return absl::InvalidArgumentError(
        "where to? Say --output=FILE, which the network is written to");
  }
  const CostModelOptions options = {
      .name = absl::GetFlag(FLAGS_cost_model),
      .columns = absl::GetFlag(FLAGS_columns),
      .network_program = NetworkProgram(ProgramPath(), argv0),
      .epochs = absl::GetFlag(FLAGS_epochs),
      .pretrained = PretrainedOf(absl::GetFlag(FLAGS_pretrained)),
      .adapt = "finetune",
      .seed = absl::GetFlag(FLAGS_seed)};
  RETURN_IF_ERROR(CheckCostModel(options));
  RETURN_IF_ERROR(CheckNetworkProgram(options));
  RETURN_IF_ERROR(CheckWritableDirectory(DirectoryOf(output)));
  ASSIGN_OR_RETURN(const DataSet data,
                   ReadUserData("pretrain", absl::GetFlag(FLAGS_data)));
  ASSIGN_OR_RETURN(const PretrainResult result,
                   Pretrain(data, options, output));
  return Print(
      absl::StrCat("trained on ", result.ToString(), "\n", output, "\n"));
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run(argv[0]);
  return status.ok() ? kExitOk : ReportError("pretrain", status);
}
