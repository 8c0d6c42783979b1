// How fast schedules are made and looked at: sketches, random candidates,
// mutations, programs and symbols of three pipelines, on one core.
//   bazel run -c opt //tools/bench:schedules -- --json
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/flags/flag.h"
#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "halide_ext/analyze/analyze.h"
#include "pruner/analysis/program_symbols.h"
#include "pruner/base/clock.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/find_named.h"
#include "pruner/base/text/json.h"
#include "pruner/base/text/table.h"
#include "pruner/base/text/units.h"
#include "pruner/draft/draft_model.h"
#include "pruner/draft/make_draft_model.h"
#include "pruner/program/resolve.h"
#include "pruner/sample/instantiate.h"
#include "pruner/sample/mutate.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/search/candidate_scorer.h"
#include "pruner/search/evolution.h"
#include "pruner/search/evolutionary_policy.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/load_target_spec.h"
#include "tools/bench/schedule_subjects.h"
#include "tools/bench/schedules_bench.pb.h"
#include "tools/common/tool_flags.h"

ABSL_FLAG(std::string, target, "host", "whose schedules; as tune takes it");
ABSL_FLAG(std::string, subjects, "conv,winograd_f4,stencils",
          "pipelines whose schedules are made, separated by commas");
ABSL_FLAG(double, seconds, 1, "how long each figure is measured");
ABSL_FLAG(int, candidates, 5000, "distinct candidates, of each pipeline");
ABSL_FLAG(int, seed, 1, "seed");
ABSL_FLAG(bool, json, false, "print one JSON object as the last line");

namespace pruner {
namespace {

constexpr char kSources[] = "tools/bench";

// Schedules that are replayed and mutated in turn.
constexpr int kPoolSize = 256;
// The stream of distinct candidates is gone through so often.
constexpr int kStreamRuns = 5;

// The rate of the quickest tenth of the time: other programs disturb the rest.
double PerSecond(const std::function<void()>& call) {
  constexpr int kParts = 10;
  const absl::Duration part =
      absl::Seconds(absl::GetFlag(FLAGS_seconds)) / kParts;
  double best = 0;
  for (int i = 0; i < kParts; ++i) {
    const absl::Duration start = RealClock().Elapsed();
    absl::Duration elapsed;
    int64_t calls = 0;
    do {
      call();
      ++calls;
      elapsed = RealClock().Elapsed() - start;
    } while (elapsed < part);
    best =
        std::max(best, static_cast<double>(calls) / ToDoubleSeconds(elapsed));
  }
  return best;
}

// What became of draws.
struct DrawCounts {
  int64_t accepted = 0;
  std::map<std::string, int64_t> rejected;

  std::optional<Candidate> Count(absl::StatusOr<CandidateDraw> draw) {
    CHECK_OK(draw);
    if (const auto* rejection = std::get_if<Rejection>(&*draw)) {
      ++rejected[std::string(RejectionName(*rejection))];
      return std::nullopt;
    }
    ++accepted;
    return std::get<Candidate>(*std::move(draw));
  }

