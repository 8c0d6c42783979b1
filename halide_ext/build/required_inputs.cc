#include "halide_ext/build/required_inputs.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/kernel_argument.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

namespace ir = Halide::Internal;

// Leaves of a pipeline what it says of its arguments.
class DropLoops : public ir::IRMutator {
 protected:
  using IRMutator::visit;
  ir::Stmt visit(const ir::ProducerConsumer*) override { return Nothing(); }
  ir::Stmt visit(const ir::For*) override { return Nothing(); }
  ir::Stmt visit(const ir::Store*) override { return Nothing(); }

 private:
  static ir::Stmt Nothing() { return ir::Evaluate::make(0); }
};

// Where errors go.
struct Context : Halide::JITUserContext {
  Context() {
    handlers.custom_error = [](Halide::JITUserContext* self,
                               const char* message) {
      auto& context = *static_cast<Context*>(self);
      const absl::MutexLock lock(context.mutex);
      if (context.message.empty()) context.message = message;
    };
  }

  absl::Mutex mutex;
  std::string message ABSL_GUARDED_BY(mutex);
};

// A tensor that is nowhere.
struct AbsentTensor {
  std::vector<halide_dimension_t> dimensions;
  halide_buffer_t buffer = {};

  AbsentTensor(const Halide::Type& type, const Region& region)
      : dimensions(region.size()) {
    int64_t stride = 1;
    for (size_t d = 0; d < region.size(); ++d) {
      dimensions[d] = {static_cast<int32_t>(region[d].min),
                       static_cast<int32_t>(region[d].Extent()),
                       static_cast<int32_t>(stride)};
      stride *= region[d].Extent();
    }
    buffer.type = type;
    buffer.dimensions = static_cast<int32_t>(region.size());
    buffer.dim = dimensions.data();
  }
  AbsentTensor(const AbsentTensor&) = delete;
};

// The estimate, else 0, as its bytes in memory.
uint64_t ValueOf(const Halide::Argument& number) {
  const Halide::Expr estimate = number.argument_estimates.scalar_estimate;
  if (!estimate.defined()) return 0;
  if (const auto integer = ir::as_const_int(estimate)) {
    // Its lowest bytes come first.
    return static_cast<uint64_t>(*integer);
  }
  const auto real = ir::as_const_float(estimate);
  if (!real) return 0;
  uint64_t bytes = 0;
  const auto single = static_cast<float>(*real);
  if (number.type.bits() == 64) {
    std::copy_n(reinterpret_cast<const char*>(&*real), sizeof(double),
                reinterpret_cast<char*>(&bytes));
  } else {
    std::copy_n(reinterpret_cast<const char*>(&single), sizeof(float),
                reinterpret_cast<char*>(&bytes));
  }
  return bytes;
}

// Some sizes of outputs around the estimated ones.
std::vector<std::vector<Region>> SomeSizes(const WorkloadPipeline& pipeline) {
  std::vector<Region> estimated;
  const std::vector<KernelArgument>& arguments = pipeline.arguments();
  for (size_t i = pipeline.num_inputs(); i < arguments.size(); ++i) {
    Region& region = estimated.emplace_back();
    for (size_t d = arguments[i].shape.size(); d-- > 0;) {
      const int64_t min = arguments[i].min[d];
      region.push_back({.min = min, .max = min + arguments[i].shape[d] - 1});
    }
  }
  std::vector<std::vector<Region>> all = {estimated};
  const auto add = [&](int64_t shift, auto extent_of) {
    std::vector<Region>& regions = all.emplace_back(estimated);
    for (Region& region : regions) {
      for (Range& range : region) {
        const int64_t extent = extent_of(range.Extent());
        range.min += shift;
        range.max = range.min + extent - 1;
      }
    }
  };
  add(0, [](int64_t) { return 1; });
  add(0, [](int64_t extent) { return extent + 1; });
  add(-5, [](int64_t extent) { return extent / 2 + 1; });
  add(3, [](int64_t extent) { return 2 * extent + 5; });
  return all;
}

}  // namespace

