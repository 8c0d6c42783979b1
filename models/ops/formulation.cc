#include "models/ops/formulation.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "models/ops/channel_blocks.h"
#include "models/ops/im2col.h"
#include "models/ops/pipeline_builder.h"
#include "models/ops/winograd.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Sums of a few thousand products.
constexpr double kDirectTolerance = 1e-5;

// A formulation besides the direct one.
struct Way {
  absl::string_view name;
  double tolerance;
  bool (*applies)(const Subgraph& subgraph);
  // Whether it is worth trials where it applies.
  bool (*may_pay)(const Subgraph& subgraph, const TargetSpec& target);
  OpPipeline (*build)(PipelineBuilder& builder);
};

bool Always(const Subgraph&, const TargetSpec&) { return true; }

// A matrix product of windows does the same work; it was nowhere faster than
// what measurements differ by.
bool Im2colMayPay(const Subgraph&, const TargetSpec&) { return false; }

// Blocks are filled up, so that output channels are whole vectors where the
// direct convolution has some of a quarter of the length or less; unless more
// than half of what is computed is thrown away for it. And large windows on an
// image's few colours.
bool ChannelBlocksMayPay(const Subgraph& subgraph, const TargetSpec& target) {
  // Threads need no vectors.
  if (target.HasThreads()) return false;
  const OperatorGraph& body = subgraph.body;
  const Shape& weights = body.ShapeOf(body.nodes[0].inputs[1]);
  const int64_t in = weights[2], out = weights[3];
  const int64_t half = std::max<int64_t>(target.units.simd_lanes / 2, 1);
  if (out % half != 0) return out > half;
  constexpr int64_t kLargeWindow = 25;
  return weights[0] * weights[1] >= kLargeWindow && in <= half;
}

constexpr Way kWays[] = {
    {kWinogradF2, 2e-5, WinogradApplies, Always,
     [](PipelineBuilder& builder) {
       return BuildWinograd(WinogradMatricesOf(2), builder);
     }},
    {kWinogradF4, 2e-4, WinogradApplies, Always,
     [](PipelineBuilder& builder) {
       return BuildWinograd(WinogradMatricesOf(4), builder);
     }},
    {kIm2col, kDirectTolerance, Im2colApplies, Im2colMayPay, BuildIm2col},
    {kNchwc, kDirectTolerance, ChannelBlocksApply, ChannelBlocksMayPay,
     BuildChannelBlocks},
};

bool IsNamed(absl::string_view name, const FormulationOptions& options) {
  return std::find(options.names.begin(), options.names.end(), name) !=
         options.names.end();
}

bool IsWanted(const Way& way, const Subgraph& subgraph,
              const TargetSpec& target, const FormulationOptions& options) {
  if (way.tolerance > options.max_error || !way.applies(subgraph)) return false;
  return options.names.empty() ? way.may_pay(subgraph, target)
                               : IsNamed(way.name, options);
}

}  // namespace

std::vector<std::string> FormulationNames() {
  std::vector<std::string> names = {std::string(kDirect)};
  for (const Way& way : kWays) names.emplace_back(way.name);
  return names;
}

absl::Status CheckFormulationOptions(const FormulationOptions& options) {
  const std::vector<std::string> known = FormulationNames();
  for (const std::string& name : options.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("'", name, "' is no formulation; there are ",
                     absl::StrJoin(known, ", ")));
  }
  if (!(options.max_error > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the largest error of a formulation is positive, not ",
                     options.max_error));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Formulation>> Formulations(
    const Subgraph& subgraph, const TargetSpec& target,
    const FormulationOptions& options) {
  RETURN_IF_ERROR(CheckFormulationOptions(options));
  ASSIGN_OR_RETURN(OpPipeline direct, BuildPipeline(subgraph, target));
  std::vector<Formulation> result;
  if (options.names.empty() || IsNamed(kDirect, options)) {
    result.push_back({.name = std::string(kDirect),
                      .op = direct,
                      .tolerance = kDirectTolerance});
  }
  for (const Way& way : kWays) {
    if (!IsWanted(way, subgraph, target, options)) continue;
    PipelineBuilder builder(subgraph, target.units.simd_lanes);
    result.push_back({.name = std::string(way.name),
                      .op = way.build(builder),
                      .tolerance = way.tolerance});
  }
  if (result.empty()) {
    result.push_back({.name = std::string(kDirect),
                      .op = std::move(direct),
                      .tolerance = kDirectTolerance});
  }
  return result;
}

}  // namespace pruner
