#include "halide_ext/build/required_inputs.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/kernel_argument.h"
#include "halide_ext/build/partly_lowered.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

namespace hi = Halide::Internal;

// Whatever has a name outside of loops, the bounds of inputs among it.
class LetCollector : public hi::IRVisitor {
 public:
  std::vector<std::pair<std::string, Halide::Expr>> lets;

 protected:
  using IRVisitor::visit;
  void visit(const hi::LetStmt* op) override {
    lets.emplace_back(op->name, op->value);
    op->body.accept(this);
  }
  void visit(const hi::For*) override {}
};

std::string SizeName(const std::string& tensor, const char* what, size_t d,
                     const char* suffix = "") {
  return absl::StrCat(tensor, ".", what, ".", d, suffix);
}

void SetRegion(const std::string& tensor, const Region& region,
               std::map<std::string, int64_t>& numbers) {
  for (size_t d = 0; d < region.size(); ++d) {
    numbers[SizeName(tensor, "min", d)] = region[d].min;
    numbers[SizeName(tensor, "extent", d)] = region[d].Extent();
  }
}

// What is estimated of a parameter.
void SetEstimates(const Halide::Argument& argument,
                  std::map<std::string, int64_t>& numbers) {
  const Halide::ArgumentEstimates& estimates = argument.argument_estimates;
  if (argument.is_scalar()) {
    const auto value = estimates.scalar_estimate.defined()
                           ? hi::as_const_int(estimates.scalar_estimate)
                           : std::nullopt;
    numbers[argument.name] = value.value_or(0);
    return;
  }
  for (size_t d = 0; d < estimates.buffer_estimates.size(); ++d) {
    const Halide::Range& range = estimates.buffer_estimates[d];
    if (!range.min.defined() || !range.extent.defined()) continue;
    const auto min = hi::as_const_int(range.min);
    const auto extent = hi::as_const_int(range.extent);
    if (min) numbers[SizeName(argument.name, "min", d)] = *min;
    if (extent) numbers[SizeName(argument.name, "extent", d)] = *extent;
  }
}

