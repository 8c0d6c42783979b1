#include "halide_ext/tests/fuzz_reference.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "halide_ext/build/input_check.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/required_inputs.h"
#include "halide_ext/build/without_mixed_products.h"
#include "halide_ext/runner/guarded_memory.h"
#include "halide_ext/tests/any_size.h"
#include "halide_ext/tests/random_pipeline.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

template <typename T>
absl::Status CheckEqual(const std::vector<T>& actual,
                        const std::vector<T>& expected) {
  size_t wrong = 0, first = 0;
  for (size_t i = actual.size(); i-- > 0;) {
    // Not bit by bit: the maximum of 0 and -0 is either.
    if (actual[i] == expected[i]) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      wrong, " of ", actual.size(), " elements are wrong, the first one at ",
      first, ": ", static_cast<double>(actual[first]), " instead of ",
      static_cast<double>(expected[first])));
}

// Tensors of one pipeline between pages that must not be touched.
class Tensors {
 public:
  static absl::StatusOr<Tensors> Create(const WorkloadPipeline& pipeline,
                                        uint64_t seed) {
    Tensors tensors(pipeline);
    Rng rng(seed);
    for (const KernelArgument& argument : pipeline.arguments()) {
      ASSIGN_OR_RETURN(GuardedMemory memory,
                       GuardedMemory::Allocate(argument.Bytes()));
      auto* data = static_cast<float*>(memory.data());
      for (int64_t i = 0; i < argument.NumElements(); ++i) {
        data[i] = static_cast<float>(
            rng.Uniform(-kRandomInputBound, kRandomInputBound));
      }
      tensors.pointers_.push_back(data);
      tensors.memory_.push_back(std::move(memory));
    }
    return tensors;
  }

  // The outputs, one after the other.
  absl::StatusOr<std::vector<float>> Run(const Kernel& kernel) const {
    const std::vector<KernelArgument>& arguments = pipeline_->arguments();
    for (size_t i = pipeline_->num_inputs(); i < arguments.size(); ++i) {
      std::fill_n(static_cast<float*>(pointers_[i]), arguments[i].NumElements(),
                  std::numeric_limits<float>::quiet_NaN());
    }
    RETURN_IF_ERROR(kernel.Run(pointers_));
    std::vector<float> result;
    for (size_t i = pipeline_->num_inputs(); i < arguments.size(); ++i) {
      const auto* data = static_cast<const float*>(pointers_[i]);
      result.insert(result.end(), data, data + arguments[i].NumElements());
    }
    return result;
  }

 private:
  explicit Tensors(const WorkloadPipeline& pipeline) : pipeline_(&pipeline) {}

  const WorkloadPipeline* pipeline_;
  std::vector<GuardedMemory> memory_;
  std::vector<void*> pointers_;
};

class ExactReference : public FuzzReference {
 public:
  static absl::StatusOr<std::unique_ptr<FuzzReference>> Create(
      WorkloadPipeline pipeline, uint64_t seed, FuzzMode mode) {
    auto reference =
        std::make_unique<ExactReference>(std::move(pipeline), mode);
    ASSIGN_OR_RETURN(const Kernel kernel,
                     reference->pipeline_.CompileReference());
    ASSIGN_OR_RETURN(Tensors tensors,
                     Tensors::Create(reference->pipeline_, seed));
    reference->tensors_.emplace(std::move(tensors));
    ASSIGN_OR_RETURN(reference->expected_, reference->tensors_->Run(kernel));
    // What candidates are compared with when they are timed.
    ASSIGN_OR_RETURN(const Kernel vectors,
                     reference->pipeline_.CompileVectorReference());
    ASSIGN_OR_RETURN(const std::vector<float> same,
                     reference->tensors_->Run(vectors));
    RETURN_IF_ERROR(CheckEqual(same, reference->expected_))
        << "the reference in vectors";
    return reference;
  }

  ExactReference(WorkloadPipeline pipeline, FuzzMode mode)
      : mode_(mode), pipeline_(std::move(pipeline)) {}

  const ComputeDag& dag() const override { return pipeline_.analyzed().dag; }

  absl::Status Check(const Schedule& schedule,
                     absl::FunctionRef<void()> on_compiled) const override {
    ASSIGN_OR_RETURN(const Kernel kernel,
                     pipeline_.Compile(schedule, FuzzTarget(mode_)));
    on_compiled();
    ASSIGN_OR_RETURN(const std::vector<float> actual, tensors_->Run(kernel));
    return CheckEqual(actual, expected_);
  }

 private:
  const FuzzMode mode_;
  const WorkloadPipeline pipeline_;
  std::optional<Tensors> tensors_;
  std::vector<float> expected_;
};