  double Acceptance() const {
    int64_t draws = accepted;
    for (const auto& [reason, count] : rejected) draws += count;
    return static_cast<double>(accepted) / static_cast<double>(draws);
  }
};

std::vector<Candidate> MakePool(ScheduleSpace& space, Rng rng) {
  std::vector<Candidate> pool;
  while (pool.size() < kPoolSize) {
    if (auto candidate = DrawCounts().Count(Sample(space, rng)))
      pool.push_back(*std::move(candidate));
  }
  return pool;
}

// A function that gives 0, 1, … kPoolSize - 1, 0, …
std::function<size_t()> RoundRobin() {
  return [i = size_t{0}]() mutable { return i++ % kPoolSize; };
}

void BenchSampling(ScheduleSpace& space, proto::ScheduleSubjectBench& result) {
  Rng rng(absl::GetFlag(FLAGS_seed));
  DrawCounts counts;
  result.set_samples_per_second(PerSecond([&] {
    while (!counts.Count(Sample(space, rng))) {
    }
  }));
  result.set_sample_acceptance(counts.Acceptance());
  result.mutable_sample_rejections()->insert(counts.rejected.begin(),
                                             counts.rejected.end());
}

double HitRate(const Instantiator::Counts& from,
               const Instantiator::Counts& to) {
  const auto hits = static_cast<double>(to.hits - from.hits);
  return hits / std::max(1.0, hits + static_cast<double>(to.misses) -
                                  static_cast<double>(from.misses));
}

void BenchMutation(ScheduleSpace& space, proto::ScheduleSubjectBench& result) {
  std::vector<Candidate> pool = MakePool(space, Rng(absl::GetFlag(FLAGS_seed)));
  Rng rng(absl::GetFlag(FLAGS_seed));
  DrawCounts counts;
  const auto next = RoundRobin();
  const Instantiator::Counts before = space.template_counts();
  result.set_mutations_per_second(PerSecond([&] {
    std::optional<Candidate> mutated;
    size_t i = 0;
    do {
      i = next();
      mutated = counts.Count(Mutate(space, pool[i], rng));
    } while (!mutated);
    pool[i] = *std::move(mutated);
  }));
  result.set_mutation_template_hits(HitRate(before, space.template_counts()));
  result.set_mutation_acceptance(counts.Acceptance());
  result.mutable_mutation_rejections()->insert(counts.rejected.begin(),
                                               counts.rejected.end());
}

// Of distinct ones, in the order drawn.
std::vector<Candidate> Stream(
    const std::function<absl::StatusOr<CandidateDraw>()>& draw) {
  std::vector<Candidate> stream;
  absl::flat_hash_set<Candidate> known;
  const size_t wanted = absl::GetFlag(FLAGS_candidates);
  for (size_t draws = 0; stream.size() < wanted && draws < 20 * wanted;
       ++draws) {
    auto candidate = DrawCounts().Count(draw());
    if (candidate && known.insert(*candidate).second)
      stream.push_back(*std::move(candidate));
  }
  return stream;
}

std::vector<Candidate> RandomStream(ScheduleSpace& space) {
  Rng rng(absl::GetFlag(FLAGS_seed));
  return Stream([&] { return Sample(space, rng); });
}

// As an evolution makes them: each from one of those before.
std::vector<Candidate> MutatedStream(ScheduleSpace& space) {
  std::vector<Candidate> pool = MakePool(space, Rng(absl::GetFlag(FLAGS_seed)));
  Rng rng(absl::GetFlag(FLAGS_seed));
  const auto next = RoundRobin();
  return Stream([&]() -> absl::StatusOr<CandidateDraw> {
    Candidate& parent = pool[next()];
    ASSIGN_OR_RETURN(CandidateDraw draw, Mutate(space, parent, rng));
    if (const auto* mutated = std::get_if<Candidate>(&draw)) parent = *mutated;
    return draw;
  });
}

absl::Status BenchPrograms(const SketchContext& context,
                           proto::ScheduleSubjectBench& result) {
  ProgramSymbols symbols;
  size_t used = 0;  // so that nothing is optimized away
  for (int run = 0; run < kStreamRuns; ++run) {
    ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> drawn,
                     ScheduleSpace::Create(context));
    const std::vector<Candidate> stream = RandomStream(*drawn);
    // Numbers of sketches are those of the space that drew them.
    drawn->ForgetTemplates();
    const Instantiator::Counts before = drawn->template_counts();
    const absl::Duration start = RealClock().Elapsed();
    for (const Candidate& candidate : stream) {
      ASSIGN_OR_RETURN(const Program* const program,
                       drawn->ProgramOf(candidate));
      ExtractSymbols(*program, symbols);
      used += symbols.stages.size();
    }
    const double rate = static_cast<double>(stream.size()) /
                        ToDoubleSeconds(RealClock().Elapsed() - start);
    result.set_programs_per_second(
        std::max(result.programs_per_second(), rate));
    result.set_template_hits(HitRate(before, drawn->template_counts()));
  }
  CHECK_GT(used, 0u);
  return absl::OkStatus();
}

absl::Status BenchDraft(const SketchContext& context,
                        proto::ScheduleSubjectBench& result) {
  const std::unique_ptr<DraftModel> draft = MakeDraftModel(context.target);
  double sum = 0;  // so that nothing is optimized away
  for (int run = 0; run < kStreamRuns; ++run) {
    ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                     ScheduleSpace::Create(context));
    const std::vector<Candidate> stream = MutatedStream(*space);
    const absl::Duration start = RealClock().Elapsed();
    for (const Candidate& candidate : stream) {
      ASSIGN_OR_RETURN(const Program* const program,
                       space->ProgramOf(candidate));
      sum += draft->Score(*program, context.target);
    }
    result.set_drafts_per_second(
        std::max(result.drafts_per_second(),
                 static_cast<double>(stream.size()) /
                     ToDoubleSeconds(RealClock().Elapsed() - start)));
  }
  CHECK_GT(sum, 0);
  return absl::OkStatus();
}

