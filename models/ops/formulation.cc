#include "models/ops/formulation.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "models/ops/pipeline_builder.h"
#include "models/ops/winograd.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Sums of a few thousand products.
constexpr double kDirectTolerance = 1e-5;

struct Winograd {
  std::string_view name;
  int64_t tile;
  double tolerance;
};
constexpr Winograd kWinograds[] = {
    {kWinogradF2, 2, 2e-5},
    {kWinogradF4, 4, 2e-4},
};

bool IsWanted(std::string_view name, const FormulationOptions& options) {
  return options.names.empty() ||
         std::find(options.names.begin(), options.names.end(), name) !=
             options.names.end();
}

}  // namespace

std::vector<std::string> FormulationNames() {
  std::vector<std::string> names = {std::string(kDirect)};
  for (const Winograd& winograd : kWinograds) names.emplace_back(winograd.name);
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
  if (IsWanted(kDirect, options)) {
    result.push_back({.name = std::string(kDirect),
                      .op = direct,
                      .tolerance = kDirectTolerance});
  }
  for (const Winograd& winograd : kWinograds) {
    if (!IsWanted(winograd.name, options) ||
        winograd.tolerance > options.max_error || !WinogradApplies(subgraph)) {
      continue;
    }
    PipelineBuilder builder(subgraph, target.units.simd_lanes);
    result.push_back({.name = std::string(winograd.name),
                      .op = BuildWinograd(winograd.tile, builder),
                      .tolerance = winograd.tolerance});
  }
  if (result.empty()) {
    result.push_back({.name = std::string(kDirect),
                      .op = std::move(direct),
                      .tolerance = kDirectTolerance});
  }
  return result;
}

}  // namespace pruner
