#include "halide_ext/tests/random_steps.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "pruner/schedule/infer_bounds.h"
#include "pruner/schedule/replay.h"

namespace pruner {
namespace {

// Iterations of all stages together, and tasks of parallel loops.
constexpr int64_t kMaxWork = 2'000'000;
constexpr int64_t kMaxTasks = 2000;
// What is unrolled or vectorized is compiled as often.
constexpr int64_t kMaxUnrolledLoop = 6;
constexpr int kMaxUnrolledLoops = 3;
constexpr int64_t kMaxVectorLoop = 48;

class Generator {
 public:
  Generator(const ComputeDag& dag, Rng& rng)
      : rng_(rng), loops_(NaiveState(dag)), inferred_(loops_) {}

  Schedule Make() {
    if (rng_.Chance(0.3)) InsertStage();
    for (int64_t i = rng_.Uniform(0, 14); i > 0; --i) AddStructure();
    for (int stage = 0; stage < NumStages(); ++stage) Annotate(stage);
    return std::move(schedule_);
  }

 private:
  int NumStages() const { return loops_.dag->size(); }
  int NumLoops(int stage) const {
    return static_cast<int>(loops_.stages[stage].iterators.size());
  }
  int AnyStage() { return static_cast<int>(rng_.Index(NumStages())); }
  int AnyLoop(int stage) {
    return static_cast<int>(rng_.Uniform(0, std::max(0, NumLoops(stage) - 1)));
  }
  Tail AnyTail() { return static_cast<Tail>(rng_.Uniform(0, 2)); }

  // Adds the step if it fits.
  void Try(TransformStep step) {
    schedule_.steps.push_back(std::move(step));
    LoopState loops = loops_;
    if (ApplyStep(schedule_, static_cast<int>(schedule_.steps.size()) - 1,
                  loops)
            .ok()) {
      LoopState inferred = loops;
      if (InferBounds(inferred).ok() && Work(inferred) <= kMaxWork) {
        loops_ = std::move(loops);
        inferred_ = std::move(inferred);
        return;
      }
    }
    schedule_.steps.pop_back();
  }

  static int64_t Iterations(const StageState& stage, int loops) {
    int64_t product = 1;
    for (int i = 0; i < loops; ++i) {
      product = std::min(product * stage.iterators[i].extent, kMaxWork + 1);
    }
    return product;
  }

  // How often the stage is computed.
  static int64_t Executions(const LoopState& state, int stage) {
    const StageState& s = state.stages[stage];
    if (s.location != ComputeLocation::kAt) return 1;
    return std::min(kMaxWork + 1,
                    Iterations(state.stages[s.at_stage], s.at_iterator + 1) *
                        Executions(state, s.at_stage));
  }

  static int64_t Work(const LoopState& state) {
    int64_t work = 0;
    for (int i = 0; i < state.dag->size(); ++i) {
      const StageState& s = state.stages[i];
      if (s.location == ComputeLocation::kInlined) continue;
      work += Executions(state, i) *
              Iterations(s, static_cast<int>(s.iterators.size()));
    }
    return work;
  }

  void InsertStage() {
    const int stage = AnyStage();
    switch (rng_.Uniform(0, 2)) {
      case 0:
        return Try(CacheWriteStep{.stage = stage});
      case 1: {
        const std::vector<int>& consumers = loops_.dag->consumers(stage);
        std::vector<int64_t> readers;
        for (int consumer : consumers) {
          if (rng_.Chance(0.7)) readers.push_back(consumer);
        }
        if (readers.empty()) return;
        const int before = NumStages();
        Try(CacheReadStep{.stage = stage, .readers = readers});
        if (NumStages() > before && rng_.Chance(0.7))
          StoreInAnyOrder(stage + 1);
        return;
      }
      default: {
        const Stage& s = loops_.dag->stage(stage);
        if (!s.HasReduction()) return;
        const int rank = s.SpatialRank();
        const int last = static_cast<int>(s.axes.size()) - 1;
        Try(RfactorStep{.stage = stage,
                        .axis = static_cast<int>(rng_.Uniform(rank, last)),
                        .factor = rng_.Uniform(1, 5),
                        .part = rng_.Chance(0.5) ? RfactorPart::kOuter
                                                 : RfactorPart::kInner});
      }
    }
  }

  void AddStructure() {
    const int stage = AnyStage();
    if (loops_.dag->stage(stage).kind != StageKind::kCompute) return;
    const int64_t kind = rng_.Uniform(0, 10);
    if (kind <= 2) {
      Split(stage);
    } else if (kind == 3) {
      Try(FuseStep{.stage = stage,
                   .iterator = AnyLoop(stage),
                   .count = static_cast<int>(rng_.Uniform(2, 3))});
    } else if (kind == 4) {
      std::vector<int64_t> order(NumLoops(stage));
      std::iota(order.begin(), order.end(), 0);
      rng_.Shuffle(order);
      Try(ReorderStep{.stage = stage, .order = order});
    } else if (kind <= 7) {
      ComputeAt(stage);
    } else if (kind == 8) {
      if (IsFree(stage)) Try(ComputeInlineStep{.stage = stage});
    } else if (kind == 9) {
      Try(ComputeRootStep{.stage = stage});
    } else {
      StoreInAnyOrder(stage);
    }
  }

