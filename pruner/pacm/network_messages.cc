#include "pruner/pacm/network_messages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/float_bytes.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_messages.pb.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/training_options.h"

namespace pruner {
namespace {

proto::NetworkTraining ToProto(const TrainingOptions& options) {
  proto::NetworkTraining training;
  training.set_sgd(options.optimizer == TrainingOptions::Optimizer::kSgd);
  training.set_learning_rate(options.learning_rate);
  training.set_weight_decay(options.weight_decay);
  training.set_max_gradient_norm(options.max_gradient_norm);
  training.set_batch_size(options.batch_size);
  training.set_list_size(options.list_size);
  training.set_max_epochs(options.max_epochs);
  training.set_max_examples(options.max_examples);
  training.set_halving_epochs(options.halving_epochs);
  training.set_patience(options.patience);
  training.set_loss_memory(options.loss_memory);
  training.set_min_programs(options.min_programs);
  training.set_threads(options.threads);
  return training;
}

TrainingOptions FromProto(const proto::NetworkTraining& training) {
  return {.optimizer = training.sgd() ? TrainingOptions::Optimizer::kSgd
                                      : TrainingOptions::Optimizer::kAdam,
          .learning_rate = training.learning_rate(),
          .weight_decay = training.weight_decay(),
          .max_gradient_norm = training.max_gradient_norm(),
          .batch_size = training.batch_size(),
          .list_size = training.list_size(),
          .max_epochs = training.max_epochs(),
          .max_examples = training.max_examples(),
          .halving_epochs = training.halving_epochs(),
          .patience = training.patience(),
          .loss_memory = training.loss_memory(),
          .min_programs = training.min_programs(),
          .threads = training.threads()};
}

// Whether ends and numbers of values belong together.
bool AreWhole(const FeatureRows& rows) {
  if (rows.columns < 0 || rows.program_columns < 0) return false;
  int32_t before = 0;
  for (const int32_t end : rows.ends) {
    if (end <= before) return false;
    before = end;
  }
  return rows.values.size() == static_cast<size_t>(rows.num_rows()) *
                                   static_cast<size_t>(rows.columns) &&
         rows.program_values.size() ==
             rows.ends.size() * static_cast<size_t>(rows.program_columns);
}

}  // namespace

proto::OpenNetwork ToProto(const NetworkModelOptions& options) {
  proto::OpenNetwork open;
  open.set_features(options.features);
  open.set_kind(NetworkKindName(options.shape.kind));
  open.set_row_columns(options.shape.row_columns);
  open.set_blocks(options.shape.blocks);
  open.set_block_columns(options.shape.block_columns);
  open.set_width(options.shape.width);
  open.set_dataflow_width(options.shape.dataflow_width);
  open.set_pretrained(options.pretrained);
  open.set_adapt(AdaptionName(options.adapt));
  open.set_standard(options.normalisation == Normalisation::kStandard);
  open.set_seed(options.seed);
  open.set_train_every(options.train_every);
  open.set_keep_normaliser(options.keep_normaliser);
  *open.mutable_training() = ToProto(options.training);
  return open;
}

absl::StatusOr<NetworkModelOptions> FromProto(const proto::OpenNetwork& open) {
  NetworkModelOptions options = {
      .features = open.features(),
      .shape = {.row_columns = open.row_columns(),
                .blocks = open.blocks(),
                .block_columns = open.block_columns(),
                .width = open.width(),
                .dataflow_width = open.dataflow_width()},
      .pretrained = open.pretrained(),
      .train_every = open.train_every(),
      .keep_normaliser = open.keep_normaliser(),
      .training = FromProto(open.training()),
      .normalisation =
          open.standard() ? Normalisation::kStandard : Normalisation::kLargest,
      .seed = open.seed()};
  ASSIGN_OR_RETURN(options.shape.kind, ParseNetworkKind(open.kind()));
  ASSIGN_OR_RETURN(options.adapt, ParseAdaption(open.adapt()));
  return options;
}

proto::RankedRows ToProto(const FeatureRows& programs,
                          absl::Span<const ProgramLabel> labels) {
  proto::RankedRows rows;
  rows.set_columns(programs.columns);
  rows.set_values(BytesOfFloats(programs.values));
  rows.mutable_ends()->Add(programs.ends.begin(), programs.ends.end());
  rows.set_program_columns(programs.program_columns);
  rows.set_program_values(BytesOfFloats(programs.program_values));
  for (const ProgramLabel& label : labels) {
    rows.add_tasks(label.task);
    rows.add_failed(!label.seconds.has_value());
    rows.add_seconds(label.seconds.value_or(0));
  }
  return rows;
}

absl::StatusOr<FeatureRows> RowsFromProto(const proto::RankedRows& rows) {
  FeatureRows programs = {
      .columns = rows.columns(),
      .values = FloatsOfBytes(rows.values()),
      .ends = {rows.ends().begin(), rows.ends().end()},
      .program_columns = rows.program_columns(),
      .program_values = FloatsOfBytes(rows.program_values())};
  if (!AreWhole(programs))
    return absl::InvalidArgumentError("these numbers are no programs");
  return programs;
}

std::vector<ProgramLabel> LabelsFromProto(const proto::RankedRows& rows) {
  std::vector<ProgramLabel> labels;
  const int count =
      std::min({rows.tasks_size(), rows.failed_size(), rows.seconds_size()});
  for (int i = 0; i < count; ++i) {
    labels.push_back({.task = rows.tasks(i),
                      .seconds = rows.failed(i)
                                     ? std::nullopt
                                     : std::optional(rows.seconds(i))});
  }
  return labels;
}

}  // namespace pruner
