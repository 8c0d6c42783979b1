#include "pruner/pacm/trained_network.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/network_state.h"
#include "pruner/pacm/program_tensors.h"
#include "pruner/pacm/ranking_network.h"
#include "pruner/pacm/torch_border.h"
#include "torch/types.h"
#include "torch/utils.h"

namespace pruner {
namespace {

// Programs that are scored at once, to bound the memory that takes.
constexpr size_t kBatch = 4096;

}  // namespace

absl::StatusOr<TrainedNetwork> Copy(const TrainedNetwork& model) {
  TrainedNetwork copy = model;
  ASSIGN_OR_RETURN(copy.network, MakeNetwork(model.shape, Rng(0)));
  RETURN_IF_ERROR(SetState(StateOf(*model.network), *copy.network));
  return copy;
}

absl::StatusOr<std::vector<double>> ScorePrograms(const TrainedNetwork& model,
                                                  const FeatureRows& programs,
                                                  int threads) {
  RETURN_IF_ERROR(CheckColumns(model.shape, programs));
  std::vector<double> scores;
  RETURN_IF_ERROR(CatchTorch("scoring programs", [&] {
    const TorchThreads bounded(threads);
    const torch::NoGradGuard no_gradients;
    model.network->eval();
    const ProgramTensors tensors(model.shape, model.normaliser, programs);
    std::vector<int64_t> all(static_cast<size_t>(tensors.size()));
    std::iota(all.begin(), all.end(), int64_t{0});
    for (size_t first = 0; first < all.size(); first += kBatch) {
      const ProgramBatch batch =
          tensors.Batch(absl::MakeConstSpan(all).subspan(first, kBatch));
      const torch::Tensor batch_scores =
          model.network->forward(batch).contiguous();
      const auto* const values = batch_scores.data_ptr<float>();
      scores.insert(scores.end(), values, values + batch.size);
    }
    return absl::OkStatus();
  }));
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!std::isfinite(scores[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("the network's score of program ", i,
                       " is not finite: its features "
                       "are unlike any that it was trained on"));
    }
  }
  return scores;
}

}  // namespace pruner
