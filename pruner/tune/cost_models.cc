#include "pruner/tune/cost_models.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/find_named.h"
#include "pruner/base/text/flag_range.h"
#include "pruner/cost/boosted_trees.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/columns.h"
#include "pruner/pacm/network_model.h"
#include "pruner/pacm/network_shape.h"
#include "pruner/pacm/normaliser.h"
#include "pruner/pacm/remote_network.h"
#include "pruner/pacm/restarted_network.h"
#include "pruner/pacm/training_options.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

constexpr CostModelEntry kModels[] = {{"gbdt"},
                                      {"mlp", NetworkKind::kTensetMlp},
                                      {"pacm", NetworkKind::kPacm},
                                      {kNoCostModel}};

struct ChoiceEntry {
  absl::string_view name;
};
constexpr ChoiceEntry kTrainings[] = {{kListTraining}, {kPapersTraining}};
constexpr ChoiceEntry kColumns[] = {{kAllColumns}, {kCompatColumns}};
constexpr ChoiceEntry kBranches[] = {
    {kBothBranches}, {kRowsBranch}, {kDataflowBranch}};

absl::Status CheckChoice(absl::Span<const ChoiceEntry> choices,
                         absl::string_view flag, absl::string_view given) {
  return FindNamed(choices, flag, given).status();
}

std::optional<NetworkKind> NetworkOf(const CostModelOptions& options) {
  const auto entry = FindNamed(CostModels(), "cost_model", options.name);
  return entry.ok() ? (*entry)->network : std::nullopt;
}

bool IsPapers(const CostModelOptions& options) {
  return options.training == kPapersTraining;
}

bool IsPretrained(const CostModelOptions& options) {
  return options.pretrained != kNoPretrained &&
         options.pretrained != kAutoPretrained;
}

// Whether it reads what the networks that are shipped read.
bool IsLikeShipped(const CostModelOptions& options) {
  return NetworkOf(options) == NetworkKind::kPacm &&
         options.columns == kAllColumns;
}

NetworkShape ShapeOf(const CostModelOptions& options, NetworkKind kind) {
  NetworkShape shape =
      ShapeFor(kind, ColumnExtractor(ColumnsOf(options)).NoRows());
  if (!IsPapers(options)) shape = Narrow(shape);
  if (options.branches == kRowsBranch) shape.blocks = shape.block_columns = 0;
  if (options.branches == kDataflowBranch) shape.row_columns = 0;
  return shape;
}

TrainingOptions TrainingOf(const CostModelOptions& options, Adaption adapt) {
  TrainingOptions training;
  if (!IsPapers(options)) {
    training = ListTraining();
  } else if (IsPretrained(options) && adapt == Adaption::kFineTune) {
    training = FineTuning();
  }
  if (options.epochs > 0) {
    training.max_epochs = options.epochs;
    training.max_examples = 0;
  }
  return training;
}

}  // namespace

absl::Span<const CostModelEntry> CostModels() { return kModels; }

absl::Status CheckWhatIsRead(const CostModelOptions& options) {
  RETURN_IF_ERROR(CheckChoice(kColumns, "columns", options.columns));
  RETURN_IF_ERROR(CheckChoice(kBranches, "branches", options.branches));
  if (options.branches != kBothBranches &&
      NetworkOf(options) != NetworkKind::kPacm) {
    return absl::InvalidArgumentError(
        absl::StrCat("--branches is for --cost_model=pacm; ", options.name,
                     " has none to leave out"));
  }
  return absl::OkStatus();
}

