#include "pruner/pacm/published_checkpoint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "caffe2/serialize/inline_container.h"
#include "pruner/base/float_bytes.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/pacm/make_network.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/network_state.h"
#include "pruner/pacm/state_dict_pickle.h"
#include "pruner/pacm/torch_border.h"
#include "pruner/pacm/trained_network.h"

namespace pruner {
namespace {

constexpr absl::string_view kZip = "PK\x03\x04";
// With which each pickle of protocol 2 and above begins.
constexpr absl::string_view kPickle = "\x80";

// What the authors' code calls the parts of the network.
struct Renamed {
  absl::string_view ours, theirs;
};
constexpr Renamed kParts[] = {
    {"rows.first.", "segment_encoder.0."},
    {"rows.second.", "segment_encoder.2."},
    {"dataflow.first.", "gemm_encoder.0."},
    {"dataflow.second.", "gemm_encoder.2."},
    {"dataflow.attention.", "attention."},
    {"fuse.", "fuse.0."},
    {"norm.", "norm."},
    {"head.first.", "l0.0."},
    {"head.second.", "l1.0."},
    {"head.score.", "decoder."},
};

std::string TheirName(absl::string_view ours) {
  for (const Renamed& part : kParts) {
    absl::string_view rest = ours;
    if (absl::ConsumePrefix(&rest, part.ours))
      return absl::StrCat(part.theirs, rest);
  }
  return std::string(ours);
}

// The archive that torch.save wrote.
class Archive {
 public:
  static absl::StatusOr<std::unique_ptr<Archive>> Open(
      const std::string& bytes) {
    auto archive = absl::WrapUnique(new Archive(bytes));
    RETURN_IF_ERROR(CatchTorch("opening it", [&] {
      archive->reader_.emplace(&archive->stream_);
      return absl::OkStatus();
    }));
    ASSIGN_OR_RETURN(const std::string pickle, archive->Record("data.pkl"));
    ASSIGN_OR_RETURN(archive->tensors_, ReadStateDictPickle(pickle));
    return archive;
  }

  // The width of what the first layer of a part reads, or -1.
  int ColumnsOf(const std::string& name) const {
    const auto found = tensors_.find(name);
    const bool is_matrix =
        found != tensors_.end() && found->second.shape.size() == 2;
    return is_matrix ? static_cast<int>(
                           std::min(found->second.shape[1], int64_t{1} << 30))
                     : -1;
  }

  // `name`, which the network calls `new_name`.
  absl::StatusOr<NamedTensor> Tensor(const std::string& name,
                                     const std::string& new_name) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no ", name, " in it"));
    }
    const PickledTensor& tensor = found->second;
    if (tensor.type != "FloatStorage") {
      return absl::InvalidArgumentError(
          absl::StrCat(name, " is in a ", tensor.type, ", not single floats"));
    }
    ASSIGN_OR_RETURN(const std::string record,
                     Record(absl::StrCat("data/", tensor.storage)));
    const std::vector<float> stored = FloatsOfBytes(record);
    if (!IsAsStored(tensor, stored.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, " is not what its ", stored.size(),
                       " stored numbers are in order"));
    }
    return NamedTensor{
        .name = new_name, .shape = tensor.shape, .values = stored};
  }

 private:
  explicit Archive(const std::string& bytes)
      : bytes_(bytes.size()), stream_(bytes) {}

  // Row by row, all of them.
  static bool IsAsStored(const PickledTensor& tensor, size_t numbers) {
    if (tensor.offset != 0 || tensor.shape.size() != tensor.strides.size())
      return false;
    int64_t elements = 1;
    for (size_t d = tensor.shape.size(); d-- > 0;) {
      const int64_t extent = tensor.shape[d];
      if (tensor.strides[d] != elements || extent < 1 ||
          extent > static_cast<int64_t>(numbers) / elements) {
        return false;
      }
      elements *= extent;
    }
    return elements == static_cast<int64_t>(numbers);
  }

  absl::StatusOr<std::string> Record(const std::string& name) {
    std::string record;
    RETURN_IF_ERROR(CatchTorch("reading it", [&]() -> absl::Status {
      // Nothing in it is compressed.
      const size_t size = reader_->getRecordSize(name);
      if (size > bytes_) return absl::InvalidArgumentError("it is damaged");
      record.resize(size);
      reader_->getRecord(name, record.data(), size);
      return absl::OkStatus();
    }));
    return record;
  }

  const size_t bytes_;
  std::istringstream stream_;
  std::optional<caffe2::serialize::PyTorchStreamReader> reader_;
  std::map<std::string, PickledTensor> tensors_;
};

absl::StatusOr<NetworkShape> ShapeOf(const Archive& archive) {
  const NetworkShape shape = {
      .kind = NetworkKind::kPacm,
      .row_columns = archive.ColumnsOf("segment_encoder.0.weight"),
      .blocks = kDataflowBlocks,
      .block_columns = archive.ColumnsOf("gemm_encoder.0.weight"),
      .width = archive.ColumnsOf("decoder.weight")};
  RETURN_IF_ERROR(CheckShape(shape));
  return shape;
}

absl::StatusOr<TrainedNetwork> Read(const std::string& bytes) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Archive> archive,
                   Archive::Open(bytes));
  TrainedNetwork model;
  ASSIGN_OR_RETURN(model.shape, ShapeOf(*archive));
  ASSIGN_OR_RETURN(model.network, MakeNetwork(model.shape, Rng(0)));
  std::vector<NamedTensor> state = StateOf(*model.network);
  for (NamedTensor& tensor : state) {
    ASSIGN_OR_RETURN(tensor,
                     archive->Tensor(TheirName(tensor.name), tensor.name));
  }
  RETURN_IF_ERROR(SetState(state, *model.network));
  return model;
}

}  // namespace

bool IsPublishedCheckpoint(absl::string_view bytes) {
  return absl::StartsWith(bytes, kZip) || absl::StartsWith(bytes, kPickle);
}

absl::StatusOr<TrainedNetwork> ReadPublishedCheckpoint(
    const std::string& path, const std::string& bytes) {
  if (!absl::StartsWith(bytes, kZip)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path,
        " is a pickle, and reading one may run what it says: give the "
        "state_dict (.pth) that is published beside it"));
  }
  absl::StatusOr<TrainedNetwork> model = Read(bytes);
  if (model.ok()) return model;
  return absl::InvalidArgumentError(absl::StrCat(
      path, " is no checkpoint of PaCM: ", model.status().message()));
}

}  // namespace pruner
