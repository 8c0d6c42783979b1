// How long search policies take to propose candidates, and their models to
// train: what tuning takes besides trials. Costs are made up.
//   bazel run -c opt //tools/bench:proposals -- --json
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "halide_ext/analyze/analyze.h"
#include "pruner/base/clock.h"
#include "pruner/base/median.h"
#include "pruner/base/os/program_path.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/find_named.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/table.h"
#include "pruner/measure/fake_measurer.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/search/policy_inputs.h"
#include "pruner/search/policy_table.h"
#include "pruner/search/search_policy.h"
#include "pruner/target/load_target_spec.h"
#include "pruner/tune/cost_models.h"
#include "pruner/tune/policy_models.h"
#include "pruner/workload/workload.h"
#include "tools/bench/proposals_bench.pb.h"
#include "tools/bench/schedule_subjects.h"
#include "tools/common/companion_files.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, target, "host", "whose schedules; as tune takes it");
ABSL_FLAG(std::string, subjects, "conv,winograd_f4",
          "pipelines that are searched, separated by commas");
ABSL_FLAG(std::string, policies, "pruner,pruner_paper,mutate",
          "policies, separated by commas");
ABSL_FLAG(
    std::string, cost_model, "",
    "what guides them, as tune takes it; each policy's usual one if empty");
ABSL_FLAG(int, trials, 400, "trials of each");
ABSL_FLAG(int, round, 8, "proposals at a time");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(bool, json, false, "print one JSON object as the last line");

namespace pruner {
namespace {

constexpr char kSources[] = "tools/bench";

constexpr size_t kScored = 512;
constexpr int kScorings = 20;

absl::Duration TimeOf(const auto& call) {
  const absl::Duration start = RealClock().Elapsed();
  call();
  return RealClock().Elapsed() - start;
}

absl::StatusOr<std::vector<Candidate>> DrawCandidates(ScheduleSpace& space,
                                                      uint64_t seed) {
  Rng rng(seed);
  std::vector<Candidate> drawn;
  while (drawn.size() < kScored) {
    ASSIGN_OR_RETURN(CandidateDraw draw, Sample(space, rng));
    if (auto* candidate = std::get_if<Candidate>(&draw))
      drawn.push_back(std::move(*candidate));
  }
  return drawn;
}

// All that comes between candidates and the scores of a trained model.
absl::Status TimeScoring(const PolicyInputs& inputs,
                         proto::PolicyProposals& found) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                   MakeSpace(inputs));
  ASSIGN_OR_RETURN(const std::vector<Candidate> candidates,
                   DrawCandidates(*space, inputs.seed));
  LearnedScorer scorer(*inputs.cost, inputs.columns, inputs.context.target);
  std::vector<double> scorings;  // milliseconds
  for (int i = 0; i < kScorings; ++i) {
    absl::Status added;
    absl::StatusOr<std::vector<double>> scores;
    const absl::Duration time = TimeOf([&] {
      for (const Candidate& candidate : candidates)
        added.Update(scorer.Add(*space, candidate));
      scores = scorer.TakeScores();
    });
    RETURN_IF_ERROR(added);
    RETURN_IF_ERROR(scores.status());
    scorings.push_back(absl::ToDoubleMilliseconds(time));
  }
  found.set_least_scoring_ms(
      *std::min_element(scorings.begin(), scorings.end()));
  found.set_median_scoring_ms(Median(scorings));
  return absl::OkStatus();
}

