#include "halide_ext/build/required_inputs.h"

#include <cstddef>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/kernel_argument.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

namespace hi = Halide::Internal;

// Behind the name of a bound: what Halide asks of it.
constexpr char kRequired[] = ".required";

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

// What is asked of a bound where anything is read. Under guards that may all be
// false Halide asks for the bound itself else, which says nothing of it.
Halide::Expr WhereRead(const std::string& name, const Halide::Expr& value) {
  const auto* select = value.as<hi::Select>();
  if (select == nullptr) return value;
  const auto* same = select->false_value.as<hi::Variable>();
  if (same == nullptr || absl::StrCat(same->name, kRequired) != name)
    return value;
  return hi::Select::make(select->condition, select->true_value,
                          select->true_value);
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
    const Halide::Expr& estimate = estimates.scalar_estimate;
    const auto value = estimate.defined()
                           ? hi::as_const_int(hi::simplify(
                                 Halide::cast(Halide::Int(64), estimate)))
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
  return Guarded<RequiredInputs>(
      [&] { return Of(scheduled, LowerUntilImageChecks(scheduled, target)); });
}

RequiredInputs RequiredInputs::Of(const Halide::Pipeline& scheduled,
                                  const PartlyLowered& lowered) {
  RequiredInputs result;
  Halide::Pipeline pipeline = scheduled;
  for (const Halide::Argument& argument : pipeline.infer_arguments()) {
    SetEstimates(argument, result.numbers_);
    if (argument.is_scalar())
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
  LetCollector collector;
  lowered.body.accept(&collector);
  for (const auto& [name, number] : result.numbers_)
    result.slots_[name] = result.code_.Bind(name);
  // By slot: the inputs whose own bounds it comes of.
  std::map<int, std::set<size_t>> come_of;
  result.ForEachBound(
      "", [&](size_t input, int slot) { come_of[slot].insert(input); });
  for (const auto& [name, value] : collector.lets) {
    std::set<int> reads;
    const int id = result.code_.Compile(value, reads);
    if (const Halide::Expr read = WhereRead(name, value);
        !read.same_as(value)) {
      reads.clear();
      result.code_.Compile(read, reads);
    }
    const int slot = result.slots_[name] = result.code_.Bind(name);
    result.lets_.emplace_back(slot, id);
    for (const int read : reads) {
      const auto inputs = come_of.find(read);
      if (inputs == come_of.end()) continue;
      const std::set<size_t> further = inputs->second;
      come_of[slot].insert(further.begin(), further.end());
    }
  }
  result.ForEachBound(kRequired, [&](size_t input, int slot) {
    const auto inputs = come_of.find(slot);
    if (inputs != come_of.end() && inputs->second.contains(input))
      result.matter_.insert(input);
  });
  return result;
}

void RequiredInputs::ForEachBound(
    const char* suffix, absl::FunctionRef<void(size_t, int)> visit) const {
  for (size_t i = 0; i < num_inputs_; ++i) {
    for (int d = 0; d < ranks_[i]; ++d) {
      for (const char* what : {"min", "extent"}) {
        const auto slot = slots_.find(SizeName(names_[i], what, d, suffix));
        if (slot != slots_.end()) visit(i, slot->second);
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
      const MaybeInt min = value(SizeName(names_[i], "min", d, kRequired));
      const MaybeInt extent =
          value(SizeName(names_[i], "extent", d, kRequired));
      if (min && extent) {
        region->push_back({.min = *min, .max = *min + *extent - 1});
      } else {
        region.reset();
      }
    }
  }
  return regions;
}

}  // namespace pruner
