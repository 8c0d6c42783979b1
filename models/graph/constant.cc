#include "models/graph/constant.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

template <typename Values>
absl::Status CheckValues(absl::string_view field, const Values& values,
                         int64_t expected, absl::string_view reason) {
  const auto size = static_cast<int64_t>(values.size());
  if (size != expected) {
    return absl::InvalidArgumentError(absl::StrCat(
        field, " has ", size, " elements, ", reason, " ", expected));
  }
  for (int64_t i = 0; i < size; ++i) {
    if (!std::isfinite(values[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat(field, "[", i, "] = ", values[i], " is not finite"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSource(const ExplicitValues& source, const Shape& shape) {
  return CheckValues("values", *source.values, NumElements(shape), "the shape");
}

absl::Status CheckSource(const RandomValues& source, const Shape&) {
  if (std::isfinite(source.low) && std::isfinite(source.high) &&
      source.low <= source.high) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("random has low = ", source.low, " and high = ", source.high,
                   "; low must not exceed high"));
}

absl::Status CheckChannels(absl::string_view field,
                           const std::vector<double>& values,
                           const Shape& shape) {
  if (values.empty()) return absl::OkStatus();
  return CheckValues(field, values, shape.empty() ? 1 : shape.back(),
                     "the innermost dimension");
}

absl::Status CheckWhole(const ConstantData& data, DataType type) {
  const auto* given = std::get_if<ExplicitValues>(&data.source);
  if (given == nullptr || !data.channel_factor.empty() ||
      !data.channel_offset.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "an ", DataTypeName(type), " constant has values and nothing else"));
  }
  for (size_t i = 0; i < given->values->size(); ++i) {
    const float value = (*given->values)[i];
    if (type == DataType::kBool ? value == 0 || value == 1
                                : value == std::trunc(value)) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "values[", i, "] = ", value, " is no ", DataTypeName(type)));
  }
  return absl::OkStatus();
}

std::vector<double> SourceValues(const ExplicitValues& source, int64_t) {
  return {source.values->begin(), source.values->end()};
}

std::vector<double> SourceValues(const RandomValues& source, int64_t elements) {
  Rng rng(source.seed);
  std::vector<double> values(elements);
  for (double& value : values) {
    value = static_cast<float>(source.low +
                               (source.high - source.low) * rng.Real());
  }
  return values;
}

}  // namespace

ExplicitValues MakeExplicit(std::vector<float> values) {
  return {std::make_shared<const std::vector<float>>(std::move(values))};
}

absl::Status CheckConstant(const ConstantData& data, const Shape& shape,
                           DataType type) {
  RETURN_IF_ERROR(
      std::visit([&](const auto& source) { return CheckSource(source, shape); },
                 data.source));
  RETURN_IF_ERROR(CheckChannels("channel_factor", data.channel_factor, shape));
  RETURN_IF_ERROR(CheckChannels("channel_offset", data.channel_offset, shape));
  return type == DataType::kFloat32 ? absl::OkStatus() : CheckWhole(data, type);
}

std::vector<double> MaterializeConstant(const ConstantData& data,
                                        const Shape& shape) {
  const int64_t elements = NumElements(shape);
  std::vector<double> values = std::visit(
      [&](const auto& source) { return SourceValues(source, elements); },
      data.source);
  const int64_t channels = shape.empty() ? 1 : shape.back();
  for (int64_t i = 0; i < elements; ++i) {
    if (!data.channel_factor.empty())
      values[i] *= data.channel_factor[i % channels];
    if (!data.channel_offset.empty())
      values[i] += data.channel_offset[i % channels];
  }
  return values;
}

ConstantData ScaleChannels(const ConstantData& data,
                           const std::vector<double>& factor,
                           const std::vector<double>& offset) {
  const size_t channels = factor.size();
  CHECK_EQ(offset.size(), channels);
  ConstantData scaled = data;
  scaled.channel_factor.resize(channels, 1.0);
  scaled.channel_offset.resize(channels, 0.0);
  for (size_t c = 0; c < channels; ++c) {
    scaled.channel_factor[c] *= factor[c];
    scaled.channel_offset[c] = scaled.channel_offset[c] * factor[c] + offset[c];
  }
  const auto drop_if_all = [](std::vector<double>& values, double neutral) {
    if (std::all_of(values.begin(), values.end(),
                    [&](double value) { return value == neutral; })) {
      values.clear();
    }
  };
  drop_if_all(scaled.channel_factor, 1.0);
  drop_if_all(scaled.channel_offset, 0.0);
  return scaled;
}

}  // namespace pruner
