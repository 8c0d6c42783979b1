#include "pruner/pacm/model_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/float_bytes.h"
#include "pruner/base/hash.h"
#include "pruner/base/os/files.h"
#include "pruner/base/packaged_file.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/columns.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_file.pb.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/network_state.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/packaged_networks.h"
#include "pruner/pacm/published_checkpoint.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {
namespace {

constexpr absl::string_view kMagic = "pruner network";
// A network takes 2 MB; what is much larger is something else.
constexpr int64_t kMaxBytes = int64_t{1} << 28;

proto::ColumnScales ToProto(const ColumnScales& scales) {
  proto::ColumnScales stored;
  stored.mutable_shifts()->Add(scales.shifts.begin(), scales.shifts.end());
  stored.mutable_divisors()->Add(scales.divisors.begin(),
                                 scales.divisors.end());
  return stored;
}

ColumnScales FromProto(const proto::ColumnScales& stored) {
  return {.shifts = {stored.shifts().begin(), stored.shifts().end()},
          .divisors = {stored.divisors().begin(), stored.divisors().end()}};
}

proto::StoredNetwork ToProto(absl::string_view features,
                             const TrainedNetwork& model) {
  proto::StoredNetwork stored;
  stored.set_features(features);
  stored.set_kind(NetworkKindName(model.shape.kind));
  stored.set_row_columns(model.shape.row_columns);
  stored.set_blocks(model.shape.blocks);
  stored.set_block_columns(model.shape.block_columns);
  stored.set_width(model.shape.width);
  stored.set_dataflow_width(model.shape.dataflow_width);
  *stored.mutable_row_scales() = ToProto(model.normaliser.rows);
  *stored.mutable_block_scales() = ToProto(model.normaliser.blocks);
  stored.set_limit(model.normaliser.limit);
  for (const NamedTensor& tensor : StateOf(*model.network)) {
    proto::StoredTensor& to = *stored.add_tensors();
    to.set_name(tensor.name);
    to.mutable_shape()->Add(tensor.shape.begin(), tensor.shape.end());
    to.set_values(BytesOfFloats(tensor.values));
  }
  return stored;
}

absl::StatusOr<TrainedNetwork> FromProto(const proto::StoredNetwork& stored) {
  TrainedNetwork model;
  ASSIGN_OR_RETURN(model.shape.kind, ParseNetworkKind(stored.kind()));
  model.shape.row_columns = stored.row_columns();
  model.shape.blocks = stored.blocks();
  model.shape.block_columns = stored.block_columns();
  model.shape.width = stored.width();
  model.shape.dataflow_width = stored.dataflow_width();
  RETURN_IF_ERROR(CheckShape(model.shape));
  model.normaliser = {.rows = FromProto(stored.row_scales()),
                      .blocks = FromProto(stored.block_scales()),
                      .limit = stored.limit()};
  RETURN_IF_ERROR(CheckNormaliser(model.shape, model.normaliser));
  std::vector<NamedTensor> state;
  for (const proto::StoredTensor& tensor : stored.tensors()) {
    state.push_back({.name = tensor.name(),
                     .shape = {tensor.shape().begin(), tensor.shape().end()},
                     .values = FloatsOfBytes(tensor.values())});
  }
  ASSIGN_OR_RETURN(model.network, MakeNetwork(model.shape, Rng(0)));
  RETURN_IF_ERROR(SetState(state, *model.network));
  return model;
}

absl::Status Damaged(const std::string& path, absl::string_view why) {
  return absl::DataLossError(
      absl::StrCat("the network ", path, " is damaged: ", why));
}

absl::StatusOr<TrainedNetwork> Published(const std::string& path,
                                         const std::string& bytes,
                                         absl::string_view features) {
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

absl::StatusOr<TrainedNetwork> ReadNetwork(const std::string& path,
                                           absl::string_view bytes,
                                           absl::string_view features) {
  proto::NetworkFile file;
  // Of a file that is cut short the fields before the cut are there.
  const bool whole = file.ParseFromString(bytes);
  if (file.magic() != kMagic)
    return absl::InvalidArgumentError(absl::StrCat(path, " is no network"));
  if (file.version() != kNetworkFileVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("the network ", path, " is of version ", file.version(),
                     "; this program reads version ", kNetworkFileVersion));
  }
  proto::StoredNetwork stored;
  if (!whole || file.fingerprint() != Fingerprint(file.network()) ||
      !stored.ParseFromString(file.network())) {
    return Damaged(path, "its bytes are not those that were written");
  }
  if (stored.features() != features) {
    return absl::InvalidArgumentError(
        absl::StrCat("the network ", path, " was trained on features ",
                     stored.features(), "; these are ", features));
  }
  absl::StatusOr<TrainedNetwork> model = FromProto(stored);
  if (!model.ok()) return Damaged(path, model.status().message());
  return model;
}

}  // namespace

absl::Status SaveNetwork(const std::string& path, absl::string_view features,
                         const TrainedNetwork& model) {
  proto::NetworkFile file;
  file.set_magic(kMagic);
  file.set_version(kNetworkFileVersion);
  file.set_network(ToProto(features, model).SerializeAsString());
  file.set_fingerprint(Fingerprint(file.network()));
  return WriteFileAtomically(path, file.SerializeAsString());
}

absl::StatusOr<TrainedNetwork> LoadNetwork(const std::string& name_or_path,
                                           absl::string_view features) {
  for (const PackagedFile& packaged : PackagedNetworks()) {
    if (packaged.name == name_or_path)
      return ReadNetwork(name_or_path, packaged.contents, features);
  }
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(name_or_path, kMaxBytes));
  if (IsPublishedCheckpoint(bytes))
    return Published(name_or_path, bytes, features);
  return ReadNetwork(name_or_path, bytes, features);
}

}  // namespace pruner