// Some sizes of outputs around the estimated ones.
std::vector<std::vector<Region>> SomeSizes(const WorkloadPipeline& pipeline) {
  const std::vector<Region> estimated = EstimatedOutputs(pipeline);
  std::vector<std::vector<Region>> all = {estimated};
  // Moved by some elements, or so many times the estimated extent.
  const auto add = [&](int64_t shift, auto extent_of, int64_t times = 0) {
    std::vector<Region>& regions = all.emplace_back(estimated);
    for (Region& region : regions) {
      for (Range& range : region) {
        const int64_t extent = extent_of(range.Extent());
        range.min += shift + times * range.Extent();
        range.max = range.min + extent - 1;
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
      range.min += rng.Uniform(-most, most);
      range.max = range.min + extent - 1;
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

std::vector<Region> EstimatedOutputs(const WorkloadPipeline& pipeline) {
  std::vector<Region> regions;
  const std::vector<KernelArgument>& arguments = pipeline.arguments();
  for (size_t i = pipeline.num_inputs(); i < arguments.size(); ++i) {
    Region& region = regions.emplace_back();
    for (size_t d = arguments[i].shape.size(); d-- > 0;) {
      const int64_t min = arguments[i].min[d];
      region.push_back({.min = min, .max = min + arguments[i].shape[d] - 1});
    }
  }
  return regions;
}

absl::StatusOr<RequiredInputs> RequiredInputs::Of(
    const Halide::Pipeline& scheduled, const Halide::Target& target) {
  return Guarded<RequiredInputs>([&]() -> absl::StatusOr<RequiredInputs> {
    RequiredInputs result;
    Halide::Pipeline pipeline = scheduled;
    for (const Halide::Argument& argument : pipeline.infer_arguments()) {
      SetEstimates(argument, result.numbers_);
      if (argument.is_scalar() && argument.type.is_int_or_uint())
        result.estimates_[argument.name] = result.numbers_.at(argument.name);
      if (!argument.is_buffer()) continue;
      result.names_.push_back(argument.name);
      result.ranks_.push_back(argument.dimensions);
    }
    result.num_inputs_ = result.names_.size();
    for (const Halide::Func& output : pipeline.outputs()) {
      result.names_.push_back(output.name());
      result.ranks_.push_back(output.dimensions());
      SetRegion(output.name(), Region(output.dimensions()), result.numbers_);
    }
    const PartlyLowered lowered = LowerUntilImageChecks(pipeline, target);
    LetCollector collector;
    lowered.body.accept(&collector);
    for (const auto& [name, number] : result.numbers_)
      result.slots_[name] = result.code_.Bind(name);
    // By slot: those that it comes of.
    std::map<int, std::set<int>> sources;
    for (const auto& [name, value] : collector.lets) {
      std::set<int> reads;
      const int id = result.code_.Compile(value, reads);
      const int slot = result.slots_[name] = result.code_.Bind(name);
      result.lets_.emplace_back(slot, id);
      for (const int read : reads) {
        sources[slot].insert(read);
        const auto further = sources.find(read);
        if (further == sources.end()) continue;
        sources[slot].insert(further->second.begin(), further->second.end());
      }
    }
    result.FindThoseThatMatter(sources);
    return result;
  });
}

void RequiredInputs::FindThoseThatMatter(
    const std::map<int, std::set<int>>& sources) {
  const auto comes_of = [&](const std::string& name,
                            const std::string& source) {
    const auto slot = slots_.find(name), from = slots_.find(source);
    if (slot == slots_.end() || from == slots_.end()) return false;
    const auto all = sources.find(slot->second);
    return all != sources.end() && all->second.contains(from->second);
  };
  for (size_t i = 0; i < num_inputs_; ++i) {
    for (int d = 0; d < ranks_[i]; ++d) {
      for (const char* asked : {"min", "extent"}) {
        const std::string name = SizeName(names_[i], asked, d, ".required");
        for (int of = 0; of < ranks_[i]; ++of) {
          if (comes_of(name, SizeName(names_[i], "min", of)) ||
              comes_of(name, SizeName(names_[i], "extent", of)))
            matter_.insert(i);
        }
      }
    }
  }
}

std::optional<Region> RequiredInputs::RegionThatMatters(size_t input) const {
  if (!matter_.contains(input)) return std::nullopt;
  Region region;
  for (int d = 0; d < ranks_[input]; ++d) {
    const auto min = numbers_.find(SizeName(names_[input], "min", d));
    const auto extent = numbers_.find(SizeName(names_[input], "extent", d));
    if (min == numbers_.end() || extent == numbers_.end()) return std::nullopt;
    region.push_back(
        {.min = min->second, .max = min->second + extent->second - 1});
  }
  return region;
}

std::vector<std::optional<Region>> RequiredInputs::For(
    absl::Span<const Region> outputs,
    const std::map<std::string, int64_t>& numbers) {
  for (size_t i = 0; i < outputs.size(); ++i)
    SetRegion(names_[num_inputs_ + i], outputs[i], numbers_);
  for (const auto& [name, estimate] : estimates_) {
    const auto given = numbers.find(name);
    numbers_[name] = given == numbers.end() ? estimate : given->second;
  }
  for (const auto& [name, number] : numbers_)
    code_.slot(slots_.at(name)) = number;
  for (const auto& [slot, id] : lets_) code_.slot(slot) = code_.Evaluate(id);
  const auto value = [&](const std::string& name) -> MaybeInt {
    const auto slot = slots_.find(name);
    return slot == slots_.end() ? std::nullopt : code_.slot(slot->second);
  };
  std::vector<std::optional<Region>> regions;
  for (size_t i = 0; i < names_.size(); ++i) {
    std::optional<Region>& region = regions.emplace_back(Region());
    for (int d = 0; d < ranks_[i] && region; ++d) {
      const MaybeInt min = value(SizeName(names_[i], "min", d, ".required"));
      const MaybeInt extent =
          value(SizeName(names_[i], "extent", d, ".required"));
      if (min && extent) {
        region->push_back({.min = *min, .max = *min + *extent - 1});
      } else {
        region.reset();
      }
    }
  }
  return regions;
}

absl::StatusOr<InputCheck> InputCheck::Create(
    const WorkloadPipeline& pipeline) {
  InputCheck check(pipeline);
  ASSIGN_OR_RETURN(const Halide::Pipeline plain, pipeline.ReferencePipeline());
  ASSIGN_OR_RETURN(RequiredInputs needed, RequiredInputs::Of(plain));
  for (std::vector<Region>& outputs : SomeSizes(pipeline))
    check.calls_.push_back({.outputs = std::move(outputs)});
  if (!needed.estimates().empty()) {
    const auto add = [&](auto number_of) {
      Call& call = check.calls_.emplace_back(
          Call{.outputs = EstimatedOutputs(pipeline)});
      for (const auto& [name, estimate] : needed.estimates())
        call.numbers[name] = std::max<int64_t>(1, number_of(estimate));
    };
    // Numbers that reductions may be over: a little more, and less, and one, of
    // which no stage is as long as a tile.
    for (const int64_t more : {1, -1, 3})
      add([more](int64_t estimate) { return estimate + more; });
    add([](int64_t) { return 1; });
  }
  const std::vector<Region> estimated = EstimatedOutputs(pipeline);
  for (int i = 0; i < kDrawnSizes; ++i) {
    Rng rng(i);
    Call& call =
        check.calls_.emplace_back(Call{.outputs = DrawOutputs(estimated, rng)});
    for (const auto& [name, estimate] : needed.estimates()) {
      call.numbers[name] =
          rng.Uniform(1, std::max<int64_t>(1, estimate + estimate / 2 + 1));
    }
  }
  for (Call& call : check.calls_) {
    call.needed = needed.For(call.outputs, call.numbers);
    for (size_t i = 0; i < needed.num_inputs(); ++i) {
      const std::optional<Region> given = needed.RegionThatMatters(i);
      size_t d = 0;
      if (!given || !call.needed[i]) continue;
      // Nobody can call it so, or all of what is given may be read.
      if (IsInside(*call.needed[i], *given, d)) {
        call.needed[i] = given;
      } else {
        call.needed[i].reset();
      }
    }
    // More than is computed of an output may well be there.
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      std::optional<Region>& region = call.needed[needed.num_inputs() + i];
      if (!region) continue;
      for (size_t d = 0; d < region->size(); ++d) {
        Range& range = (*region)[d];
        range.min = std::min(range.min, call.outputs[i][d].min);
        range.max = std::max(range.max, call.outputs[i][d].max);
      }
    }
  }
  return check;
}

absl::Status InputCheck::Check(const Schedule& schedule,
                               const TargetSpec& target) const {
  ASSIGN_OR_RETURN(const Halide::Pipeline scheduled,
                   pipeline_->Scheduled(schedule, target));
  ASSIGN_OR_RETURN(
      RequiredInputs asked,
      RequiredInputs::Of(scheduled, Halide::Target(target.halide_target)));
  for (const Call& call : calls_) {
    const std::vector<std::optional<Region>> regions =
        asked.For(call.outputs, call.numbers);
    for (size_t i = 0; i < regions.size(); ++i) {
      const std::optional<Region>& needed = call.needed[i];
      size_t d = 0;
      if (!needed || (regions[i] && IsInside(*regions[i], *needed, d)))
        continue;
      return absl::FailedPreconditionError(absl::StrCat(
          i < asked.num_inputs() ? "the input '" : "the output '",
          asked.names()[i], "' would have to be larger in dimension ", d));
    }
  }
  return absl::OkStatus();
}

}  // namespace pruner
