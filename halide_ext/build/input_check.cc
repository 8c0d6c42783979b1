#include "halide_ext/build/input_check.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

Range From(int64_t min, int64_t extent) {
  return {.min = min, .max = min + extent - 1};
}

// Some sizes of outputs around the estimated ones.
std::vector<std::vector<Region>> SomeSizes(
    const std::vector<Region>& estimated) {
  std::vector<std::vector<Region>> all = {estimated};
  // Moved by some elements, or so many times the estimated extent.
  const auto add = [&](int64_t shift, auto extent_of, int64_t times = 0) {
    std::vector<Region>& regions = all.emplace_back(estimated);
    for (Region& region : regions) {
      for (Range& range : region) {
        range = From(range.min + shift + times * range.Extent(),
                     extent_of(range.Extent()));
      }
    }
  };
  add(0, [](int64_t) { return 1; });
  add(0, [](int64_t extent) { return extent + 1; });
  add(0, [](int64_t extent) { return (extent + 1) / 2; });
  add(0, [](int64_t extent) { return extent / 2 + 1; });
  add(-5, [](int64_t extent) { return extent / 3 + 1; });
  add(3, [](int64_t extent) { return 2 * extent + 5; });
  // Where all that is read may be clamped.
  for (const int64_t times : {-3, 2})
    add(0, [](int64_t extent) { return extent + extent / 2; }, times);
  return all;
}

// So many more, drawn by themselves along each dimension, with numbers that
// reductions may be over: what a schedule asks of an input may be too much at
// the edges of what is read alone, where one dimension is short and another is
// long, or where both are.
constexpr int kDrawnSizes = 64;

int64_t DrawExtent(int64_t estimate, Rng& rng) {
  switch (rng.Index(4)) {
    case 0:
      return 1;
    case 1:
      return rng.Uniform(1, std::min<int64_t>(estimate, 8));
    case 2:
      return rng.Uniform(1, estimate);
    default:
      return rng.Uniform(estimate, 3 * estimate + 3);
  }
}

std::vector<Region> DrawOutputs(std::vector<Region> outputs, Rng& rng) {
  const bool is_near = rng.Chance(0.7);
  for (Region& region : outputs) {
    for (Range& range : region) {
      const int64_t estimate = range.Extent();
      const int64_t extent = DrawExtent(estimate, rng);
      const int64_t most = is_near ? 9 : 2 * estimate;
      range = From(range.min + rng.Uniform(-most, most), extent);
    }
  }
  return outputs;
}

// Of so many more, all of which have the tiles of large outputs, parts may be
// moved inwards from an end that lies just inside what something is defined
// on, such as the domain of a reduction under a condition.
constexpr int kDrawnLargeSizes = 24;

std::vector<Region> DrawLargeOutputs(std::vector<Region> outputs, Rng& rng) {
  constexpr int kNear = 8;
  for (Region& region : outputs) {
    for (Range& range : region) {
      const int64_t estimate = range.Extent();
      const int64_t extent = rng.Uniform(estimate, 2 * estimate + 3);
      int64_t min = range.min;
      switch (rng.Index(3)) {
        case 0:  // where it is estimated
          min += rng.Uniform(-kNear, kNear);
          break;
        case 1:  // ends where that begins
          min += rng.Uniform(0, kNear) - (extent - 1);
          break;
        default:  // begins where that ends
          min = range.max - rng.Uniform(0, kNear);
          break;
      }
      range = From(min, extent);
    }
  }
  return outputs;
}

bool IsInside(const Region& inner, const Region& outer, size_t& d) {
  for (d = 0; d < inner.size(); ++d) {
    // Of x - x Halide finds only sometimes that it needs no x.
    if (outer[d].Extent() <= 0) continue;
    if (inner[d].min < outer[d].min || inner[d].max > outer[d].max)
      return false;
  }
  return true;
}

}  // namespace

