// docs/life_of_a_candidate.md: what it shows is what comes out here.
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "pruner/analysis/program_symbols.h"
#include "pruner/base/rng.h"
#include "pruner/program/resolve.h"
#include "pruner/record/measure_record.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/decision.h"
#include "pruner/target/sample_targets.h"
#include "tools/tests/golden.h"

namespace pruner {
namespace {

class Page {
 public:
  Page(const std::string& title, const std::string& text)
      : text_(absl::StrCat("# ", title, "\n\n", text, "\n")) {}

  void Add(const std::string& title, const std::string& words,
           const std::string& value) {
    absl::StrAppend(&text_, "\n## ", ++number_, ". ", title, "\n\n", words,
                    "\n\n```\n", value, value.ends_with('\n') ? "" : "\n",
                    "```\n");
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int number_ = 0;
};

std::string SymbolsText(const Program& program) {
  ProgramSymbols symbols;
  ExtractSymbols(program, symbols);
  std::string text;
  for (int i = 0; i < program.dag->size(); ++i) {
    const StageSymbols& s = symbols.stages[i];
    if (s.is_absent) continue;
    absl::StrAppend(&text, program.dag->stage(i).name, ": parallel_extent ",
                    s.parallel_extent, ", vector_elements ", s.vector_elements,
                    ", unrolled_statements ", s.unrolled_statements,
                    ", accumulators ", s.accumulators, ", region_elements ",
                    s.region_elements, ", executions ", s.executions, "\n");
  }
  return text;
}

TEST(LifeOfACandidateTest, IsWhatTheDocumentShows) {
  const Workload workload =
      *MakeWorkload("product", MatmulReluPipeline(/*rows=*/64, /*columns=*/128,
                                                  /*depth=*/32));
  const TargetSpec target = SampleCpuTarget();
  Page page(
      "The life of a candidate",
      "One matrix product with a ReLU, from the pipeline to the log, as values "
      "that print themselves. A test\n(`//tools/tests:life_of_a_candidate_test`"
      ") makes this page; the machine is the sample CPU of the tests.");
  page.Add(
      "Workload (`pruner/workload`)",
      "A serialized Halide pipeline, here max(A·B, 0); its key is a hash of "
      "what it computes.",
      absl::StrCat("key ", ToString(workload.key)));
  page.Add("DAG (`pruner/dag`)",
           "What the analysis finds in it: stages with their axes, operations "
           "and reads.",
           workload.dag.ToString());

  const SketchContext context = {.dag = workload.dag, .target = target};
  const auto space = *ScheduleSpace::Create(context);
  Rng rng(5);
  Candidate candidate;
  for (;;) {
    const CandidateDraw draw = *Sample(*space, rng);
    const auto* drawn = std::get_if<Candidate>(&draw);
    if (drawn == nullptr) continue;
    candidate = *drawn;
    if (space->sketch(candidate.sketch).decisions.size() >= 4) break;
  }
  const Sketch& sketch = space->sketch(candidate.sketch);
  page.Add(
      "Sketch (`pruner/sketch`)",
      absl::StrCat("Rules decide the structure, from the last stage to "
                   "the first: `",
                   sketch.derivation, "`. Lengths of 0 are open, here one of ",
                   space->num_sketches(), " sketches."),
      PrintSchedule(sketch.schedule));
  std::string decisions;
  for (const Decision& decision : sketch.decisions)
    absl::StrAppend(&decisions, DecisionText(decision), "\n");
  page.Add("Decisions (`pruner/sketch/decision.h`)",
           "What the sketch leaves open, and which values each may have.",
           decisions);
  page.Add("Candidate (`pruner/sketch/candidate.h`)",
           "A sketch and a value for each decision: the genes. Drawn, mutated, "
           "crossed and compared; kept in the log.",
           space->GenesOf(candidate));

  const Schedule schedule = *space->ScheduleOf(candidate);
  page.Add("Schedule (`pruner/schedule`)",
           "The steps that the genes stand for. What is stored and sent to "
           "workers.",
           PrintSchedule(schedule));
  const Program program = *Resolve(workload.dag, schedule, target);
  page.Add("Program (`pruner/program`)",
           "What will run: every decision about loops is taken here.",
           program.ToString());
  page.Add("Symbols (`pruner/analysis`)",
           "The numbers that limits and models look at.", SymbolsText(program));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  page.Add(
      "Directives (`halide_ext/lower`)",
      "The program in Halide's words, applied by a worker, which compiles, "
      "checks and times it, and printed for people.",
      *pipeline.PrintCpp(schedule, target, "product"));
  MeasureRecord record = {.workload = workload.key,
                          .target = TargetKeyOf(target),
                          .run = 1,
                          .schedule = schedule,
                          .genes = space->GenesOf(candidate)};
  record.result = {.seconds = {2.5e-6, 2.25e-6}, .compile_seconds = 0.08};
  page.Add("Record (`pruner/record`)",
           "What the log keeps of it, as `records` prints it; with times that "
           "are made up, as they differ from run to run.",
           PrintRecord(record, workload.name));
  ExpectGolden("//tools/tests:life_of_a_candidate_test",
               "docs/life_of_a_candidate.md", page.text());
}

}  // namespace
}  // namespace pruner
