// What is read off Halide's lowering of sampled and random schedules: that it
// can be read, and agrees with itself and with an interpretation that takes
// every step.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/fuzz_subject.h"
#include "halide_ext/tests/halide_loops.h"
#include "halide_ext/tests/halide_passes.h"
#include "halide_ext/tests/sample_schedules.h"
#include "halide_ext/tests/trip_counts.h"
#include "pruner/base/clock.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

namespace hi = Halide::Internal;
using Halide::Expr;
using hi::ForType;

// CountTrips by running every iteration of every loop, with expressions
// evaluated by Halide's simplifier.
class BruteForce : public hi::IRVisitor {
 public:
  using IRVisitor::visit;

  static TripCounts Count(const hi::Stmt& statement) {
    BruteForce counter;
    Numbering numbering(counter);
    statement.accept(&numbering);
    statement.accept(&counter);
    return counter.counts_;
  }

 private:
  // Of loops and allocations in program order.
  class Numbering : public hi::IRVisitor {
   public:
    using IRVisitor::visit;

    explicit Numbering(BruteForce& counter) : counter_(counter) {}

    void visit(const hi::For* op) override {
      Add(op, counter_.counts_.loops);
      op->body.accept(this);
    }
    void visit(const hi::Allocate* op) override {
      Add(op, counter_.counts_.allocations);
      counter_.counts_.allocations.back().resize(op->extents.size());
      op->body.accept(this);
    }

   private:
    template <typename T>
    void Add(const void* op, std::vector<T>& counts) {
      counter_.number_[op] = static_cast<int>(counts.size());
      counts.emplace_back();
    }

    BruteForce& counter_;
  };

  std::optional<int64_t> Evaluate(const Expr& e) {
    const Expr value =
        hi::simplify(hi::remove_likelies(hi::substitute(values_, e)));
    if (const auto* imm = value.as<hi::IntImm>()) return imm->value;
    if (const auto* imm = value.as<hi::UIntImm>())
      return static_cast<int64_t>(imm->value);
    return std::nullopt;
  }

  int64_t Add(std::optional<int64_t> extent, TripCount& count) {
    const int64_t n = std::max<int64_t>(extent.value_or(1), 0);
    count.smallest = count.executions == 0 ? n : std::min(count.smallest, n);
    count.largest = std::max(count.largest, n);
    ++count.executions;
    count.iterations += n;
    count.is_exact &= extent.has_value() && unknown_ == 0;
    return n;
  }

  void visit(const hi::For* op) override {
    const std::optional<int64_t> extent = Evaluate(op->extent);
    const std::optional<int64_t> min = Evaluate(op->min);
    const int64_t n = Add(extent, counts_.loops[number_.at(op)]);
    unknown_ += !extent.has_value();
    for (int64_t i = 0; i < n; ++i) {
      if (min.has_value()) values_[op->name] = static_cast<int>(*min + i);
      op->body.accept(this);
    }
    values_.erase(op->name);
    unknown_ -= !extent.has_value();
  }

  void visit(const hi::LetStmt* op) override {
    if (op->value.type().is_int()) {
      if (const std::optional<int64_t> value = Evaluate(op->value))
        values_[op->name] = hi::make_const(op->value.type(), *value);
    }
    op->body.accept(this);
    values_.erase(op->name);
  }

  void visit(const hi::IfThenElse* op) override {
    const std::optional<int64_t> condition = Evaluate(op->condition);
    unknown_ += !condition.has_value();
    if (condition != 0) op->then_case.accept(this);
    if (condition.value_or(0) == 0 && op->else_case.defined())
      op->else_case.accept(this);
    unknown_ -= !condition.has_value();
  }

  void visit(const hi::Allocate* op) override {
    std::vector<TripCount>& counts = counts_.allocations[number_.at(op)];
    for (size_t i = 0; i < counts.size(); ++i)
      Add(Evaluate(op->extents[i]), counts[i]);
    op->body.accept(this);
  }

  std::map<const void*, int> number_;
  std::map<std::string, Expr> values_;
  int unknown_ = 0;  // conditions and extents around
  TripCounts counts_;
};

