#include "tools/bench/pipelines/arguments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

using Halide::Runtime::Buffer;

// Shorter dimensions are channels, taps and the like.
constexpr int64_t kShortest = 32;

// What compiled code says is wrong, several threads perhaps: the first of it.
// Halide's own handler ends the program.
struct Complaint {
  static Complaint& Get() {
    static Complaint& complaint = *new Complaint;
    return complaint;
  }
  static void Keep(void*, const char* message) {
    Complaint& complaint = Get();
    const absl::MutexLock lock(complaint.mutex);
    if (complaint.message.empty())
      complaint.message = absl::StripAsciiWhitespace(message);
  }
  std::string Take() {
    const absl::MutexLock lock(mutex);
    return std::exchange(message, "");
  }

  absl::Mutex mutex;
  std::string message;
};

struct Estimates {
  std::vector<int> min, extent;
};

absl::StatusOr<Estimates> EstimatesOf(const halide_filter_argument_t& a) {
  Estimates estimates;
  for (int d = 0; d < a.dimensions; ++d) {
    if (a.buffer_estimates == nullptr || a.buffer_estimates[2 * d] == nullptr ||
        a.buffer_estimates[2 * d + 1] == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", a.name, "' has no estimate in dimension ", d));
    }
    estimates.min.push_back(static_cast<int>(*a.buffer_estimates[2 * d]));
    estimates.extent.push_back(
        static_cast<int>(*a.buffer_estimates[2 * d + 1]));
  }
  return estimates;
}

template <typename Visit>
void VisitType(const halide_type_t& type, Visit visit) {
  if (type == halide_type_of<float>()) visit(float());
  if (type == halide_type_of<uint8_t>()) visit(uint8_t());
  if (type == halide_type_of<uint16_t>()) visit(uint16_t());
  if (type == halide_type_of<int16_t>()) visit(int16_t());
  if (type == halide_type_of<int32_t>()) visit(int32_t());
  if (type == halide_type_of<uint32_t>()) visit(uint32_t());
}

halide_scalar_value_t Scaled(const halide_scalar_value_t& value,
                             const halide_type_t& type, double factor) {
  halide_scalar_value_t scaled = value;
  VisitType(type, [&](auto zero) {
    using T = decltype(zero);
    auto& number = reinterpret_cast<T&>(scaled.u);
    const double product = factor * static_cast<double>(number);
    number = static_cast<T>(std::is_floating_point_v<T> ? product
                                                        : std::ceil(product));
  });
  return scaled;
}

// Integers of up to ten bits, floats between 0 and 1.
void FillWithNoise(Buffer<>& buffer) {
  Rng rng(1);
  VisitType(buffer.type(), [&](auto zero) {
    using T = decltype(zero);
    constexpr int kValues = sizeof(T) == 1 ? 256 : 1024;
    buffer.as<T>().for_each_value([&](T& value) {
      const auto drawn = static_cast<double>(rng.Uniform(0, kValues - 1));
      value = static_cast<T>(
          std::is_floating_point_v<T> ? (drawn + 0.5) / kValues : drawn);
    });
  });
}

}  // namespace

