#include "halide_ext/build/kernel_number.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

using StoredNumber = proto::StoredPipeline::Number;

// The value in the lowest bytes, which are first, here as on all machines that
// Halide's JIT compiles for.
halide_scalar_value_t ValueOf(const StoredNumber& number,
                              const Halide::Type& type) {
  const double real =
      number.has_real() ? number.real() : static_cast<double>(number.integer());
  const int64_t integer = number.has_real()
                              ? static_cast<int64_t>(number.real())
                              : number.integer();
  halide_scalar_value_t value = {};
  value.u.u64 = 0;
  if (type.is_bool()) {
    value.u.b = integer != 0;
  } else if (!type.is_float()) {
    value.u.i64 = integer;
  } else if (type.bits() == 64) {
    value.u.f64 = real;
  } else if (type.bits() == 32) {
    value.u.f32 = static_cast<float>(real);
  } else {
    value.u.u64 = type.is_bfloat() ? Halide::bfloat16_t(real).to_bits()
                                   : Halide::float16_t(real).to_bits();
  }
  return value;
}

}  // namespace

absl::StatusOr<std::vector<KernelNumber>> KernelNumbers(
    absl::Span<const Halide::Argument> inferred,
    const proto::StoredPipeline& stored) {
  std::vector<KernelNumber> numbers;
  for (const Halide::Argument& argument : inferred) {
    if (!argument.is_scalar() || argument.name == "__user_context") continue;
    const StoredNumber* known = nullptr;
    for (const StoredNumber& number : stored.numbers()) {
      if (number.name() == argument.name) known = &number;
    }
    if (known == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the parameter '", argument.name,
          "' has no estimate, so that nothing can be timed: give it a typical "
          "value with set_estimate"));
    }
    numbers.push_back(
        {.argument = argument, .value = ValueOf(*known, argument.type)});
  }
  return numbers;
}

}  // namespace pruner
