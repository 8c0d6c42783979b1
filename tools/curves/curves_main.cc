// How tunings went on, beside each other; see kUsage.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "tools/common/tool_flags.h"
#include "tools/common/tool_output.h"
#include "tools/curves/curves_report.h"
#include "tools/curves/tuning_curve.h"

ABSL_FLAG(std::vector<std::string>, dirs, {},
          "folders that tune wrote, with commas between them");
ABSL_FLAG(std::string, model, "", "which network, where folders have several");
ABSL_FLAG(std::string, beside, "",
          "a policy, as the table names it or as far as its first comma: when "
          "were the others as fast as "
          "this one at its end?");
ABSL_FLAG(std::string, csv, "",
          "a file for all points, which //tools/bench/plot draws");

namespace pruner {
namespace {

constexpr char kUsage[] =
    "How fast the best known network was after so many trials, and so many "
    "seconds, of search.\n\n"
    "  curves --dirs=r50_pruner_1,r50_pruner_2,r50_ansor_1,r50_ansor_2 "
    "--beside=ansor\n\n"
    "Tunings that differ by the seed are one row: medians, with their range. "
    "The network's latency\n"
    "is what its kernels take together, as they were timed in the search; the "
    "race at the end of it\n"
    "does not count.";

constexpr char kSources[] = "tools/curves/";

absl::StatusOr<std::vector<TuningCurve>> ReadCurves() {
  std::vector<TuningCurve> curves;
  for (const std::string& folder : absl::GetFlag(FLAGS_dirs)) {
    ASSIGN_OR_RETURN(
        TuningCurve curve,
        ReadTuningCurve(ResolveUserPath(folder), absl::GetFlag(FLAGS_model)));
    if (!curves.empty() && curve.network != curves[0].network) {
      return absl::InvalidArgumentError(
          absl::StrCat("--dirs: ", folder, " has ", curve.network,
                       ", others have ", curves[0].network));
    }
    curves.push_back(std::move(curve));
  }
  if (curves.empty()) {
    return absl::InvalidArgumentError(
        "which tunings? Say --dirs=FOLDER,FOLDER, where tune wrote to");
  }
  return curves;
}

absl::Status Run() {
  ASSIGN_OR_RETURN(std::vector<TuningCurve> curves, ReadCurves());
  const std::vector<std::vector<TuningCurve>> groups =
      ByLabel(std::move(curves));
  ASSIGN_OR_RETURN(const std::string text,
                   CurvesText(groups, absl::GetFlag(FLAGS_beside)));
  absl::Status status = Print(text);
  if (const std::string csv = absl::GetFlag(FLAGS_csv); !csv.empty())
    status.Update(WriteFileAtomically(ResolveUserPath(csv), CurvesCsv(groups)));
  return status;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  using namespace pruner;  // NOLINT: this is the program
  if (const std::optional<int> code = InitTool(argc, argv, kUsage, kSources))
    return *code;
  const absl::Status status = Run();
  return status.ok() ? kExitOk : ReportError("curves", status);
}
