// Which network, and how much it reads of a program.
#ifndef PRUNER_PACM_NETWORK_SHAPE_H_
#define PRUNER_PACM_NETWORK_SHAPE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

enum class NetworkKind {
  kPacm,       // docs/algorithms.md B4
  kTensetMlp,  // docs/algorithms.md A8; reads rows alone
};

// Its name in files and messages, such as "pacm".
absl::string_view NetworkKindName(NetworkKind kind);
absl::StatusOr<NetworkKind> ParseNetworkKind(absl::string_view name);

inline constexpr int kPapersWidth = 256;
inline constexpr int kPapersDataflowWidth = 128;
// Networks guide a search as well with a quarter of it (docs/search.md,
// "Learned models"), in a fraction of the time.
inline constexpr int kNarrowWidth = 64;
inline constexpr int kNarrowDataflowWidth = 32;
// Of the attention among blocks, which share a block's numbers.
inline constexpr int kAttentionHeads = 4;

// PaCM reads rows, or dataflow blocks, or both: what it has 0 of it does
// without, as in the ablations of docs/algorithms.md B7.
struct NetworkShape {
  NetworkKind kind = NetworkKind::kPacm;
  int row_columns = 0;
  // Of a program, in its own values block by block.
  int blocks = 0;
  int block_columns = 0;
  // How many numbers its layers hand on, and those of the dataflow branch.
  int width = kPapersWidth;
  int dataflow_width = kPapersDataflowWidth;

  bool reads_rows() const { return row_columns > 0; }
  bool reads_blocks() const { return blocks > 0; }

  bool operator==(const NetworkShape&) const = default;
};

// Of a network that reads all it can of such programs, of which there may be
// none yet.
NetworkShape ShapeFor(NetworkKind kind, const FeatureRows& programs);

// The same network with kNarrowWidth and kNarrowDataflowWidth.
NetworkShape Narrow(NetworkShape shape);

// Errors: nothing to read; blocks for a network that reads none; sizes that no
// network has.
absl::Status CheckShape(const NetworkShape& shape);

// Error: the programs have other columns than the network reads.
absl::Status CheckColumns(const NetworkShape& shape,
                          const FeatureRows& programs);

}  // namespace pruner

#endif  // PRUNER_PACM_NETWORK_SHAPE_H_
