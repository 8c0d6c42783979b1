#include "halide_ext/lower/lower.h"

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "Halide.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "halide_ext/lower/inserted_stages.h"
#include "halide_ext/tests/printed_sample_schedules.h"
#include "halide_ext/tests/sample_schedules.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// What the pipeline lowers to, without the numbers that Halide puts behind
// names it has made before.
std::string LoweredText(Halide::Pipeline pipeline) {
  const std::string path = testing::TempDir() + "/lowered.stmt";
  pipeline.compile_to_lowered_stmt(
      path, pipeline.infer_arguments(), Halide::Text,
      Halide::Target("x86-64-linux-avx2-fma-no_asserts"));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return std::regex_replace(text.str(), std::regex("(\\$|__|\\bt)[0-9]*"), "");
}

TEST(LowerTest, PrintedCodeSchedulesAsDirectApplicationDoes) {
  const std::vector<SampleSchedule> samples = SampleSchedules();
  ASSERT_EQ(samples.size(), std::size(kPrintedSchedules));
  for (size_t i = 0; i < samples.size(); ++i) {
    const Halide::Pipeline direct = samples[i].make();
    const auto directives = LowerSchedule(
        samples[i].schedule, samples[i].analyzed, SampleCpuTarget());
    ASSERT_TRUE(directives.ok()) << directives.status();
    ASSERT_TRUE(ApplyDirectives(*directives, direct).ok());
    const Halide::Pipeline printed = samples[i].make();
    kPrintedSchedules[i](FuncsOf(printed));
    EXPECT_EQ(LoweredText(direct), LoweredText(printed))
        << PrintSchedule(samples[i].schedule);
  }
}

// Extents of the loops of each stage that Halide makes, by "func.definition",
// where all are left as loops. Without stages whose loops Halide shortens:
// where the padding is inlined it leaves out iterations that add nothing.
std::map<std::string, std::multiset<int64_t>> HalideExtents(
    const std::string& lowered) {
  std::map<std::string, std::multiset<int64_t>> extents;
  std::set<std::string> shortened;
  const std::regex loop(
      "for[^(]*\\((\\w+)\\.s([0-9]+)\\.[^,]*, ([^\n]*)\\) \\{");
  for (std::sregex_iterator i(lowered.begin(), lowered.end(), loop), end;
       i != end; ++i) {
    const std::string stage = absl::StrCat(i->str(1), ".", i->str(2));
    const std::string range = i->str(3);
    int64_t extent = 0;
    if (absl::SimpleAtoi(range.substr(range.rfind(' ') + 1), &extent) &&
        !absl::StrContains(range, " + ")) {
      extents[stage].insert(extent);
    } else {
      shortened.insert(stage);
    }
  }
  for (const std::string& stage : shortened) extents.erase(stage);
  return extents;
}

// The Func's name in Halide, without a number behind it.
std::string NameInHalide(const std::string& func) {
  return absl::StrReplaceAll(func,
                             {{".rf", "_intm"}, {".copy", "_global_wrapper"}});
}

TEST(LowerTest, LoopsOfExtentOneAreLeftOut) {
  const SampleSchedule sample = SampleSchedules()[0];
  const Schedule schedule = *ParseSchedule(
      "split stage=3 iterator=0 lengths=1,48 tail=guard\n"
      "split stage=3 iterator=3 lengths=5,16 tail=guard\n"
      "reorder stage=3 order=0,3,1,4,2,5\n");
  const auto directives =
      LowerSchedule(schedule, sample.analyzed, SampleCpuTarget());
  ASSERT_TRUE(directives.ok()) << directives.status();
  std::string text = PrintDirectives(*directives, "f");
  EXPECT_EQ(text.find("i_0"), std::string::npos) << text;
  EXPECT_NE(text.find("reorder({Var(\"j_2\"), Var(\"i\"), Var(\"j_1\")})"),
            std::string::npos)
      << text;
}

TEST(LowerTest, HalidesLoopsHaveTheExtentsThatReplayComputes) {
  int compared = 0;
  for (const SampleSchedule& sample : SampleSchedules()) {
    const Halide::Pipeline pipeline = sample.make();
    // Lanes for any loop: none is cut into vectors.
    TargetSpec target = SampleCpuTarget();
    target.units.simd_lanes = target.limits.vectorize_elements = 1 << 20;
    auto directives = LowerSchedule(sample.schedule, sample.analyzed, target);
    ASSERT_TRUE(directives.ok()) << directives.status();
    std::erase_if(*directives, [](const Directive& d) {
      return d.kind == DirectiveKind::kVectorize ||
             d.kind == DirectiveKind::kUnroll ||
             d.kind == DirectiveKind::kParallel;
    });
    ASSERT_TRUE(ApplyDirectives(*directives, pipeline).ok());
    for (auto& [name, func] : FuncsOf(pipeline)) {
      func.never_partition_all();
      if (func.has_update_definition()) func.update().never_partition_all();
    }
    const std::string lowered = LoweredText(pipeline);
    const auto halide = HalideExtents(lowered);
    const LoopState state = *Replay(sample.analyzed.dag, sample.schedule);
    const std::vector<FuncBinding> bindings =
        InsertStages(sample.schedule, sample.analyzed).bindings;
    for (int i = 0; i < state.dag->size(); ++i) {
      const FuncBinding& binding = bindings[i];
      if (state.stages[i].location == ComputeLocation::kInlined) continue;
      std::multiset<int64_t> expected;
      for (const Iterator& iterator : state.stages[i].iterators) {
        if (iterator.extent > 1) expected.insert(iterator.extent);
      }
      const auto found = halide.find(
          absl::StrCat(NameInHalide(binding.func), ".", binding.update + 1));
      if (found == halide.end()) continue;
      EXPECT_EQ(found->second, expected) << binding.func << "\n"
                                         << state.ToString() << lowered;
      ++compared;
    }
  }
  EXPECT_GE(compared, 30);
}

}  // namespace
}  // namespace pruner