absl::StatusOr<proto::PolicyProposals> Measure(const PolicyEntry& entry,
                                               const ScheduleSubject& subject,
                                               const TargetSpec& target,
                                               const CostModelOptions& model) {
  ASSIGN_OR_RETURN(const AnalyzedPipeline analyzed,
                   AnalyzePipeline(subject.pipeline));
  const Workload workload(subject.name, "", analyzed.dag);
  const uint64_t seed = absl::GetFlag(FLAGS_seed);
  ASSIGN_OR_RETURN(const std::unique_ptr<PolicyModels> models,
                   PolicyModels::For(entry, target, model));
  PolicyInputs inputs = {.context = {.dag = workload.dag, .target = target},
                         .seed = seed};
  models->AddTo(inputs);
  ASSIGN_OR_RETURN(const std::unique_ptr<SearchPolicy> policy,
                   entry.make(inputs));
  FakeMeasurer measurer;
  absl::Duration training, proposing, observing;
  std::vector<double> rounds;  // milliseconds
  proto::PolicyProposals found;
  while (found.proposals() < absl::GetFlag(FLAGS_trials)) {
    absl::Status trained;
    if (Learner* const learner = models->learner())
      training += TimeOf([&] { trained = learner->CatchUp(); });
    RETURN_IF_ERROR(trained);
    Rng rng = Rng(seed).Fork(found.proposals());
    absl::StatusOr<std::vector<Proposal>> proposals;
    const absl::Duration round = TimeOf(
        [&] { proposals = policy->Propose(absl::GetFlag(FLAGS_round), rng); });
    RETURN_IF_ERROR(proposals.status());
    if (proposals->empty()) break;  // all of a small space
    proposing += round;
    if (inputs.cost == nullptr || inputs.cost->is_trained())
      rounds.push_back(absl::ToDoubleMilliseconds(round));
    std::vector<Schedule> schedules;
    for (const Proposal& proposal : *proposals)
      schedules.push_back(proposal.schedule);
    RETURN_IF_ERROR(measurer.Measure(
        workload, MeasurePolicy::kWarm, schedules,
        [&](size_t i, const MeasureResult& result) {
          observing += TimeOf([&] {
            policy->Observe((*proposals)[i], result);
            if (Learner* const learner = models->learner())
              learner->Add(/*task=*/0, workload.dag, schedules[i], result);
          });
          return true;
        },
        {}));
    found.set_proposals(found.proposals() +
                        static_cast<int32_t>(proposals->size()));
  }
  found.set_policy(std::string(entry.name));
  found.set_subject(subject.name);
  if (!rounds.empty()) {
    found.set_least_round_ms(*std::min_element(rounds.begin(), rounds.end()));
    found.set_median_round_ms(Median(rounds));
  }
  found.set_proposing_seconds(absl::ToDoubleSeconds(proposing));
  found.set_training_seconds(absl::ToDoubleSeconds(training));
  found.set_observing_seconds(absl::ToDoubleSeconds(observing));
  if (inputs.cost != nullptr && inputs.cost->is_trained()) {
    RETURN_IF_ERROR(TimeScoring(inputs, found));
  }
  return found;
}

absl::Status Run(const std::string& network_program) {
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTargetSpec(absl::GetFlag(FLAGS_target)));
  ASSIGN_OR_RETURN(const std::vector<ScheduleSubject> subjects,
                   ScheduleSubjects(target));
  const std::string subject_names = absl::GetFlag(FLAGS_subjects);
  const std::string policy_names = absl::GetFlag(FLAGS_policies);
  proto::ProposalsBench result;
  result.set_target(target.name);
  Table table({{"subject", Table::Align::kLeft},
               {"policy", Table::Align::kLeft},
               {"proposals"},
               {"least ms a round"},
               {"median"},
               {"proposing, s"},
               {"training, s"},
               {"observing, s"},
               {"512 scored, least ms"},
               {"median"}});
  for (const absl::string_view subject_name :
       absl::StrSplit(subject_names, ',')) {
    ASSIGN_OR_RETURN(
        const ScheduleSubject* const subject,
        FindNamed<ScheduleSubject>(subjects, "subjects", subject_name));
    for (const absl::string_view name : absl::StrSplit(policy_names, ',')) {
      ASSIGN_OR_RETURN(const PolicyEntry* const entry, FindPolicy(name));
      ASSIGN_OR_RETURN(proto::PolicyProposals& found = *result.add_policies(),
                       Measure(*entry, *subject, target,
                               {.name = CostModelNameFor(
                                    *entry, absl::GetFlag(FLAGS_cost_model)),
                                .network_program = network_program}));
      table.AddRow({found.subject(), found.policy(),
                    absl::StrFormat("%d", found.proposals()),
                    absl::StrFormat("%.1f", found.least_round_ms()),
                    absl::StrFormat("%.1f", found.median_round_ms()),
                    absl::StrFormat("%.2f", found.proposing_seconds()),
                    absl::StrFormat("%.2f", found.training_seconds()),
                    absl::StrFormat("%.2f", found.observing_seconds()),
                    absl::StrFormat("%.1f", found.least_scoring_ms()),
                    absl::StrFormat("%.1f", found.median_scoring_ms())});
    }
  }
  std::printf("%s, rounds of %d\n\n%s", target.name.c_str(),
              absl::GetFlag(FLAGS_round), table.ToString().c_str());
  if (absl::GetFlag(FLAGS_json)) std::printf("%s\n", ToJson(result).c_str());
  return absl::OkStatus();
}

int Main(const char* argv0) {
  const absl::Status status = Run(NetworkProgram(ProgramPath(), argv0));
  return status.ok() ? kExitOk : ReportError("proposals", status);
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit = pruner::InitTool(
      argc, argv,
      "Measures how long search policies take to propose candidates and to "
      "learn of results, and their models to train.",
      pruner::kSources);
  return exit ? *exit : pruner::Main(argv[0]);
}
