#include "tools/pretrain/pretrain.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "pruner/base/clock.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/training_options.h"
#include "pruner/tune/cost_models.h"
#include "tools/evaluate/data_set.h"

namespace pruner {
namespace {

absl::Status CheckData(const DataSet& data) {
  if (data.tasks.size() < 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "all programs are of ", data.tasks.front().name,
        ": a network that is to know others must learn from several tasks"));
  }
  RETURN_IF_ERROR(CheckOneTarget(data));
  size_t programs = 0;
  for (const DataTask& task : data.tasks) programs += task.programs.size();
  const int batch = TrainingOptions().batch_size;
  if (programs < static_cast<size_t>(batch)) {
    return absl::InvalidArgumentError(absl::StrCat(
        programs, " programs are too few: a step of training takes ", batch));
  }
  return absl::OkStatus();
}

}  // namespace

std::string PretrainResult::ToString() const {
  return absl::StrFormat("%d programs of %d tasks (%d failed), %.0f s",
                         programs, tasks, failures, seconds);
}

absl::StatusOr<PretrainResult> Pretrain(const DataSet& data,
                                        const CostModelOptions& options,
                                        const std::string& path) {
  RETURN_IF_ERROR(CheckData(data));
  ASSIGN_OR_RETURN(const std::unique_ptr<NetworkModel> model,
                   StartNetwork(options));
  PretrainResult result = {.tasks = static_cast<int>(data.tasks.size())};
  ColumnExtractor extractor(ColumnsOf(options));
  FeatureRows rows = extractor.NoRows();
  std::vector<ProgramLabel> labels;
  for (size_t t = 0; t < data.tasks.size(); ++t) {
    const DataTask& task = data.tasks[t];
    AppendPrograms(data, task, t, extractor, rows, labels);
    result.programs += static_cast<int64_t>(task.programs.size());
    result.failures += task.num_failures();
  }
  const absl::Duration start = RealClock().Elapsed();
  RETURN_IF_ERROR(model->Update(rows, labels));
  result.seconds = ToDoubleSeconds(RealClock().Elapsed() - start);
  RETURN_IF_ERROR(model->Save(path));
  return result;
}

}  // namespace pruner