class AnySizeReference : public FuzzReference {
 public:
  static absl::StatusOr<std::unique_ptr<FuzzReference>> Create(
      WorkloadPipeline pipeline, uint64_t seed, FuzzMode mode) {
    auto reference =
        std::make_unique<AnySizeReference>(std::move(pipeline), mode);
    ASSIGN_OR_RETURN(const Halide::Pipeline unscheduled,
                     reference->pipeline_.ReferencePipeline());
    absl::StatusOr<RequiredInputs> needed = RequiredInputs::Of(unscheduled);
    if (IsUnbounded(needed.status()))
      return absl::FailedPreconditionError(needed.status().message());
    RETURN_IF_ERROR(needed.status());
    ASSIGN_OR_RETURN(InputCheck check,
                     InputCheck::Create(reference->pipeline_));
    reference->check_.emplace(std::move(check));
    ASSIGN_OR_RETURN(
        const AnySizeKernel kernel,
        AnySizeKernel::Compile(
            unscheduled,
            Halide::Target(FuzzTarget({.any_size = true}).halide_target)));
    if (!AllKnown(needed->For(EstimatedOutputs(reference->pipeline_)))) {
      return absl::FailedPreconditionError(
          "how large inputs must be depends on what they hold");
    }
    Rng rng(seed);
    for (int size = 0; size < kSizes; ++size) {
      Case drawn = {.seed = seed + size,
                    .outputs = reference->DrawOutputs(size, rng),
                    .numbers = DrawNumbers(needed->estimates(), size, rng)};
      // An output that another one reads must be large enough for that.
      auto inputs = kernel.InputsFor(drawn.outputs, drawn.numbers);
      if (!inputs.ok()) continue;
      drawn.inputs = *std::move(inputs);
      RETURN_IF_ERROR(
          CheckKnown(needed->For(drawn.outputs, drawn.numbers), drawn.inputs));
      auto expected =
          kernel.Run(drawn.outputs, drawn.inputs, drawn.numbers, drawn.seed);
      if (!expected.ok()) continue;
      drawn.expected = *std::move(expected);
      reference->cases_.push_back(std::move(drawn));
    }
    if (reference->cases_.empty())
      return absl::InternalError("no size is accepted");
    return reference;
  }

  AnySizeReference(WorkloadPipeline pipeline, FuzzMode mode)
      : mode_(mode), pipeline_(std::move(pipeline)) {}

  const ComputeDag& dag() const override { return pipeline_.analyzed().dag; }

  absl::Status Check(const Schedule& schedule,
                     absl::FunctionRef<void()> on_compiled) const override {
    const TargetSpec target = FuzzTarget(mode_);
    absl::Status accepted = check_->Check(schedule, target);
    if (accepted.ok() && target.backend != Backend::kHost)
      accepted = pipeline_.CompileToModule(schedule, target).status();
    if (IsRefusal(accepted)) return absl::OkStatus();
    RETURN_IF_ERROR(accepted);
    absl::StatusOr<AnySizeKernel> compiled = Compile(schedule, target);
    if (!compiled.ok()) {
      // What the plugin would have instead; itself where nothing is known.
      ASSIGN_OR_RETURN(const Schedule without,
                       WithoutMixedProducts(pipeline_, schedule, target));
      if (without == schedule) return compiled.status();
      return Check(without, on_compiled);
    }
    const AnySizeKernel kernel = *std::move(compiled);
    on_compiled();
    for (const Case& c : cases_) {
      ASSIGN_OR_RETURN(
          const std::vector<Region> inputs,
          InputsFor(c, kernel, target.backend == Backend::kHost ? 0 : 1));
      absl::StatusOr<std::vector<Element>> actual =
          kernel.Run(c.outputs, inputs, c.numbers, c.seed);
      const absl::Status status =
          actual.ok() ? CheckEqual(*actual, c.expected) : actual.status();
      if (status.ok()) continue;
      return absl::DataLossError(absl::StrCat(
          status.message(), ", of outputs ", Print(c.outputs),
          absl::StrJoin(
              c.numbers, "", [](std::string* out, const auto& number) {
                absl::StrAppend(out, ", ", number.first, " = ", number.second);
              })));
    }
    return absl::OkStatus();
  }

 private:
  struct Case {
    uint64_t seed = 0;
    std::vector<Region> outputs;
    std::map<std::string, int64_t> numbers;
    std::vector<Region> inputs = {};
    std::vector<Element> expected = {};
  };

  absl::StatusOr<AnySizeKernel> Compile(const Schedule& schedule,
                                        const TargetSpec& target) const {
    ASSIGN_OR_RETURN(const Halide::Pipeline scheduled,
                     pipeline_.Scheduled(schedule, target));
    return AnySizeKernel::Compile(scheduled,
                                  Halide::Target(target.halide_target));
  }

