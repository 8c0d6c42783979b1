#include "pruner/pacm/network_state.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "pruner/base/status_macros.h"
#include "pruner/pacm/ranking_network.h"
#include "pruner/pacm/torch_border.h"
#include "torch/types.h"
#include "torch/utils.h"

namespace pruner {
namespace {

// Batch norm also counts its batches, as an integer that nothing depends on.
std::vector<std::pair<std::string, torch::Tensor>> FloatTensors(
    const RankingNetwork& network) {
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
  for (const auto& parameter : network.named_parameters())
    tensors.emplace_back(parameter.key(), parameter.value());
  for (const auto& buffer : network.named_buffers()) {
    if (buffer.value().is_floating_point())
      tensors.emplace_back(buffer.key(), buffer.value());
  }
  return tensors;
}

absl::Status CheckFits(const NamedTensor& from, const std::string& name,
                       const torch::Tensor& to) {
  if (from.name != name) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is ", from.name, " where ", name, " should be"));
  }
  if (to.sizes() != torch::IntArrayRef(from.shape) ||
      from.values.size() != static_cast<size_t>(to.numel())) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " has ", from.values.size(), " values as ",
                     absl::StrJoin(from.shape, "x"), ", should have ",
                     absl::StrJoin(to.sizes(), "x")));
  }
  if (!std::all_of(from.values.begin(), from.values.end(),
                   [](float value) { return std::isfinite(value); })) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " has a value that is not finite"));
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<NamedTensor> StateOf(const RankingNetwork& network) {
  std::vector<NamedTensor> state;
  for (const auto& [name, tensor] : FloatTensors(network)) {
    const torch::Tensor flat = tensor.detach().contiguous();
    const auto* const values = flat.data_ptr<float>();
    state.push_back({.name = name,
                     .shape = tensor.sizes().vec(),
                     .values = {values, values + flat.numel()}});
  }
  return state;
}

absl::Status SetState(const std::vector<NamedTensor>& state,
                      RankingNetwork& network) {
  return CatchTorch("setting weights", [&]() -> absl::Status {
    const auto tensors = FloatTensors(network);
    if (state.size() != tensors.size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "there are ", state.size(), " tensors, should be ", tensors.size()));
    }
    for (size_t i = 0; i < state.size(); ++i) {
      RETURN_IF_ERROR(CheckFits(state[i], tensors[i].first, tensors[i].second));
    }
    for (size_t i = 0; i < state.size(); ++i) {
      std::copy(state[i].values.begin(), state[i].values.end(),
                tensors[i].second.data_ptr<float>());
    }
    return absl::OkStatus();
  });
}

}  // namespace pruner
