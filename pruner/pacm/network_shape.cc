#include "pruner/pacm/network_shape.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/features/dataflow_blocks.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

// A damaged file must not make us allocate gigabytes.
constexpr int kMostColumns = 1 << 16;
constexpr int kLargestWidth = 1 << 12;

constexpr NetworkKind kKinds[] = {NetworkKind::kPacm, NetworkKind::kTensetMlp};

}  // namespace

absl::string_view NetworkKindName(NetworkKind kind) {
  switch (kind) {
    case NetworkKind::kPacm:
      return "pacm";
    case NetworkKind::kTensetMlp:
      return "tenset_mlp";
  }
  return "";
}

absl::StatusOr<NetworkKind> ParseNetworkKind(absl::string_view name) {
  for (const NetworkKind kind : kKinds) {
    if (NetworkKindName(kind) == name) return kind;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no network ", name, "; there are pacm and ", "tenset_mlp"));
}

NetworkShape ShapeFor(NetworkKind kind, const FeatureRows& programs) {
  NetworkShape shape = {.kind = kind, .row_columns = programs.columns};
  if (kind == NetworkKind::kPacm && programs.program_columns > 0) {
    shape.blocks = kDataflowBlocks;
    shape.block_columns = programs.program_columns / kDataflowBlocks;
  }
  return shape;
}

NetworkShape Narrow(NetworkShape shape) {
  shape.width = kNarrowWidth;
  shape.dataflow_width = kNarrowDataflowWidth;
  return shape;
}

absl::Status CheckShape(const NetworkShape& shape) {
  const auto [least, most] =
      std::minmax({shape.row_columns, shape.blocks, shape.block_columns});
  if (least < 0 || most > kMostColumns ||
      (shape.blocks > 0) != (shape.block_columns > 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no network reads rows of ", shape.row_columns, " columns and ",
        shape.blocks, " blocks of ", shape.block_columns));
  }
  if (shape.width < 1 || shape.width > kLargestWidth) {
    return absl::InvalidArgumentError(
        absl::StrCat("no network is ", shape.width, " wide; 1 to ",
                     kLargestWidth, " is possible"));
  }
  if (shape.dataflow_width < kAttentionHeads ||
      shape.dataflow_width > kLargestWidth ||
      shape.dataflow_width % kAttentionHeads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("no network has a dataflow branch ", shape.dataflow_width,
                     " wide; ", kAttentionHeads, " to ", kLargestWidth,
                     " in steps of ", kAttentionHeads, " is possible"));
  }
  if (!shape.reads_rows() && !shape.reads_blocks()) {
    return absl::InvalidArgumentError(
        "a network must read rows or dataflow blocks");
  }
  if (shape.kind == NetworkKind::kTensetMlp &&
      (!shape.reads_rows() || shape.reads_blocks())) {
    return absl::InvalidArgumentError("tenset_mlp reads rows alone");
  }
  return absl::OkStatus();
}

absl::Status CheckColumns(const NetworkShape& shape,
                          const FeatureRows& programs) {
  if (shape.reads_rows() && programs.columns != shape.row_columns) {
    return absl::InvalidArgumentError(
        absl::StrCat("a network of ", shape.row_columns,
                     " features cannot read rows of ", programs.columns));
  }
  const int own = shape.blocks * shape.block_columns;
  if (shape.reads_blocks() && programs.program_columns != own) {
    return absl::InvalidArgumentError(
        absl::StrCat("a network of ", shape.blocks, " dataflow blocks of ",
                     shape.block_columns, " cannot read programs with ",
                     programs.program_columns, " features of their own"));
  }
  return absl::OkStatus();
}

}  // namespace pruner