absl::Status BenchWholeDraft(const SketchContext& context,
                             proto::ScheduleSubjectBench& result) {
  constexpr DraftParameters kDraft = kPrunerPaper.draft;
  const std::unique_ptr<DraftModel> draft = MakeDraftModel(context.target);
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kStreamRuns; ++run) {
    ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                     ScheduleSpace::Create(context));
    Rng rng(absl::GetFlag(FLAGS_seed));
    RejectionCounts rejections;
    const absl::Duration start = RealClock().Elapsed();
    DraftScorer scorer(*draft, context.target);
    Evolution evolution(*space, scorer, kDraft.evolution);
    RETURN_IF_ERROR(evolution.RunFromRandom(kDraft.random_candidates,
                                            /*attempts=*/100, rng, rejections));
    const size_t found =
        evolution.Best(kDraft.size, [](const Candidate&) { return true; })
            .size();
    CHECK_GT(found, 0u);
    best = std::min(best,
                    absl::ToDoubleMilliseconds(RealClock().Elapsed() - start));
  }
  result.set_whole_draft_ms(best);
  return absl::OkStatus();
}

absl::Status BenchReplays(const SketchContext& context, ScheduleSpace& space,
                          proto::ScheduleSubjectBench& result) {
  std::vector<Schedule> schedules;
  std::vector<Program> programs;
  for (const Candidate& candidate :
       MakePool(space, Rng(absl::GetFlag(FLAGS_seed)))) {
    ASSIGN_OR_RETURN(Schedule schedule, space.ScheduleOf(candidate));
    ASSIGN_OR_RETURN(Program program,
                     Resolve(context.dag, schedule, context.target));
    schedules.push_back(std::move(schedule));
    programs.push_back(std::move(program));
  }
  const auto next = RoundRobin();
  size_t used = 0;
  ProgramSymbols symbols;
  result.set_symbols_per_second(PerSecond([&] {
    ExtractSymbols(programs[next()], symbols);
    used += symbols.stages.size();
  }));
  const std::unique_ptr<DraftModel> draft = MakeDraftModel(context.target);
  double scores = 0;
  result.set_scores_per_second(PerSecond(
      [&] { scores += draft->Score(programs[next()], context.target); }));
  CHECK_GT(scores, 0);
  result.set_replays_per_second(PerSecond([&] {
    const Program program =
        Resolve(context.dag, schedules[next()], context.target).value();
    ExtractSymbols(program, symbols);
    used += symbols.stages.size();
  }));
  CHECK_GT(used, 0u);
  return absl::OkStatus();
}

std::string Percent(double share) {
  return absl::StrFormat("%.1f%%", 100 * share);
}

