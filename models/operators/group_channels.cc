#include "models/operators/group_channels.h"

#include <cstddef>
#include <cstdint>

#include "Halide.h"
#include "absl/status/status.h"
#include "models/operators/emission.h"
#include "models/operators/shape.h"
#include "models/operators/shape_checks.h"
#include "pruner/base/status_macros.h"

namespace pruner {

absl::Status CheckGroups(const Shape& input, const Shape& weights,
                         int64_t groups) {
  RETURN_IF_ERROR(CheckRange("groups", groups, 1, kMaxAttribute));
  const int64_t in_group = weights[weights.size() - 2];
  if (input.back() != in_group * groups) {
    return Invalid("input has ", input.back(), " channels, weights expect ",
                   in_group, " in each of ", groups, " groups");
  }
  if (weights.back() % groups != 0) {
    return Invalid("weights give ", weights.back(), " channels, which ", groups,
                   " groups do not divide");
  }
  return absl::OkStatus();
}

Halide::Expr InputChannel(int64_t groups, int64_t in_group, int64_t out_group,
                          const Halide::Expr& c, const Halide::Expr& rc) {
  if (groups == 1) return rc;
  const Halide::Expr group = out_group == 1 ? c : c / ToExpr(out_group);
  // Depthwise: no reduction over channels is left.
  return in_group == 1 ? group : group * ToExpr(in_group) + rc;
}

}  // namespace pruner