absl::StatusOr<RequiredInputs> RequiredInputs::Of(
    const Halide::Pipeline& scheduled) {
  return Guarded<RequiredInputs>([&]() -> absl::StatusOr<RequiredInputs> {
    RequiredInputs result;
    // The same Funcs; but passes are shared by copies of a pipeline.
    Halide::Pipeline pipeline(scheduled.outputs());
    for (const Halide::Argument& argument : pipeline.infer_arguments()) {
      if (argument.name != "__user_context") result.inputs_.push_back(argument);
    }
    for (const Halide::Func& output : pipeline.outputs()) {
      for (const Halide::Type& type : output.types())
        result.output_types_.push_back(type);
    }
    pipeline.add_custom_lowering_pass(new DropLoops);
    result.callable_ =
        pipeline.compile_to_callable(result.inputs_, Halide::get_host_target());
    return result;
  });
}

absl::StatusOr<std::vector<Region>> RequiredInputs::For(
    absl::Span<const Region> outputs) const {
  Context context;
  Halide::JITUserContext* context_pointer = &context;
  std::vector<const void*> argv = {static_cast<const void*>(&context_pointer)};
  std::list<AbsentTensor> tensors;
  std::list<uint64_t> numbers;
  const auto add = [&](const Halide::Type& type, const Region& region) {
    argv.push_back(&tensors.emplace_back(type, region).buffer);
  };
  for (const Halide::Argument& input : inputs_) {
    if (input.is_scalar()) {
      argv.push_back(&numbers.emplace_back(ValueOf(input)));
    } else {
      add(input.type, Region(input.dimensions, Range{0, -1}));
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) add(output_types_[i], outputs[i]);
  if (const int code = callable_.call_argv_fast(argv.size(), argv.data());
      code != 0) {
    const absl::MutexLock lock(context.mutex);
    return absl::InternalError(absl::StripAsciiWhitespace(context.message));
  }
  std::vector<Region> required;
  for (const AbsentTensor& tensor : tensors) {
    if (required.size() + outputs.size() == tensors.size()) break;
    Region& region = required.emplace_back();
    for (const halide_dimension_t& d : tensor.dimensions)
      region.push_back({.min = d.min, .max = d.min + d.extent - 1});
  }
  return required;
}

absl::Status CheckAsksForNoMore(const WorkloadPipeline& pipeline,
                                const Schedule& schedule,
                                const TargetSpec& target) {
  ASSIGN_OR_RETURN(const Halide::Pipeline plain, pipeline.ReferencePipeline());
  ASSIGN_OR_RETURN(const Halide::Pipeline scheduled,
                   pipeline.Scheduled(schedule, target));
  ASSIGN_OR_RETURN(const RequiredInputs needed, RequiredInputs::Of(plain));
  ASSIGN_OR_RETURN(const RequiredInputs asked, RequiredInputs::Of(scheduled));
  for (const std::vector<Region>& outputs : SomeSizes(pipeline)) {
    ASSIGN_OR_RETURN(const std::vector<Region> least, needed.For(outputs));
    ASSIGN_OR_RETURN(const std::vector<Region> most, asked.For(outputs));
    for (size_t i = 0; i < most.size(); ++i) {
      for (size_t d = 0; d < most[i].size(); ++d) {
        const Range& range = least[i][d];
        // Of x - x Halide finds only sometimes that it needs no x.
        if (range.Extent() <= 0) continue;
        if (most[i][d].min >= range.min && most[i][d].max <= range.max)
          continue;
        return absl::FailedPreconditionError(
            absl::StrCat("input ", i, " would have to be larger in dimension ",
                         d, ", ", most[i][d].min, "..", most[i][d].max,
                         " instead of ", range.min, "..", range.max));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace pruner
