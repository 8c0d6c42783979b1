// How long PaCM and TenSet's network take to train and to score 512 programs,
// in this process and in one of their own, and how well they rank programs of
// the same tasks that they have not seen. The programs are synthetic.
//   bazel run //tools/bench:networks -- --programs=2000 --json
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/program_path.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/table.h"
#include "pruner/cost/cost_model.h"
#include "pruner/cost/synthetic_programs.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_cost_model.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/remote_network.h"
#include "pruner/pacm/synthetic_rankings.h"
#include "pruner/pacm/training_options.h"
#include "tools/bench/networks_bench.pb.h"
#include "tools/common/companion_files.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(int, programs, 2000, "programs to train on");
ABSL_FLAG(int, unknown, 1000, "programs to rank");
ABSL_FLAG(int, tasks, 23, "tasks they are of");
ABSL_FLAG(int, columns, 174, "features of a row");
ABSL_FLAG(int, epochs, 0, "most epochs; 0: as many as the training has");
ABSL_FLAG(int, threads, 0, "threads; 0: as many as the training takes");
ABSL_FLAG(int, repeats, 20, "scorings, of which the best counts");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(bool, json, false, "print one JSON object as the last line");

namespace pruner {
namespace {

constexpr char kSources[] = "tools/bench";
constexpr char kFeatures[] = "synthetic";
constexpr int kScoredAtOnce = 512;

double SecondsSince(absl::Duration start) {
  return ToDoubleSeconds(RealClock().Elapsed() - start);
}

struct Subject {
  std::string name;
  NetworkShape shape;
  NetworkCostModelOptions options = {};
};

// The papers' networks, and PaCM without each of its branches, trained as the
// papers do; and those that searches use.
std::vector<Subject> Subjects(const FeatureRows& programs) {
  const NetworkShape pacm = ShapeFor(NetworkKind::kPacm, programs);
  const NetworkShape tenset = ShapeFor(NetworkKind::kTensetMlp, programs);
  NetworkShape rows = pacm, dataflow = pacm;
  rows.blocks = rows.block_columns = 0;
  dataflow.row_columns = 0;
  const NetworkCostModelOptions by_lists = {
      .training = ListTraining(), .normalisation = Normalisation::kStandard};
  return {{"PaCM", pacm},
          {"PaCM, rows alone", rows},
          {"PaCM, dataflow alone", dataflow},
          {"TenSet's", tenset},
          {"PaCM, narrow, by lists", Narrow(pacm), by_lists},
          {"TenSet's, narrow, by lists", Narrow(tenset), by_lists}};
}

// The least time, in milliseconds.
absl::StatusOr<double> TimePredictions(CostModel& model,
                                       const FeatureRows& programs) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < absl::GetFlag(FLAGS_repeats); ++i) {
    const absl::Duration start = RealClock().Elapsed();
    RETURN_IF_ERROR(model.Predict(programs).status());
    least = std::min(least, SecondsSince(start));
  }
  return 1e3 * least;
}

// By the same network in a process of its own.
absl::StatusOr<double> TimeRemotely(const std::string& program,
                                    const NetworkCostModel& model,
                                    const NetworkShape& shape,
                                    const TrainingOptions& training,
                                    const FeatureRows& programs) {
  ASSIGN_OR_RETURN(const TempDirectory directory, TempDirectory::Create());
  const NetworkModelOptions options = {.features = kFeatures,
                                       .shape = shape,
                                       .pretrained = directory.File("network"),
                                       .adapt = Adaption::kNone,
                                       .training = training};
  RETURN_IF_ERROR(model.Save(options.pretrained));
  ASSIGN_OR_RETURN(const std::unique_ptr<RemoteNetwork> remote,
                   RemoteNetwork::Start(program, options));
  return TimePredictions(*remote, programs);
}

