// Kernels that are wrong in the ways in which compiled code can be: each is
// found out, and what is said names it. The faults are put into real code while
// Halide lowers it.
#include "halide_ext/runner/candidate_runner.h"

#include <functional>
#include <string>
#include <utility>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/lower/directive.h"
#include "pruner/base/os/huge_memory.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

namespace ir = Halide::Internal;
using ::testing::HasSubstr;

// More floats than Halide keeps on the stack.
constexpr int kMany = 8192;

// What becomes of each Store.
using ChangeStore = std::function<ir::Stmt(const ir::Store&)>;

class Fault : public ir::IRMutator {
 public:
  explicit Fault(ChangeStore change) : change_(std::move(change)) {}

 protected:
  using IRMutator::visit;
  ir::Stmt visit(const ir::Store* op) override { return change_(*op); }

 private:
  ChangeStore change_;
};

ir::Stmt StoreAt(const ir::Store& store, const Halide::Expr& index) {
  return ir::Store::make(store.name, store.value, index, store.param,
                         store.predicate, ir::ModulusRemainder());
}

// out(x) = twice(x) + 1, and what runs candidates of it.
class Subject {
 public:
  explicit Subject(int elements)
      : pipeline_(*WorkloadPipeline::Load(Make(elements).pipeline)),
        runner_(*CandidateRunner::Create(
            pipeline_, /*seed=*/1,
            absl::StrCat(testing::TempDir(), "/reference_", elements),
            /*rotation=*/{}, copies_)) {}

  // A candidate, of which the fault changes the Stores to `func`.
  Kernel Compile(const std::string& func, const ChangeStore& change) const {
    TargetSpec target = SampleCpuTarget();
    target.halide_target = Halide::get_host_target().to_string();
    const auto of_func = [func, change](const ir::Store& store) {
      return store.name == func ? change(store) : ir::Stmt(&store);
    };
    return *pipeline_.Compile(
        [&](Halide::Pipeline& pipeline) {
          FuncsOf(pipeline).at("twice").compute_root();
          pipeline.add_custom_lowering_pass(new Fault(of_func));
          return absl::OkStatus();
        },
        target);
  }

  MeasureResult Measure(const Kernel& kernel,
                        const CandidateRunner::AfterRun& after_run = {}) {
    return *runner_.Measure(kernel, {}, after_run);
  }

 private:
  static Workload Make(int elements) {
    Halide::ImageParam in(Halide::Float(32), 1, "in");
    in.dim(0).set_bounds(0, elements);
    const Halide::Var x("x");
    // Not made unique by Halide, which would number them.
    Halide::Func twice(ir::Function("twice")), out(ir::Function("out"));
    twice(x) = in(x) * 2;
    out(x) = twice(x) + 1;
    out.bound(x, 0, elements);
    return *MakeWorkload("subject", out);
  }

  WorkloadPipeline pipeline_;
  HugeMemory copies_;
  CandidateRunner runner_;
};

// Of a candidate whose Stores to `func` are changed.
MeasureResult MeasureFault(int elements, const std::string& func,
                           const ChangeStore& change) {
  Subject subject(elements);
  return subject.Measure(subject.Compile(func, change));
}

ir::Stmt Unchanged(const ir::Store& store) { return &store; }

// But for the last element.
ChangeStore AllButTheLast(int elements) {
  return [elements](const ir::Store& store) {
    return ir::IfThenElse::make(store.index < elements - 1, &store);
  };
}

ir::Stmt OneFurther(const ir::Store& store) {
  return StoreAt(store, store.index + 1);
}

TEST(CandidateRunnerTest, GoodOnesAreTimed) {
  const MeasureResult result = MeasureFault(kMany, "out", Unchanged);
  ASSERT_TRUE(result.ok()) << result.failure->message;
  EXPECT_GE(result.seconds.size(), 3u);
  EXPECT_EQ(result.max_error, 0);
}

TEST(CandidateRunnerTest, AnElementThatIsNotWritten) {
  EXPECT_EQ(MeasureFault(25, "out", AllButTheLast(25)).failure,
            (Failure{FailureKind::kWrongResult,
                     "the output 'out' was not written at 1 of its 25 "
                     "elements"}));
}

TEST(CandidateRunnerTest, AnElementTooFar) {
  EXPECT_EQ(MeasureFault(25, "out", OneFurther).failure,
            (Failure{FailureKind::kOutOfBounds,
                     "the candidate touched byte 100 of 'out', beyond its "
                     "ends"}));
}

TEST(CandidateRunnerDeathTest, AnElementTooFarWhereAPageEnds) {
  EXPECT_DEATH(MeasureFault(1024, "out", OneFurther),
               "the candidate touched byte 4096 of 'out', beyond its ends");
}

TEST(CandidateRunnerTest, AnElementInFront) {
  const auto one_before = [](const ir::Store& store) {
    return StoreAt(store, store.index - 1);
  };
  EXPECT_EQ(MeasureFault(25, "out", one_before).failure,
            (Failure{FailureKind::kOutOfBounds,
                     "the candidate touched byte -4 of 'out', beyond its "
                     "ends"}));
}

TEST(CandidateRunnerTest, WhatOneDidIsNotHeldAgainstTheNext) {
  Subject subject(25);
  const Kernel wrong = subject.Compile("out", OneFurther);
  const Kernel good = subject.Compile("out", Unchanged);
  EXPECT_FALSE(subject.Measure(wrong).ok());
  EXPECT_TRUE(subject.Measure(good).ok());
}

// Fresh memory is full of zeros, and kept blocks of what the last run wrote,
// which may happen to be right.
TEST(CandidateRunnerTest, MemoryThatIsReadAndWasNotWritten) {
  EXPECT_EQ(MeasureFault(kMany, "twice", AllButTheLast(kMany)).failure,
            (Failure{FailureKind::kNotANumber,
                     "the output 'out' has 1 elements that are no finite "
                     "numbers, where the reference has some"}));
}

TEST(CandidateRunnerTest, AResultThatChangesFromRunToRun) {
  Subject subject(kMany);
  int runs = 0;
  const Failure failure =
      subject
          .Measure(subject.Compile("out", Unchanged),
                   [&](absl::Span<uint8_t> output) {
                     if (++runs == 2)
                       reinterpret_cast<float*>(output.data())[7] += 1;
                   })
          .failure.value();
  EXPECT_EQ(failure.kind, FailureKind::kWrongResult);
  EXPECT_THAT(failure.message,
              HasSubstr("in the last timed run, unlike the first: the output "
                        "'out' differs from the reference by "));
  EXPECT_THAT(failure.message, HasSubstr("most at element 7"));
}

}  // namespace
}  // namespace pruner