std::vector<InputCheck::Call> InputCheck::Calls(
    const std::vector<Region>& estimated,
    const std::map<std::string, int64_t>& numbers) {
  std::vector<Call> calls;
  for (std::vector<Region>& outputs : SomeSizes(estimated))
    calls.push_back({.outputs = std::move(outputs)});
  const auto add = [&](std::vector<Region> outputs, auto number_of) {
    Call& call = calls.emplace_back(Call{.outputs = std::move(outputs)});
    for (const auto& [name, estimate] : numbers)
      call.numbers[name] = std::max<int64_t>(1, number_of(estimate));
  };
  if (!numbers.empty()) {
    // Numbers that reductions may be over: a little more, and less, and one, of
    // which no stage is as long as a tile.
    for (const int64_t more : {1, -1, 3})
      add(estimated, [more](int64_t estimate) { return estimate + more; });
    for (std::vector<Region>& outputs : SomeSizes(estimated))
      add(std::move(outputs), [](int64_t) { return 1; });
  }
  for (int i = 0; i < kDrawnSizes; ++i) {
    Rng rng(i);
    std::vector<Region> outputs = DrawOutputs(estimated, rng);
    add(std::move(outputs), [&](int64_t estimate) {
      return rng.Uniform(1, std::max<int64_t>(1, estimate + estimate / 2 + 1));
    });
  }
  for (int i = 0; i < kDrawnLargeSizes; ++i) {
    Rng rng(kDrawnSizes + i);
    add(DrawLargeOutputs(estimated, rng),
        [](int64_t estimate) { return estimate; });
  }
  return calls;
}

void InputCheck::Allow(RequiredInputs& needed, Call& call) {
  call.allowed = needed.For(call.outputs, call.numbers);
  for (size_t i = 0; i < needed.num_inputs(); ++i) {
    const std::optional<Region> given = needed.RegionThatMatters(i);
    size_t d = 0;
    if (!given || !call.allowed[i]) continue;
    // Nobody can call it so, or all of what is given may be read.
    if (IsInside(*call.allowed[i], *given, d)) {
      call.allowed[i] = given;
    } else {
      call.allowed[i].reset();
    }
  }
  // More than is computed of an output may well be there.
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    std::optional<Region>& region = call.allowed[needed.num_inputs() + i];
    if (!region) continue;
    for (size_t d = 0; d < region->size(); ++d) {
      Range& range = (*region)[d];
      range.min = std::min(range.min, call.outputs[i][d].min);
      range.max = std::max(range.max, call.outputs[i][d].max);
    }
  }
}

absl::StatusOr<InputCheck> InputCheck::Create(
    const WorkloadPipeline& pipeline) {
  InputCheck check(pipeline);
  ASSIGN_OR_RETURN(const Halide::Pipeline plain, pipeline.ReferencePipeline());
  ASSIGN_OR_RETURN(RequiredInputs needed, RequiredInputs::Of(plain));
  check.calls_ = Calls(EstimatedOutputs(pipeline), needed.estimates());
  for (Call& call : check.calls_) Allow(needed, call);
  return check;
}

absl::Status InputCheck::Check(const Schedule& schedule,
                               const TargetSpec& target) const {
  ASSIGN_OR_RETURN(const Halide::Pipeline scheduled,
                   pipeline_->Scheduled(schedule, target));
  ASSIGN_OR_RETURN(
      RequiredInputs asked,
      RequiredInputs::Of(scheduled, Halide::Target(target.halide_target)));
  return Check(std::move(asked));
}

absl::Status InputCheck::Check(RequiredInputs asked) const {
  for (const Call& call : calls_) {
    const std::vector<std::optional<Region>> regions =
        asked.For(call.outputs, call.numbers);
    for (size_t i = 0; i < regions.size(); ++i) {
      const std::optional<Region>& allowed = call.allowed[i];
      size_t d = 0;
      if (!allowed || (regions[i] && IsInside(*regions[i], *allowed, d)))
        continue;
      return absl::FailedPreconditionError(absl::StrCat(
          i < asked.num_inputs() ? "the input '" : "the output '",
          asked.names()[i], "' would have to be larger in dimension ", d));
    }
  }
  return absl::OkStatus();
}

}  // namespace pruner
