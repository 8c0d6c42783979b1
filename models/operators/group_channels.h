// Channels of grouped convolutions.
#ifndef MODELS_OPERATORS_GROUP_CHANNELS_H_
#define MODELS_OPERATORS_GROUP_CHANNELS_H_

#include <cstdint>

#include "Halide.h"
#include "absl/status/status.h"
#include "models/operators/operator_kind.h"
#include "models/operators/shape.h"

namespace pruner {

// Weights are {..., input channels of a group, output channels}; the channels
// of the input are its last dimension.
absl::Status CheckGroups(const Shape& input, const Shape& weights,
                         int64_t groups);

// The input channel that the output channel `c` reads at `rc` of its group,
// which has `in_group` input channels and `out_group` output channels.
Halide::Expr InputChannel(int64_t groups, int64_t in_group, int64_t out_group,
                          const Halide::Expr& c, const Halide::Expr& rc);

}  // namespace pruner

#endif  // MODELS_OPERATORS_GROUP_CHANNELS_H_
