#include "tools/bench/operator_suite.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/runner/tensor_values.h"
#include "halide_ext/tests/checked_kernels.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr int kLanes = 16;

TEST(OperatorSuiteTest, FourShapesInTwoBatchesOfEveryOperator) {
  for (SuiteSizes sizes : {SuiteSizes::kFull, SuiteSizes::kReduced}) {
    std::map<std::string, int> count;
    std::set<std::string> names;
    for (const OperatorCase& c : OperatorSuite(sizes, kLanes)) {
      ++count[c.op];
      names.insert(c.Name());
    }
    EXPECT_EQ(count.size(), 13u);
    for (const auto& [op, cases] : count) EXPECT_EQ(cases, 8) << op;
    EXPECT_EQ(names.size(), 104u);
  }
}

struct Expected {
  std::string name;
  double gflop = 0;
};

// From the operators' definitions, by hand.
TEST(OperatorSuiteTest, FullSizesDoTheKnownNumberOfOperations) {
  std::map<std::string, double> gflop;
  for (const OperatorCase& c : OperatorSuite(SuiteSizes::kFull, kLanes)) {
    const auto workload = MakeWorkload(c.Name(), c.make());
    ASSERT_TRUE(workload.ok()) << c.Name() << ": " << workload.status();
    gflop[c.Name()] = static_cast<double>(workload->dag.Flops()) * 1e-9;
  }
  const std::vector<Expected> expected = {
      {"C1D_1_b1", 2e-9 * 128 * 128 * 64 * 3},
      {"C2D_1_b1", 2e-9 * 112 * 112 * 64 * 3 * 49},
      {"C2D_4_b16", 2e-9 * 16 * 7 * 7 * 512 * 512 * 9},
      {"C3D_1_b1", 2e-9 * 8 * 112 * 112 * 64 * 3 * 343},
      {"GMM_4_b1", 2e-9 * 1024 * 1024 * 1024},
      {"GRP_1_b1", 2e-9 * 28 * 28 * 128 * 16 * 9},
      {"DIL_1_b1", 2e-9 * 109 * 109 * 64 * 3 * 49},
      {"DEP_2_b1", 2e-9 * 56 * 56 * 64 * 9},
      {"T2D_1_b1", 2e-9 * 8 * 8 * 512 * 256 * 4},
      {"CAP_1_b1", 2e-9 * 8 * 8 * 16 * 32 * 32 * 4 * 9},
      {"NRM_4_b16", 2e-9 * 16 * 4096 * 1024},
  };
  for (const Expected& e : expected)
    EXPECT_NEAR(gflop[e.name], e.gflop, 1e-6 * e.gflop) << e.name;
}

struct ReducedCase {
  OperatorCase c;
  TargetSpec target;

  std::string Name() const {
    return c.Name() + (target.backend == Backend::kHost ? "" : "_opencl");
  }
  friend void PrintTo(const ReducedCase& reduced, std::ostream* out) {
    *out << reduced.Name();
  }
};

// All on the host; a batch of one on OpenCL as well, where each kernel takes
// the driver a second to compile.
std::vector<ReducedCase> ReducedCases() {
  std::vector<ReducedCase> cases;
  for (const OperatorCase& c : OperatorSuite(SuiteSizes::kReduced, kLanes))
    cases.push_back({c, CheckedTarget()});
  for (const OperatorCase& c : OperatorSuite(SuiteSizes::kReduced, kLanes)) {
    if (c.batch == 1) cases.push_back({c, SampleOpenClTarget()});
  }
  return cases;
}

class ReducedCaseTest : public testing::TestWithParam<ReducedCase> {};

// The first complete schedule that is drawn from the sketch; none if most draws
// are rejected.
std::vector<Schedule> SampleOf(const SketchContext& context,
                               const Sketch& sketch) {
  ScheduleSampler sampler = *ScheduleSampler::Create(context, {sketch});
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const auto draw = sampler.Sample(rng);
    EXPECT_TRUE(draw.ok()) << draw.status();
    if (!draw.ok()) break;
    if (const auto* schedule = std::get_if<Schedule>(&*draw))
      return {*schedule};
  }
  return {};
}

TEST_P(ReducedCaseTest, EverySketchGivesARightKernel) {
  const TargetSpec& target = GetParam().target;
  if (EndsWithout("opencl", DeviceAvailable(target))) return;
  const auto workload = MakeWorkload(GetParam().Name(), GetParam().c.make());
  ASSERT_TRUE(workload.ok()) << workload.status();
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload->pipeline);
  const auto reference = RunChecked(pipeline, *pipeline.CompileReference());
  ASSERT_TRUE(reference.ok()) << reference.status();
  const SketchContext context = {.dag = workload->dag, .target = target};
  const std::vector<Sketch> sketches = *GenerateSketches(context);
  for (const Sketch& sketch : sketches) {
    SCOPED_TRACE(sketch.derivation);
    const std::vector<Schedule> samples = SampleOf(context, sketch);
    EXPECT_EQ(samples.size(), 1u) << "too few draws are candidates";
    for (const Schedule& schedule : samples) {
      SCOPED_TRACE(PrintSchedule(schedule));
      const auto kernel = pipeline.Compile(schedule, target);
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      const auto actual = RunChecked(pipeline, *kernel);
      ASSERT_TRUE(actual.ok()) << actual.status();
      // Sums of small integers are exact. Vectors of exponentials and roots are
      // computed by other code than single ones.
      EXPECT_LE(RelativeError(*actual, *reference), 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, ReducedCaseTest,
                         testing::ValuesIn(ReducedCases()),
                         [](const auto& info) { return info.param.Name(); });

}  // namespace

}  // namespace pruner
