#include "halide_ext/tests/any_size.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/build/visit_type.h"
#include "halide_ext/passes/device_passes.h"
#include "halide_ext/runner/guarded_memory.h"
#include "halide_ext/tests/random_pipeline.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Where errors go, also those of several threads. What is allocated faults at
// its ends as tensors do.
struct Context : Halide::JITUserContext {
  Context() {
    handlers.custom_error = [](Halide::JITUserContext* self,
                               const char* message) {
      static_cast<Context*>(self)->SetError(message);
    };
    handlers.custom_malloc = [](Halide::JITUserContext* self, size_t bytes) {
      return static_cast<Context*>(self)->Allocate(bytes);
    };
    handlers.custom_free = [](Halide::JITUserContext* self, void* memory) {
      static_cast<Context*>(self)->Free(memory);
    };
  }

  void SetError(absl::string_view error) {
    const absl::MutexLock lock(mutex);
    if (message.empty()) message = absl::StripAsciiWhitespace(error);
  }

  void* Allocate(size_t bytes) {
    auto memory = GuardedMemory::Allocate(static_cast<int64_t>(bytes));
    if (!memory.ok()) return nullptr;
    void* const data = memory->data();
    const absl::MutexLock lock(mutex);
    allocated.emplace(data, *std::move(memory));
    return data;
  }

  void Free(void* memory) {
    if (memory == nullptr) return;
    std::optional<int64_t> damaged;
    {
      const absl::MutexLock lock(mutex);
      damaged = allocated.extract(memory).mapped().DamagedByte();
    }
    if (damaged)
      SetError(absl::StrCat("byte ", *damaged, " of a stage was written"));
  }

  // Of a call that came to an end, with what it was to return.
  absl::Status StatusOf(int code) {
    const absl::MutexLock lock(mutex);
    if (code == 0 && message.empty()) return absl::OkStatus();
    return absl::InternalError(message);
  }

  absl::Mutex mutex;
  std::string message;
  std::map<void*, GuardedMemory> allocated;
};

// What elements are of that nobody has written: a float that is no number, an
// integer that is unlikely.
int UnwrittenByte(const Halide::Type& type) {
  return type.is_float() ? 0xff : 0xa5;
}

template <typename T>
T DrawElement(const Halide::Type& type, Rng& rng) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(type.is_bool() ? rng.Uniform(0, 1) : rng.Next());
  } else {
    return static_cast<T>(
        static_cast<float>(rng.Uniform(-kRandomInputBound, kRandomInputBound)));
  }
}

template <typename T>
Element ElementOf(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else {
    return static_cast<float>(value);
  }
}

// What a pipeline takes as `number`.
template <typename T>
T Given(const Halide::Type& type, int64_t number) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(type.is_bool() ? number % 2 : number);
  } else {
    return static_cast<T>(static_cast<float>(number));
  }
}

}  // namespace

// A tensor as Halide takes it, dense.
class AnySizeKernel::Tensor {
 public:
  Tensor(const Region& region, const Halide::Type& type) : region_(region) {
    dimensions_.resize(region.size());
    int64_t stride = 1;
    for (size_t d = 0; d < region.size(); ++d) {
      // Of what a reduction over an empty domain reads with a stride Halide
      // asks for less than nothing.
      const int64_t extent = std::max<int64_t>(0, region[d].Extent());
      dimensions_[d] = {static_cast<int32_t>(region[d].min),
                        static_cast<int32_t>(extent),
                        static_cast<int32_t>(stride)};
      stride *= extent;
    }
    elements_ = stride;
    buffer_.type = type;
    buffer_.dimensions = static_cast<int32_t>(region.size());
    buffer_.dim = dimensions_.data();
  }
  Tensor(const Tensor&) = delete;
  ~Tensor() {
    if (buffer_.device_interface == nullptr) return;
    Context context;
    buffer_.device_interface->device_free(&context, &buffer_);
  }

  absl::Status Allocate() {
    const int64_t bytes = elements_ * type().bytes();
    ASSIGN_OR_RETURN(GuardedMemory memory, GuardedMemory::Allocate(bytes));
    memory_.push_back(std::move(memory));
    buffer_.host = static_cast<uint8_t*>(memory_[0].data());
    std::memset(buffer_.host, UnwrittenByte(type()), bytes);
    return absl::OkStatus();
  }

  void FillWithIntegers(uint64_t seed) {
    VisitType(type(), [&](auto zero) {
      Fill(seed, reinterpret_cast<decltype(zero)*>(buffer_.host));
    });
    buffer_.set_host_dirty();
  }

  void AppendTo(std::vector<Element>& elements) const {
    VisitType(type(), [&](auto zero) {
      const auto* const data =
          reinterpret_cast<const decltype(zero)*>(buffer_.host);
      for (int64_t i = 0; i < elements_; ++i)
        elements.push_back(ElementOf(data[i]));
    });
  }

  // What a device has written.
  absl::Status ReadToHost() {
    if (!buffer_.device_dirty()) return absl::OkStatus();
    Context context;
    return context.StatusOf(
        buffer_.device_interface->copy_to_host(&context, &buffer_));
  }

  halide_buffer_t* buffer() { return &buffer_; }

 private:
  Halide::Type type() const { return buffer_.type; }