  void StoreInAnyOrder(int stage) {
    std::vector<int64_t> order(loops_.dag->stage(stage).SpatialRank());
    std::iota(order.begin(), order.end(), 0);
    rng_.Shuffle(order);
    Try(StorageOrderStep{.stage = stage, .order = order});
  }

  void Split(int stage) {
    static constexpr int64_t kLengths[] = {1, 2, 2, 3, 4, 4, 5, 7, 8, 16};
    SplitStep step = {.stage = stage,
                      .iterator = AnyLoop(stage),
                      .lengths = {},
                      .tail = AnyTail()};
    for (int64_t i = rng_.Uniform(1, 3); i > 0; --i)
      step.lengths.push_back(rng_.Pick(kLengths));
    Try(step);
  }

  // Nothing is computed in its loops.
  bool IsFree(int stage) const {
    return std::none_of(
        loops_.stages.begin(), loops_.stages.end(), [&](const StageState& s) {
          return s.location == ComputeLocation::kAt && s.at_stage == stage;
        });
  }

  void ComputeAt(int stage) {
    if (stage + 1 >= NumStages()) return;
    const std::vector<int>& consumers = loops_.dag->consumers(stage);
    int target = static_cast<int>(rng_.Uniform(stage + 1, NumStages() - 1));
    if (!consumers.empty() && rng_.Chance(0.6)) target = rng_.Pick(consumers);
    // What is inlined has no loops.
    if (loops_.stages[target].location == ComputeLocation::kInlined) return;
    Try(ComputeAtStep{.stage = stage,
                      .target_stage = target,
                      .target_iterator = AnyLoop(target)});
    const bool is_there = loops_.stages[stage].location == ComputeLocation::kAt;
    if (is_there && loops_.dag->stage(stage).IsSlidable() && rng_.Chance(0.5))
      Try(SlideStep{.stage = stage});
  }

  // The innermost loop of the stage in which another is computed; -1 if none.
  int InnermostOccupied(int stage) const {
    int innermost = -1;
    for (const StageState& s : loops_.stages) {
      if (s.location == ComputeLocation::kAt && s.at_stage == stage)
        innermost = std::max(innermost, s.at_iterator);
    }
    return innermost;
  }

  void SetAnnotation(int stage, int loop, Annotation annotation) {
    Try(AnnotateStep{
        .stage = stage, .iterator = loop, .annotation = annotation});
  }

  void Annotate(int stage) {
    if (loops_.stages[stage].location == ComputeLocation::kInlined) return;
    const int count = NumLoops(stage);
    if (count == 0) return;
    // Halide neither computes other stages in a vector's lanes, nor has it
    // parallel loops there.
    int vector = count;
    if (rng_.Chance(0.7)) {
      const int loop = AnyLoop(stage);
      const Iterator& iterator = inferred_.stages[stage].iterators[loop];
      if (iterator.kind == AxisKind::kSpatial &&
          iterator.extent <= kMaxVectorLoop &&
          loop > InnermostOccupied(stage)) {
        SetAnnotation(stage, loop, Annotation::kVectorize);
        vector = loop;
      }
    }
    for (int loop = 0; loop < count; ++loop) {
      const Iterator iterator = inferred_.stages[stage].iterators[loop];
      if (iterator.annotation != Annotation::kNone) continue;
      if (iterator.extent <= kMaxUnrolledLoop &&
          num_unrolled_ < kMaxUnrolledLoops && rng_.Chance(0.2)) {
        ++num_unrolled_;
        SetAnnotation(stage, loop, Annotation::kUnroll);
      } else if (iterator.kind == AxisKind::kSpatial && loop < vector &&
                 rng_.Chance(0.2) && Tasks(stage, loop) <= kMaxTasks) {
        SetAnnotation(stage, loop, Annotation::kParallel);
      }
    }
    if (rng_.Chance(0.2))
      Try(AutoUnrollStep{.stage = stage, .max_step = rng_.Uniform(0, 16)});
    if (rng_.Chance(0.3)) Stream(stage);
  }

  void Stream(int stage) {
    const std::vector<Access>& reads = loops_.dag->stage(stage).reads;
    if (reads.empty()) return;
    static constexpr int64_t kBytes[] = {64, 256, 1024, 4096, 1 << 20};
    Try(StreamStep{.stage = stage,
                   .source = rng_.Pick(reads).stage,
                   .max_bytes = rng_.Pick(kBytes)});
  }

  int64_t Tasks(int stage, int loop) const {
    return Executions(inferred_, stage) *
           Iterations(inferred_.stages[stage], loop + 1);
  }

  Rng& rng_;
  Schedule schedule_;
  LoopState loops_;     // what the steps make
  LoopState inferred_;  // the same with bounds
  int num_unrolled_ = 0;
};

}  // namespace

Schedule RandomSteps(const ComputeDag& dag, Rng& rng) {
  return Generator(dag, rng).Make();
}

}  // namespace pruner