absl::StatusOr<proto::NetworkBench> Measure(const std::string& program,
                                            const Subject& subject,
                                            const SyntheticPrograms& known,
                                            const SyntheticPrograms& unknown) {
  NetworkCostModelOptions options = subject.options;
  options.seed = static_cast<uint64_t>(absl::GetFlag(FLAGS_seed));
  if (const int epochs = absl::GetFlag(FLAGS_epochs); epochs > 0)
    options.training.max_epochs = epochs;
  if (const int threads = absl::GetFlag(FLAGS_threads); threads > 0)
    options.training.threads = threads;
  ASSIGN_OR_RETURN(NetworkCostModel model,
                   NetworkCostModel::Create(kFeatures, subject.shape, options));
  const absl::Duration start = RealClock().Elapsed();
  RETURN_IF_ERROR(model.Update(known.programs, known.labels));
  proto::NetworkBench result;
  result.set_name(subject.name);
  result.set_training_seconds(SecondsSince(start));
  result.set_epochs(model.outcome().epochs);
  const SyntheticPrograms batch = Slice(
      unknown, 0, std::min(kScoredAtOnce, unknown.programs.num_programs()));
  ASSIGN_OR_RETURN(const double here, TimePredictions(model, batch.programs));
  result.set_prediction_milliseconds(here);
  ASSIGN_OR_RETURN(const double remote,
                   TimeRemotely(program, model, subject.shape, options.training,
                                batch.programs));
  result.set_remote_milliseconds(remote);
  ASSIGN_OR_RETURN(const std::vector<double> scores,
                   model.Predict(unknown.programs));
  result.set_pairwise_accuracy(PairwiseAccuracyOf(scores, unknown.labels));
  return result;
}

void Print(const proto::NetworksBench& result) {
  Table table({{"network", Table::Align::kLeft},
               {"training, s"},
               {"epochs"},
               {"512 programs, ms"},
               {"by network_worker"},
               {"pairwise accuracy"}});
  for (const proto::NetworkBench& network : result.networks()) {
    table.AddRow({std::string(network.name()),
                  absl::StrFormat("%.2f", network.training_seconds()),
                  absl::StrCat(network.epochs()),
                  absl::StrFormat("%.2f", network.prediction_milliseconds()),
                  absl::StrFormat("%.2f", network.remote_milliseconds()),
                  absl::StrFormat("%.3f", network.pairwise_accuracy())});
  }
  std::printf("%d programs of %d rows of %d features to train on\n\n%s",
              result.programs(), result.rows(), result.columns(),
              table.ToString().c_str());
}

absl::Status Run(const std::string& program) {
  const int count = absl::GetFlag(FLAGS_programs);
  const int all_count = count + absl::GetFlag(FLAGS_unknown);
  const SyntheticPrograms all = MakeSyntheticRankings(
      all_count, static_cast<uint64_t>(absl::GetFlag(FLAGS_seed)),
      absl::GetFlag(FLAGS_tasks), absl::GetFlag(FLAGS_columns));
  const SyntheticPrograms known = Slice(all, 0, count);
  const SyntheticPrograms unknown = Slice(all, count, all_count);
  proto::NetworksBench result;
  result.set_programs(count);
  result.set_rows(known.programs.num_rows());
  result.set_columns(known.programs.columns);
  for (const Subject& subject : Subjects(all.programs)) {
    ASSIGN_OR_RETURN(*result.add_networks(),
                     Measure(program, subject, known, unknown));
  }
  Print(result);
  if (absl::GetFlag(FLAGS_json)) std::printf("%s\n", ToJson(result).c_str());
  return absl::OkStatus();
}

int Main(const char* argv0) {
  const absl::Status status = Run(NetworkProgram(ProgramPath(), argv0));
  return status.ok() ? kExitOk : ReportError("networks", status);
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit = pruner::InitTool(
      argc, argv,
      "Measures how long ranking networks take to train and to score programs, "
      "and how well they rank programs that they have not seen.",
      pruner::kSources);
  return exit ? *exit : pruner::Main(argv[0]);
}