bool IsExact(const TripCounts& counts) {
  const auto is_exact = [](const TripCount& count) { return count.is_exact; };
  return std::all_of(counts.loops.begin(), counts.loops.end(), is_exact) &&
         std::all_of(counts.allocations.begin(), counts.allocations.end(),
                     [&](const std::vector<TripCount>& extents) {
                       return std::all_of(extents.begin(), extents.end(),
                                          is_exact);
                     });
}

// What is wrong with what was read off, for whatever schedule.
std::string Contradiction(const HalideProgram& program) {
  for (const HalideLoop& loop : program.loops) {
    const TripCount& trips = loop.trips;
    const int64_t around =
        loop.parent < 0 ? 1 : program.loops[loop.parent].trips.iterations;
    const bool runs_as_often =
        loop.guarded ? trips.executions <= around : trips.executions == around;
    if (trips.is_exact && !runs_as_often)
      return absl::StrCat(loop.name, " runs otherwise than what it is in");
    if (trips.iterations < trips.executions * trips.smallest ||
        trips.iterations > trips.executions * trips.largest)
      return absl::StrCat(loop.name, " has other iterations than extents");
    if (loop.constant_extent.has_value() && trips.executions > 0 &&
        (loop.constant_extent != trips.smallest ||
         loop.constant_extent != trips.largest))
      return absl::StrCat(loop.name, " is not as long as Halide says");
    const bool must_be_constant =
        loop.kind == ForType::Unrolled || loop.kind == ForType::Vectorized;
    if (must_be_constant && !loop.constant_extent.has_value())
      return absl::StrCat(loop.name, " has no constant extent");
  }
  for (const HalideStore& store : program.stores) {
    int64_t copies = 1, lanes = 1;
    for (int i = store.loop; i >= 0; i = program.loops[i].parent) {
      const HalideLoop& loop = program.loops[i];
      if (loop.kind == ForType::Unrolled) copies *= *loop.constant_extent;
      if (loop.kind == ForType::Vectorized) lanes *= *loop.constant_extent;
    }
    if (store.definition < 0)
      return absl::StrCat("a store of ", store.func, " of no definition");
    if (store.copies > copies || (store.copies > 0 && store.lanes.empty()))
      return absl::StrCat("copies of ", store.func, " without loops");
    if (!store.lanes.empty() && store.lanes.back() > lanes)
      return absl::StrCat("vectors of ", store.func, " without loops");
  }
  return "";
}

// Lowers scheduled pipelines, checks what comes of them, and keeps count.
class Checker {
 public:
  void Check(const WorkloadPipeline& pipeline, const Schedule& schedule,
             const TargetSpec& target, const std::string& name) {
    const absl::StatusOr<Halide::Pipeline> scheduled =
        pipeline.Scheduled(schedule, target);
    ASSERT_TRUE(scheduled.ok()) << name << ": " << scheduled.status();
    const Halide::Target halide_target = pipeline.HalideTarget(target);
    const absl::Duration start = RealClock().Elapsed();
    const absl::StatusOr<HalideProgram> program =
        LowerWithHalide(*scheduled, halide_target);
    const absl::Duration time = RealClock().Elapsed() - start;
    ASSERT_TRUE(program.ok()) << name << ": " << program.status() << "\n"
                              << PrintSchedule(schedule);
    EXPECT_EQ(Contradiction(*program), "")
        << name << "\n"
        << program->ToString() << PrintSchedule(schedule);
    for (const HalideAccess& access : program->accesses) {
      if (IsInside(access, pipeline)) continue;
      ++outside_;
      std::cout << name << PrintSchedule(schedule) << access.buffer
                << " is touched outside\n";
      break;
    }
    ++pairs_;
    loops_ += static_cast<int>(program->loops.size());
    total_ += time;
    longest_ = std::max(longest_, time);
    CheckCounts(*program, *scheduled, halide_target, name);
  }

  // Of all pairs.
  void Print() const {
    std::cout << absl::StrFormat(
        "%d pairs, %d loops, %d varying extents; %.1f ms each, %.1f ms at "
        "most, of which counting %.2f ms, %.1f ms at most; %d compared with "
        "every step; %d touch what lies beside an input or output\n",
        pairs_, loops_, varying_, absl::ToDoubleMilliseconds(total_) / pairs_,
        absl::ToDoubleMilliseconds(longest_),
        absl::ToDoubleMilliseconds(counting_) / pairs_,
        absl::ToDoubleMilliseconds(longest_counting_), compared_, outside_);
  }
  int pairs() const { return pairs_; }
  int compared() const { return compared_; }