  template <typename T>
  void Fill(uint64_t seed, T* data) {
    std::vector<int64_t> at;
    for (const Range& range : region_) at.push_back(range.min);
    for (int64_t i = 0; i < elements_; ++i) {
      uint64_t where = seed;
      for (const int64_t index : at) where = where * 1000003 + index;
      Rng rng(where);
      data[i] = DrawElement<T>(type(), rng);
      for (size_t d = 0; d < at.size(); ++d) {
        if (++at[d] <= region_[d].max) break;
        at[d] = region_[d].min;
      }
    }
  }

  const Region region_;
  std::vector<halide_dimension_t> dimensions_;
  halide_buffer_t buffer_ = {};
  int64_t elements_ = 1;
  std::vector<GuardedMemory> memory_;
};

std::vector<std::unique_ptr<AnySizeKernel::Tensor>> AnySizeKernel::TensorsOf(
    absl::Span<const Region> regions, absl::Span<const Halide::Type> types) {
  std::vector<std::unique_ptr<Tensor>> tensors;
  for (size_t i = 0; i < regions.size(); ++i)
    tensors.push_back(std::make_unique<Tensor>(regions[i], types[i]));
  return tensors;
}

absl::StatusOr<AnySizeKernel> AnySizeKernel::Compile(
    Halide::Pipeline pipeline, const Halide::Target& target) {
  return Guarded<AnySizeKernel>([&]() -> absl::StatusOr<AnySizeKernel> {
    AnySizeKernel kernel;
    kernel.arguments_ = pipeline.infer_arguments();
    for (const Halide::Argument& argument : kernel.arguments_) {
      if (!argument.is_buffer()) continue;
      kernel.input_ranks_.push_back(argument.dimensions);
      kernel.input_types_.push_back(argument.type);
    }
    for (const Halide::Func& output : pipeline.outputs())
      kernel.output_types_.push_back(output.type());
    if (target.has_gpu_feature())
      AddDevicePasses(pipeline, target, /*report=*/nullptr);
    kernel.callable_ = pipeline.compile_to_callable(kernel.arguments_, target);
    return kernel;
  });
}

absl::Status AnySizeKernel::Call(
    absl::Span<const std::unique_ptr<Tensor>> inputs,
    absl::Span<const std::unique_ptr<Tensor>> outputs,
    const std::map<std::string, int64_t>& numbers) const {
  Context context;
  Halide::JITUserContext* context_pointer = &context;
  std::vector<halide_buffer_t*> buffers;
  for (const auto& tensors : {inputs, outputs}) {
    for (const auto& tensor : tensors) buffers.push_back(tensor->buffer());
  }
  std::vector<uint64_t> values;  // each from its first byte on
  for (const Halide::Argument& argument : arguments_) {
    if (!argument.is_scalar()) continue;
    const int64_t number = numbers.at(argument.name);
    VisitType(argument.type, [&](auto zero) {
      const auto given = Given<decltype(zero)>(argument.type, number);
      std::memcpy(&values.emplace_back(0), &given, sizeof given);
    });
  }
  std::vector<const void*> argv = {static_cast<const void*>(&context_pointer)};
  auto buffer = buffers.begin();
  auto value = values.begin();
  for (const Halide::Argument& argument : arguments_) {
    argv.push_back(argument.is_buffer() ? static_cast<void*>(*buffer++)
                                        : static_cast<void*>(&*value++));
  }
  for (; buffer != buffers.end(); ++buffer) argv.push_back(*buffer);
  return context.StatusOf(callable_.call_argv_fast(argv.size(), argv.data()));
}

absl::StatusOr<std::vector<Region>> AnySizeKernel::InputsFor(
    absl::Span<const Region> outputs,
    const std::map<std::string, int64_t>& numbers) const {
  std::vector<Region> asked;
  for (const int rank : input_ranks_) asked.emplace_back(rank, Range{0, -1});
  const auto inputs = TensorsOf(asked, input_types_);
  const auto results = TensorsOf(outputs, output_types_);
  for (const auto& result : results) RETURN_IF_ERROR(result->Allocate());
  // Without memory a call only says what of it there has to be.
  RETURN_IF_ERROR(Call(inputs, results, numbers));
  for (size_t i = 0; i < asked.size(); ++i) {
    for (int d = 0; d < input_ranks_[i]; ++d) {
      const halide_dimension_t& dim = inputs[i]->buffer()->dim[d];
      asked[i][d] = {.min = dim.min, .max = dim.min + dim.extent - 1};
    }
  }
  return asked;
}

absl::StatusOr<std::vector<Element>> AnySizeKernel::Run(
    absl::Span<const Region> outputs, absl::Span<const Region> inputs,
    const std::map<std::string, int64_t>& numbers, uint64_t seed) const {
  const auto given = TensorsOf(inputs, input_types_);
  const auto results = TensorsOf(outputs, output_types_);
  for (size_t i = 0; i < given.size(); ++i) {
    RETURN_IF_ERROR(given[i]->Allocate());
    given[i]->FillWithIntegers(seed + i);
  }
  for (const auto& result : results) RETURN_IF_ERROR(result->Allocate());
  RETURN_IF_ERROR(Call(given, results, numbers));
  std::vector<Element> elements;
  for (const auto& result : results) {
    RETURN_IF_ERROR(result->ReadToHost());
    result->AppendTo(elements);
  }
  return elements;
}

}  // namespace pruner