  // Halide leaves out a clamp that says that an index is not below zero, and
  // does not know it of what was a uint32_t or uint64_t. For an index without
  // an end it has a pointer, which it takes for a number now and then.
  static bool IsUnbounded(const absl::Status& status) {
    return absl::StrContains(status.message(),
                             "is accessed over an unbounded domain") ||
           absl::StrContains(status.message(),
                             "may be accessed in an unbounded way") ||
           absl::StrContains(status.message(),
                             "of type int32 with expression of type (void *)");
  }

  // What is not to be used for every size, or takes memory of a block of
  // threads by the size of tensors.
  static bool IsRefusal(const absl::Status& status) {
    return absl::IsFailedPrecondition(status) || IsUnbounded(status) ||
           absl::StrContains(status.message(), "infer constant upper bound") ||
           absl::StrContains(status.message(), "Only fixed-size allocations");
  }

  static constexpr int kSizes = 6;
  static constexpr int64_t kMaxElements = 50000;

  static std::string Print(const std::vector<Region>& regions) {
    return absl::StrJoin(regions, ", ", [](std::string* out, const Region& r) {
      absl::StrAppend(out, "[",
                      absl::StrJoin(r, " x ",
                                    [](std::string* s, const Range& range) {
                                      absl::StrAppend(s, range.min, "+",
                                                      range.Extent());
                                    }),
                      "]");
    });
  }

  static bool AllKnown(const std::vector<std::optional<Region>>& regions) {
    return std::all_of(regions.begin(), regions.end(),
                       [](const auto& region) { return region.has_value(); });
  }

  static bool IsNeeded(const Region& region) {
    return std::all_of(region.begin(), region.end(),
                       [](const Range& range) { return range.Extent() > 0; });
  }

  // What is known of inputs without compiling is what the code says.
  static absl::Status CheckKnown(
      const std::vector<std::optional<Region>>& known,
      const std::vector<Region>& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!known[i] || !IsNeeded(inputs[i])) continue;
      for (size_t d = 0; d < inputs[i].size(); ++d) {
        if ((*known[i])[d].min != inputs[i][d].min ||
            (*known[i])[d].max != inputs[i][d].max) {
          return absl::InternalError(absl::StrCat(
              "wrong bounds of input ", i, ": ", Print({*known[i]}),
              " instead of ", Print({inputs[i]})));
        }
      }
    }
    return absl::OkStatus();
  }

  // What the reference needs: a schedule may need no more. But of x - x Halide
  // finds only sometimes that it needs no x. `least`: elements along each
  // dimension, of which Halide's run time takes no 0 to a device.
  static absl::StatusOr<std::vector<Region>> InputsFor(
      const Case& c, const AnySizeKernel& kernel, int64_t least) {
    ASSIGN_OR_RETURN(std::vector<Region> inputs,
                     kernel.InputsFor(c.outputs, c.numbers));
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (IsNeeded(c.inputs[i])) inputs[i] = c.inputs[i];
      for (Range& range : inputs[i])
        range.max = std::max(range.max, range.min + least - 1);
    }
    return inputs;
  }

  // The estimates, one element, sizes below and above the estimates.
  std::vector<Region> DrawOutputs(int size, Rng& rng) const {
    std::vector<Region> regions = EstimatedOutputs(pipeline_);
    if (size == 0) return regions;
    for (Region& region : regions) {
      int64_t elements = 1;
      for (Range& range : region) {
        const int64_t estimate = range.Extent();
        int64_t extent = size == 1   ? 1
                         : size == 2 ? estimate + 1
                         : size == 3 ? rng.Uniform(1, estimate)
                                     : rng.Uniform(estimate, 3 * estimate + 3);
        if (elements * extent > kMaxElements) extent = 1 + (size > 3);
        elements *= extent;
        if (size > 2) range.min += rng.Uniform(-9, 9);
        range.max = range.min + extent - 1;
      }
    }
    return regions;
  }

  // The same for numbers, of which some are sizes of what reductions are over.
  static std::map<std::string, int64_t> DrawNumbers(
      std::map<std::string, int64_t> numbers, int size, Rng& rng) {
    for (auto& [name, number] : numbers) {
      number = size == 0   ? number
               : size == 1 ? 1
               : size == 2 ? number + 1
                           : rng.Uniform(1, number + number / 2 + 1);
    }
    return numbers;
  }

  const FuzzMode mode_;
  const WorkloadPipeline pipeline_;
  std::optional<InputCheck> check_;
  std::vector<Case> cases_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<FuzzReference>> FuzzReference::Make(
    const std::string& sealed, uint64_t seed, FuzzMode mode) {
  ASSIGN_OR_RETURN(WorkloadPipeline pipeline, WorkloadPipeline::Load(sealed));
  return mode.any_size
             ? AnySizeReference::Create(std::move(pipeline), seed, mode)
             : ExactReference::Create(std::move(pipeline), seed, mode);
}

}  // namespace pruner
