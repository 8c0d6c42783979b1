#include "halide_ext/runner/tensor_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "Halide.h"
#include "absl/base/casts.h"
#include "absl/log/check.h"
#include "halide_ext/build/visit_type.h"

namespace pruner {
namespace {

// From -4 to 4, if the type has numbers below zero.
int64_t DrawSmall(bool has_sign, Rng& rng) {
  constexpr int64_t kMost = 4;
  return rng.Uniform(has_sign ? -kMost : 0, has_sign ? kMost : 2 * kMost);
}

int64_t DrawInteger(const Halide::Type& type, InputValues values, Rng& rng) {
  if (values == InputValues::kIntegers || values == InputValues::kBlackAndWhite)
    return type.bits() == 1 ? rng.Uniform(0, 1) : DrawSmall(type.is_int(), rng);
  constexpr int kBits = 10;
  const int64_t count = int64_t{1} << std::min(type.bits(), kBits);
  const int64_t least = type.is_int() ? -count / 2 : 0;
  return rng.Uniform(least, least + count - 1);
}

float DrawFloat(InputValues values, Rng& rng) {
  switch (values) {
    case InputValues::kCentered:
      return 0.5f * static_cast<float>(rng.Uniform(-2, 2));
    case InputValues::kPositive:
      return 0.25f * static_cast<float>(rng.Uniform(1, 4));
    case InputValues::kBlackAndWhite:
      return static_cast<float>(rng.Uniform(0, 1));
    default:
      return static_cast<float>(DrawSmall(true, rng));
  }
}

// Elements are compared as doubles, which hold whole numbers of up to 53 bits.
template <typename T>
double AsDouble(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

// A NaN that no operation gives.
float Unwritten() { return absl::bit_cast<float>(uint32_t{0x7fdead00}); }

template <typename T>
bool IsUnwritten(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return absl::bit_cast<uint32_t>(value) ==
           absl::bit_cast<uint32_t>(Unwritten());
  } else {
    return false;
  }
}

template <typename T>
Difference DifferenceOf(absl::Span<const T> actual,
                        absl::Span<const T> expected, int slack) {
  CHECK_EQ(actual.size(), expected.size());
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Difference result;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double e = AsDouble(expected[i]), a = AsDouble(actual[i]);
    if (!std::isfinite(e)) continue;
    result.largest = std::max(result.largest, std::abs(e));
    double d = std::abs(a - e);
    if (!std::isfinite(a)) {
      ++(IsUnwritten(actual[i]) ? result.unwritten : result.not_finite);
      d = kInfinity;
    }
    if (d > result.absolute && (!std::is_integral_v<T> || d > slack)) {
      result.absolute = d;
      result.element = static_cast<int64_t>(i);
    }
  }
  if (result.largest < 0) {
    result.relative = kInfinity;
  } else if (result.absolute > 0) {
    result.relative = result.absolute / result.largest;
  }
  return result;
}

}  // namespace

void FillInput(const KernelArgument& argument, InputValues values, Rng& rng,
               void* tensor) {
  VisitType(argument.type, [&](auto zero) {
    using T = decltype(zero);
    auto* const data = static_cast<T*>(tensor);
    const int64_t elements = argument.NumElements();
    if (values == InputValues::kZeros) {
      std::fill_n(data, elements, T());
      return;
    }
    for (int64_t i = 0; i < elements; ++i) {
      if constexpr (std::is_integral_v<T>) {
        data[i] = static_cast<T>(DrawInteger(argument.type, values, rng));
      } else {
        data[i] = static_cast<T>(DrawFloat(values, rng));
      }
    }
  });
}

void Spoil(const KernelArgument& argument, const void* expected, void* tensor) {
  if (argument.type == Halide::Float(32)) {
    std::fill_n(static_cast<float*>(tensor), argument.NumElements(),
                Unwritten());
    return;
  }
  // Whole numbers with all bits turned are far away; of floats the sign is
  // another one, and the exponent.
  const auto* const from = static_cast<const uint8_t*>(expected);
  std::transform(from, from + argument.Bytes(), static_cast<uint8_t*>(tensor),
                 [](uint8_t byte) { return static_cast<uint8_t>(~byte); });
}

int IntegerSlack(const ComputeDag& dag) {
  const auto& stages = dag.stages();
  const bool has_floats =
      dag.Flops() > 0 ||
      std::any_of(stages.begin(), stages.end(), [](const Stage& stage) {
        return std::any_of(stage.types.begin(), stage.types.end(),
                           [](ElementType type) { return type.IsFloat(); });
      });
  return has_floats ? 1 : 0;
}

Difference Compare(const KernelArgument& argument, const void* actual,
                   const void* expected, int integer_slack) {
  Difference difference;
  VisitType(argument.type, [&](auto zero) {
    using T = decltype(zero);
    const auto elements = static_cast<size_t>(argument.NumElements());
    difference = DifferenceOf(
        absl::MakeConstSpan(static_cast<const T*>(actual), elements),
        absl::MakeConstSpan(static_cast<const T*>(expected), elements),
        integer_slack);
  });
  return difference;
}

double RelativeError(const KernelArgument& argument, const void* actual,
                     const void* expected, int integer_slack) {
  return Compare(argument, actual, expected, integer_slack).relative;
}

double RelativeError(absl::Span<const float> actual,
                     absl::Span<const float> expected) {
  return DifferenceOf(actual, expected, 0).relative;
}

}  // namespace pruner
