// A network with what makes its scores: a value that is trained, stored, scored
// with.
#ifndef PRUNER_PACM_TRAINED_NETWORK_H_
#define PRUNER_PACM_TRAINED_NETWORK_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"

namespace pruner {

class RankingNetwork;

// Copies share the network.
struct TrainedNetwork {
  NetworkShape shape = {};
  Normaliser normaliser = {};
  std::shared_ptr<RankingNetwork> network = nullptr;  // of this shape

  // A published checkpoint has none, and scores nothing until they are fitted.
  bool has_scales() const { return normaliser != Normaliser(); }
};

// With a network of its own, equal in every number.
absl::StatusOr<TrainedNetwork> Copy(const TrainedNetwork& model);

// A score per program, in order; higher is faster, finite. By the statistics of
// the training data, never those of the programs (docs/algorithms.md B4), so
// that a program's score does not depend on the others. On so many threads; 0:
// LibTorch's number. Errors: CheckColumns'; a score that is not finite, because
// a feature is not, or is far beyond what was trained on.
absl::StatusOr<std::vector<double>> ScorePrograms(const TrainedNetwork& model,
                                                  const FeatureRows& programs,
                                                  int threads);

}  // namespace pruner

#endif  // PRUNER_PACM_TRAINED_NETWORK_H_
