#include "pruner/pacm/pretrained_network.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/columns.h"
#include "pruner/pacm/model_file.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/published_checkpoint.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {

absl::StatusOr<TrainedNetwork> LoadPretrained(const std::string& path,
                                              absl::string_view features) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path, kMaxNetworkBytes));
  if (!IsPublishedCheckpoint(bytes)) return LoadNetwork(path, features);
  ASSIGN_OR_RETURN(TrainedNetwork model, ReadPublishedCheckpoint(path, bytes));
  if (features != ColumnSetName(ColumnSet::kPacm)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     " is a published checkpoint of PaCM, which reads the "
                     "papers' columns: say --cost_model=pacm "
                     "--columns=compat"));
  }
  RETURN_IF_ERROR(
      CheckColumns(model.shape, ColumnExtractor(ColumnSet::kPacm).NoRows()))
      << "in " << path;
  return model;
}

}  // namespace pruner