std::string ToText(const proto::ScheduleSubjectBench& result) {
  Table rates({{"what", Table::Align::kLeft},
               {"per second"},
               {"each"},
               {"template hits"}});
  const auto add = [&](const char* what, double per_second,
                       const std::string& hits = "") {
    rates.AddRow({what, absl::StrFormat("%.0f", per_second),
                  FormatTime(absl::Seconds(1 / per_second)), hits});
  };
  add("all sketches", 1e3 / result.sketch_generation_ms());
  add("random candidates", result.samples_per_second());
  add("mutations", result.mutations_per_second(),
      Percent(result.mutation_template_hits()));
  add("genes to symbols", result.programs_per_second(),
      Percent(result.template_hits()));
  add("genes to drafts", result.drafts_per_second());
  add("whole drafts", 1e3 / result.whole_draft_ms());
  add("schedules to symbols", result.replays_per_second());
  add("symbols", result.symbols_per_second());
  add("scores of the draft model", result.scores_per_second());
  Table draws({{"draw", Table::Align::kLeft},
               {"outcome", Table::Align::kLeft},
               {"count"}});
  const auto add_rejections = [&](const char* draw, const auto& rejections) {
    for (const auto& [reason, count] :
         std::map<std::string, int64_t>(rejections.begin(), rejections.end())) {
      draws.AddRow({draw, reason, absl::StrCat(count)});
    }
  };
  draws.AddRow({"random", "accepted", Percent(result.sample_acceptance())});
  add_rejections("random", result.sample_rejections());
  draws.AddRow({"mutation", "accepted", Percent(result.mutation_acceptance())});
  add_rejections("mutation", result.mutation_rejections());
  return absl::StrCat(result.subject(), ": ", result.stages(), " stages, ",
                      result.sketches(), " sketches\n\n", rates.ToString(),
                      "\n", draws.ToString(), "\n");
}

absl::StatusOr<proto::ScheduleSubjectBench> Measure(
    const ScheduleSubject& subject, const TargetSpec& target) {
  ASSIGN_OR_RETURN(const AnalyzedPipeline analyzed,
                   AnalyzePipeline(subject.pipeline));
  const SketchContext context = {.dag = analyzed.dag, .target = target};
  proto::ScheduleSubjectBench result;
  result.set_subject(subject.name);
  result.set_stages(analyzed.dag.size());
  result.set_sketch_generation_ms(
      1e3 / PerSecond([&] { CHECK_OK(GenerateSketches(context)); }));
  ASSIGN_OR_RETURN(std::vector<Sketch> sketches, GenerateSketches(context));
  result.set_sketches(static_cast<int32_t>(sketches.size()));
  ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                   ScheduleSpace::Create(context));
  BenchSampling(*space, result);
  BenchMutation(*space, result);
  RETURN_IF_ERROR(BenchPrograms(context, result));
  RETURN_IF_ERROR(BenchDraft(context, result));
  RETURN_IF_ERROR(BenchWholeDraft(context, result));
  RETURN_IF_ERROR(BenchReplays(context, *space, result));
  return result;
}

absl::Status Run() {
  ASSIGN_OR_RETURN(const TargetSpec target,
                   LoadTargetSpec(absl::GetFlag(FLAGS_target)));
  ASSIGN_OR_RETURN(const std::vector<ScheduleSubject> subjects,
                   ScheduleSubjects(target));
  const std::string names = absl::GetFlag(FLAGS_subjects);
  proto::SchedulesBench result;
  result.set_target(target.name);
  std::printf("on %s\n\n", target.name.c_str());
  for (const absl::string_view name : absl::StrSplit(names, ',')) {
    ASSIGN_OR_RETURN(const ScheduleSubject* const subject,
                     FindNamed<ScheduleSubject>(subjects, "subjects", name));
    ASSIGN_OR_RETURN(*result.add_subjects(), Measure(*subject, target));
    std::fputs(ToText(*result.subjects().rbegin()).c_str(), stdout);
    std::fflush(stdout);
  }
  if (absl::GetFlag(FLAGS_json)) std::printf("%s\n", ToJson(result).c_str());
  return absl::OkStatus();
}

int Main() {
  const absl::Status status = Run();
  return status.ok() ? kExitOk : ReportError("schedules", status);
}

}  // namespace
}  // namespace pruner

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown here ends it.
int main(int argc, char** argv) {
  const std::optional<int> exit = pruner::InitTool(
      argc, argv,
      "Measures how fast schedules are made: sketches, random candidates, "
      "mutations, programs and symbols of three pipelines, on one core.",
      pruner::kSources);
  return exit ? *exit : pruner::Main();
}