absl::Status PipelineArguments::AddArgument(
    const halide_filter_argument_t& argument, const Resize& resize,
    double factor) {
  if (argument.kind == halide_argument_kind_input_scalar) {
    const halide_scalar_value_t* value = argument.scalar_estimate;
    if (value == nullptr) value = argument.scalar_def;
    if (value == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", argument.name, "' has no estimate"));
    }
    pointers_.push_back(
        &numbers_.emplace_back(Scaled(*value, argument.type, factor)));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(Estimates estimates, EstimatesOf(argument));
  for (int& extent : estimates.extent) {
    if (extent >= kShortest) extent = static_cast<int>(resize(extent));
  }
  Buffer<>& buffer =
      buffers_.emplace_back(halide_type_t(argument.type), nullptr,
                            std::vector<int>(estimates.extent));
  buffer.set_min(estimates.min);
  pointers_.push_back(buffer.raw_buffer());
  const bool is_output = argument.kind == halide_argument_kind_output_buffer;
  (is_output ? outputs_ : inputs_).push_back(&buffer);
  return absl::OkStatus();
}

absl::StatusOr<PipelineArguments> PipelineArguments::Make(
    const CompiledPipeline& pipeline, const Resize& resize, double factor) {
  PipelineArguments arguments;
  for (int i = 0; i < pipeline.metadata->num_arguments; ++i) {
    RETURN_IF_ERROR(
        arguments.AddArgument(pipeline.metadata->arguments[i], resize, factor));
  }
  for (Buffer<>* output : arguments.outputs_) output->allocate();
  // Without memory a call says what of the inputs there has to be.
  RETURN_IF_ERROR(arguments.Call(pipeline));
  for (Buffer<>* input : arguments.inputs_) {
    input->allocate();
    FillWithNoise(*input);
    input->set_host_dirty();
  }
  return arguments;
}

absl::Status PipelineArguments::Call(const CompiledPipeline& pipeline) {
  halide_set_error_handler(&Complaint::Keep);
  const int code = pipeline.call(pointers_.data());
  const std::string complaint = Complaint::Get().Take();
  if (code == 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat(pipeline.metadata->name, " for ", Size(), ": ", complaint));
}

absl::Status PipelineArguments::Run(const CompiledPipeline& pipeline) {
  // Written by another schedule, maybe on a device.
  for (Buffer<>* output : outputs_) output->set_device_dirty(false);
  RETURN_IF_ERROR(Call(pipeline));
  for (Buffer<>* output : outputs_) {
    if (output->has_device_allocation()) output->device_sync();
  }
  return absl::OkStatus();
}

void PipelineArguments::CropOutputs(const Resize& resize) {
  for (Buffer<>* output : outputs_) {
    for (int d = 0; d < output->dimensions(); ++d) {
      const int extent = output->dim(d).extent();
      if (extent < kShortest) continue;
      const int rest = static_cast<int>(resize(extent));
      output->crop(d, output->dim(d).min() + (extent - rest) / 2, rest);
    }
  }
}

std::vector<Buffer<>> PipelineArguments::CopyOutputs() {
  std::vector<Buffer<>> copies;
  for (Buffer<>* output : outputs_) {
    output->copy_to_host();
    copies.push_back(output->copy());
  }
  return copies;
}

std::string PipelineArguments::Size() const {
  std::vector<int> extents;
  for (int d = 0; d < outputs_[0]->dimensions(); ++d)
    extents.push_back(outputs_[0]->dim(d).extent());
  return absl::StrJoin(extents, "x");
}

Difference DifferenceOf(const std::vector<Buffer<>>& actual,
                        const std::vector<Buffer<>>& expected) {
  double largest = 0;
  std::vector<double> differences;
  for (size_t i = 0; i < actual.size(); ++i) {
    VisitType(actual[i].type(), [&](auto zero) {
      using T = decltype(zero);
      const Buffer<const T> all = expected[i].as<const T>();
      const Buffer<const T> some = actual[i].as<const T>();
      some.for_each_element([&](const int* at) {
        const auto p = static_cast<double>(some(at));
        const auto q = static_cast<double>(all(at));
        if (std::isnan(p) && std::isnan(q)) return;
        if (std::isnan(p) != std::isnan(q)) {
          differences.push_back(std::numeric_limits<double>::infinity());
          return;
        }
        largest = std::max(largest, std::abs(q));
        const double difference = std::abs(p - q);
        if (std::is_floating_point_v<T> ? difference > 0 : difference > 1)
          differences.push_back(difference);
      });
    });
  }
  Difference result;
  for (double difference : differences) {
    if (largest > 0) difference /= largest;
    result.largest = std::max(result.largest, difference);
    result.elements += difference > kMaxError ? 1 : 0;
  }
  return result;
}

}  // namespace pruner