 private:
  static bool IsInside(const HalideAccess& access,
                       const WorkloadPipeline& pipeline) {
    for (const KernelArgument& argument : pipeline.arguments()) {
      if (argument.name != access.buffer) continue;
      const size_t i = argument.shape.size() - 1 - access.dimension;
      const int64_t end = argument.min[i] + argument.shape[i];
      return access.min.value_or(argument.min[i]) >= argument.min[i] &&
             access.max.value_or(end - 1) < end;
    }
    return true;
  }

  void CheckCounts(const HalideProgram& program,
                   const Halide::Pipeline& scheduled,
                   const Halide::Target& target, const std::string& name) {
    const hi::Stmt statement = LowerUntilUnrolling(scheduled, target).body;
    const absl::Duration start = RealClock().Elapsed();
    const absl::StatusOr<TripCounts> counts = CountTrips(statement);
    const absl::Duration time = RealClock().Elapsed() - start;
    counting_ += time;
    longest_counting_ = std::max(longest_counting_, time);
    int64_t iterations = 0;
    bool varies = false;
    for (const HalideLoop& loop : program.loops) {
      iterations += loop.trips.iterations;
      varies |= !loop.constant_extent.has_value();
      varying_ += !loop.constant_extent.has_value();
    }
    // What varies is what there are shortcuts for.
    constexpr int64_t kFew = 300, kMany = 3000;
    if (iterations > (varies ? kMany : kFew)) return;
    const TripCounts expected = BruteForce::Count(statement);
    // What simplification alone does not evaluate can't be compared.
    if (!IsExact(expected)) return;
    ++compared_;
    EXPECT_TRUE(expected == *counts) << name << "\n" << program.ToString();
  }

  int pairs_ = 0, loops_ = 0, varying_ = 0, compared_ = 0, outside_ = 0;
  absl::Duration total_, longest_, counting_, longest_counting_;
};

WorkloadPipeline Load(const Halide::Pipeline& pipeline) {
  return *WorkloadPipeline::Load(MakeWorkload("sample", pipeline)->pipeline);
}

TEST(HalideLoopsFuzzTest, SampleSchedules) {
  Checker checker;
  for (const SampleSchedule& sample : SampleSchedules()) {
    checker.Check(Load(sample.make()), sample.schedule, SampleCpuTarget(),
                  sample.name);
  }
  checker.Print();
}

void CheckRandomPipelines(FuzzMode mode, int pipelines, int schedules,
                          Checker& checker) {
  for (int seed = 1; seed <= pipelines; ++seed) {
    std::string text;
    absl::StatusOr<FuzzSubject> subject = FuzzSubject::Create(seed, mode, text);
    ASSERT_TRUE(subject.ok()) << subject.status();
    const absl::StatusOr<WorkloadPipeline> pipeline =
        WorkloadPipeline::Load(subject->workload().pipeline);
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    for (int which = 0; which < schedules; ++which) {
      const absl::StatusOr<std::optional<Schedule>> schedule =
          subject->Draw(which);
      ASSERT_TRUE(schedule.ok()) << schedule.status();
      if (!schedule->has_value()) continue;
      checker.Check(
          *pipeline, **schedule, FuzzTarget(mode),
          absl::StrCat("seed ", seed, ", schedule ", which, "\n", text));
    }
  }
  checker.Print();
}

TEST(HalideLoopsFuzzTest, RandomPipelines) {
  Checker checker;
  CheckRandomPipelines({}, 200, 4, checker);
  EXPECT_GE(checker.pairs(), 700);
  EXPECT_GE(checker.compared(), 50);
}

TEST(HalideLoopsFuzzTest, RandomPipelinesForThreads) {
  Checker checker;
  CheckRandomPipelines({.backend = Backend::kOpenCl}, 40, 3, checker);
  EXPECT_GE(checker.pairs(), 80);
}

}  // namespace
}  // namespace pruner
