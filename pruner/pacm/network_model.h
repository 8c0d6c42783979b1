// Ranking networks as cost models, wherever they are computed.
#ifndef PRUNER_PACM_NETWORK_MODEL_H_
#define PRUNER_PACM_NETWORK_MODEL_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/cost/cost_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/training_options.h"

namespace pruner {

// What updates do to a network that was trained elsewhere.
enum class Adaption {
  kNone,      // nothing
  kFineTune,  // each trains it further
  kMomentum,  // MoA: see MomentumModel
};

absl::string_view AdaptionName(Adaption adaption);
// The error lists the names.
absl::StatusOr<Adaption> ParseAdaption(absl::string_view name);

struct NetworkModelOptions {
  // What the columns are, with a version, as ColumnSetName does: a file of
  // other columns is refused.
  std::string features = {};
  // Of a file's network, its own shape.
  NetworkShape shape = {};
  // A file that a network was saved to; empty: one that has learned nothing,
  // which each update trains anew.
  std::string pretrained = {};
  Adaption adapt = Adaption::kMomentum;  // of a pretrained network
  // Of kMomentum: see MomentumOptions.
  int train_every = 4;
  bool keep_normaliser = false;
  TrainingOptions training = {};
  Normalisation normalisation = Normalisation::kLargest;
  uint64_t seed = 0;

  bool operator==(const NetworkModelOptions&) const = default;
};

class NetworkModel : public CostModel {
 public:
  // Writes what Predict needs to a file, for NetworkModelOptions::pretrained.
  // FailedPrecondition if the network has learned nothing.
  virtual absl::Status Save(const std::string& path) const = 0;
};

}  // namespace pruner

#endif  // PRUNER_PACM_NETWORK_MODEL_H_
