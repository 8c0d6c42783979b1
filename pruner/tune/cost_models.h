// The learned models by name, as --cost_model takes them.
#ifndef PRUNER_TUNE_COST_MODELS_H_
#define PRUNER_TUNE_COST_MODELS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/columns.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct CostModelEntry {
  absl::string_view name;
  std::optional<NetworkKind> network = {};  // none: it is no network
};

inline constexpr char kNoCostModel[] = "none";

absl::Span<const CostModelEntry> CostModels();

// How networks are trained: on short lists of one task each; or as the papers'
// authors do, on programs of all tasks mixed, and in a search after each round.
inline constexpr char kListTraining[] = "lists";
inline constexpr char kPapersTraining[] = "papers";

// What models read: the papers' columns and ours, or the papers' alone.
inline constexpr char kAllColumns[] = "all";
inline constexpr char kCompatColumns[] = "compat";

// Which of PaCM's branches a network has (docs/algorithms.md B7).
inline constexpr char kBothBranches[] = "both";
inline constexpr char kRowsBranch[] = "rows";
inline constexpr char kDataflowBranch[] = "dataflow";

// What a network begins with, if not with a file: with nothing; with what is
// shipped, a PaCM that has learned on another CPU (testdata/README.md); or with
// that where the model and the target are such, and else with nothing.
inline constexpr char kNoPretrained[] = "none";
inline constexpr char kCpuPretrained[] = "cpu";
inline constexpr char kAutoPretrained[] = "auto";

struct CostModelOptions {
  std::string name = "gbdt";  // which needs no program but this
  std::string columns = kAllColumns;
  std::string branches = kBothBranches;  // of pacm
  // Of networks. The program that computes them: see RemoteNetwork.
  std::string network_program = {};
  std::string training = kListTraining;
  int epochs = 0;  // 0: as many as the training takes by itself
  // A file of a network to begin with, or one of the names above, and what is
  // learned on top of it; see NetworkModelOptions.
  std::string pretrained = kNoPretrained;
  std::string adapt = "moa";
  uint64_t seed = 1;

  bool operator==(const CostModelOptions&) const = default;
};

// Whether there are such columns, and such branches of the model.
absl::Status CheckWhatIsRead(const CostModelOptions& options);

// What can be told before a model is made. Errors name the flag.
absl::Status CheckCostModel(const CostModelOptions& options);

// Whether network_worker is there, where the model needs it.
absl::Status CheckNetworkProgram(const CostModelOptions& options);

// The columns that the model reads.
ColumnSet ColumnsOf(const CostModelOptions& options);

// `given` by a user: nothing is kNoPretrained, a name stays what it is, a path
// may be relative.
std::string PretrainedOf(const std::string& given);

// What kAutoPretrained is on a target.
CostModelOptions ResolvePretrained(const TargetSpec& target,
                                   CostModelOptions options);

// Whether it is one of the networks.
bool IsNetwork(const CostModelOptions& options);

// As below, of networks alone.
absl::StatusOr<std::unique_ptr<NetworkModel>> StartNetwork(
    const CostModelOptions& options);

// A model that has learned nothing but what its file tells; nullptr of
// kNoCostModel. kAutoPretrained is as good as kNoPretrained here. Errors:
// those of both checks; the library's; a network's process does not start; its
// file is none, or of other columns.
absl::StatusOr<std::unique_ptr<CostModel>> MakeCostModel(
    const CostModelOptions& options);

}  // namespace pruner

#endif  // PRUNER_TUNE_COST_MODELS_H_