absl::Status CheckCostModel(const CostModelOptions& options) {
  RETURN_IF_ERROR(FindNamed(CostModels(), "cost_model", options.name).status());
  RETURN_IF_ERROR(ParseAdaption(options.adapt).status());
  RETURN_IF_ERROR(CheckChoice(kTrainings, "training", options.training));
  RETURN_IF_ERROR(CheckWhatIsRead(options));
  RETURN_IF_ERROR(CheckFlagRange("epochs", options.epochs, 0, 1'000'000));
  if (!IsPretrained(options)) return absl::OkStatus();
  if (!IsNetwork(options)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--pretrained is for --cost_model=pacm and mlp; ",
                     options.name, " begins with nothing"));
  }
  if (options.pretrained == kCpuPretrained) {
    if (IsLikeShipped(options)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "--pretrained=cpu is for --cost_model=pacm with --columns=all");
  }
  if (!FileExists(options.pretrained)) {
    return absl::NotFoundError(absl::StrCat("--pretrained=", options.pretrained,
                                            ": there is no such file"));
  }
  return absl::OkStatus();
}

absl::Status CheckNetworkProgram(const CostModelOptions& options) {
  if (!IsNetwork(options) || FileExists(options.network_program))
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "--cost_model=", options.name, " needs the program network_worker, and ",
      options.network_program, " is not there"));
}

ColumnSet ColumnsOf(const CostModelOptions& options) {
  const std::optional<NetworkKind> network = NetworkOf(options);
  const bool compat = options.columns == kCompatColumns;
  if (!network) return compat ? ColumnSet::kAnsor : ColumnSet::kAll;
  switch (*network) {
    case NetworkKind::kTensetMlp:
      return compat ? ColumnSet::kTenset : ColumnSet::kAll;
    case NetworkKind::kPacm:
      return compat ? ColumnSet::kPacm : ColumnSet::kAllAndDataflow;
  }
  return ColumnSet::kAll;
}

std::string PretrainedOf(const std::string& given) {
  if (given.empty()) return kNoPretrained;
  const bool is_name = given == kNoPretrained || given == kCpuPretrained ||
                       given == kAutoPretrained;
  return is_name ? given : ResolveUserPath(given);
}

CostModelOptions ResolvePretrained(const TargetSpec& target,
                                   CostModelOptions options) {
  if (options.pretrained != kAutoPretrained) return options;
  const bool is_known = target.backend == Backend::kHost &&
                        IsLikeShipped(options) && !IsPapers(options);
  options.pretrained = is_known ? kCpuPretrained : kNoPretrained;
  return options;
}

bool IsNetwork(const CostModelOptions& options) {
  return NetworkOf(options).has_value();
}

absl::StatusOr<std::unique_ptr<NetworkModel>> StartNetwork(
    const CostModelOptions& options) {
  RETURN_IF_ERROR(CheckCostModel(options));
  RETURN_IF_ERROR(CheckNetworkProgram(options));
  const std::optional<NetworkKind> kind = NetworkOf(options);
  if (!kind) {
    return absl::InvalidArgumentError(
        absl::StrCat("--cost_model=", options.name, " is no network"));
  }
  ASSIGN_OR_RETURN(const Adaption adapt, ParseAdaption(options.adapt));
  const NetworkModelOptions network = {
      .features = ColumnSetName(ColumnsOf(options)),
      .shape = ShapeOf(options, *kind),
      .pretrained = IsPretrained(options) ? options.pretrained : std::string(),
      .adapt = adapt,
      // The papers update a model with each round, we much less often; and
      // the first programs here say less of what is usual than the file does.
      .train_every = IsPapers(options) ? 4 : 1,
      .keep_normaliser = !IsPapers(options),
      .training = TrainingOf(options, adapt),
      .normalisation = IsPapers(options) ? Normalisation::kLargest
                                         : Normalisation::kStandard,
      .seed = options.seed};
  return RestartedNetwork::Create([network, program = options.network_program] {
    return RemoteNetwork::Start(program, network);
  });
}

absl::StatusOr<std::unique_ptr<CostModel>> MakeCostModel(
    const CostModelOptions& options) {
  if (IsNetwork(options)) return StartNetwork(options);
  RETURN_IF_ERROR(CheckCostModel(options));
  if (options.name == kNoCostModel) return nullptr;
  ASSIGN_OR_RETURN(
      BoostedTrees trees,
      BoostedTrees::Create(ColumnSetName(ColumnsOf(options)), FlatTrees()));
  return std::make_unique<BoostedTrees>(std::move(trees));
}

}  // namespace pruner
