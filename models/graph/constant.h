// Values of a network's constants.
#ifndef MODELS_GRAPH_CONSTANT_H_
#define MODELS_GRAPH_CONSTANT_H_

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "models/operators/data_type.h"
#include "models/operators/shape.h"

namespace pruner {

// Given values in row-major order. Shared and immutable, so that copies of a
// graph are cheap.
struct ExplicitValues {
  std::shared_ptr<const std::vector<float>> values;  // not null
  friend bool operator==(const ExplicitValues& a, const ExplicitValues& b) {
    return a.values == b.values || *a.values == *b.values;
  }
};

ExplicitValues MakeExplicit(std::vector<float> values);

// Uniformly distributed in [low, high), rounded to float; the same everywhere
// for a seed.
struct RandomValues {
  uint64_t seed = 0;
  double low = 0;
  double high = 1;
  bool operator==(const RandomValues&) const = default;
};

// value[..., c] = source[..., c] * channel_factor[c] + channel_offset[c], c
// counting along the innermost dimension; an empty vector means factors 1 or
// offsets 0. This is what folding a batch norm does to weights and bias: kept
// as a recipe in double precision, a rewritten graph stays small and equals the
// original to the last bits.
struct ConstantData {
  std::variant<ExplicitValues, RandomValues> source{};
  std::vector<double> channel_factor{};
  std::vector<double> channel_offset{};
  bool operator==(const ConstantData&) const = default;
};

// InvalidArgument, naming the field, unless the data describe finite values of
// this shape and type: whole numbers for an int64, 0 and 1 for a bool, given
// and not random.
absl::Status CheckConstant(const ConstantData& data, const Shape& shape,
                           DataType type = DataType::kFloat32);

// The values in row-major order; data and shape have passed CheckConstant. What
// is deployed are these values rounded to float.
std::vector<double> MaterializeConstant(const ConstantData& data,
                                        const Shape& shape);

// `data` with `factor` applied to its values and `offset` added to that; both
// have one element per channel.
ConstantData ScaleChannels(const ConstantData& data,
                           const std::vector<double>& factor,
                           const std::vector<double>& offset);

}  // namespace pruner

#endif  // MODELS_GRAPH_CONSTANT_H_
