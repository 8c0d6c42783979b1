#include "models/job/find_network.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/target_key.h"

namespace pruner {
namespace {

// Sorted names, without the suffix.
absl::StatusOr<std::vector<std::string>> NetworksIn(
    const std::string& directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> files,
                   ListDirectory(directory));
  std::vector<std::string> names;
  for (absl::string_view file : files) {
    if (absl::ConsumeSuffix(&file, kTunedNetworkSuffix) && !file.empty())
      names.emplace_back(file);
  }
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<std::string> Choose(const std::vector<std::string>& names,
                                   const std::string& directory,
                                   const std::string& model) {
  if (names.empty()) {
    return absl::NotFoundError(
        absl::StrCat("there is no tuned network in ", directory,
                     ": tune writes it when its search is over; run tune with "
                     "--output_dir=",
                     directory, " to its end"));
  }
  if (model.empty() && names.size() == 1) return names[0];
  const std::string there = absl::StrJoin(names, ", ");
  if (model.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(directory,
                     " holds several networks: say which with "
                     "--model=; there are ",
                     there));
  }
  for (const std::string& wanted : {model, FileStem(model)}) {
    if (std::find(names.begin(), names.end(), wanted) != names.end())
      return wanted;
  }
  return absl::NotFoundError(absl::StrCat("--model=", model, " is not in ",
                                          directory, "; there is ", there));
}

absl::Status OtherComputation(const TunedNetwork& network,
                              absl::string_view kernel) {
  return absl::FailedPreconditionError(absl::StrCat(
      "this version makes another computation of '", kernel, "' in ",
      network.model,
      " than the one that tuned it: tune again, which takes over the records "
      "that still fit, or use the version that wrote it"));
}

}  // namespace

absl::StatusOr<TunedNetwork> FindTunedNetwork(const std::string& directory,
                                              const std::string& model,
                                              const std::string& weights) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, NetworksIn(directory));
  ASSIGN_OR_RETURN(const std::string name, Choose(names, directory, model));
  return ReadTunedNetwork(
      absl::StrCat(directory, "/", name, kTunedNetworkSuffix), weights);
}

absl::Status CheckTarget(const TunedNetwork& network,
                         const std::string& target) {
  ASSIGN_OR_RETURN(const TargetSpec whole,
                   LoadTarget(target, 0, TargetUse::kNothing));
  const int64_t threads = network.target.units.cores;
  if (threads <= whole.units.cores) {
    ASSIGN_OR_RETURN(const TargetSpec same,
                     LoadTarget(target, static_cast<int>(threads)));
    if (TargetKeyOf(same) == TargetKeyOf(network.target))
      return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      network.model, " was tuned for ", network.target.name, " with ", threads,
      " threads (", ToString(TargetKeyOf(network.target)), "), and --target=",
      target, " is ", whole.name, " with ", whole.units.cores, " (",
      ToString(TargetKeyOf(whole)), "): tune the network here"));
}

absl::StatusOr<RebuiltNetwork> RebuildNetwork(const TunedNetwork& network) {
  // The direct ones also for who wants to compare.
  FormulationOptions formulations = {.max_error = 1,
                                     .names = {std::string(kDirect)}};
  for (const TunedKernel& kernel : network.kernels)
    formulations.names.push_back(kernel.formulation);
  RebuiltNetwork rebuilt;
  ASSIGN_OR_RETURN(rebuilt.job,
                   MakeNetworkJob(network.model, network.batch, network.graph,
                                  network.target, formulations));
  const size_t subgraphs = rebuilt.job.partition.subgraphs.size();
  if (network.kernels.size() != subgraphs)
    return OtherComputation(network, network.graph.name);
  for (size_t i = 0; i < subgraphs; ++i) {
    const TunedKernel& kernel = network.kernels[i];
    const auto task =
        std::find_if(rebuilt.job.tasks.begin(), rebuilt.job.tasks.end(),
                     [&](const NetworkTask& t) {
                       return t.subgraph == static_cast<int>(i) &&
                              t.formulation == kernel.formulation;
                     });
    if (task == rebuilt.job.tasks.end() ||
        task->workload.key != kernel.workload) {
      return OtherComputation(network, kernel.name);
    }
    rebuilt.tasks.push_back(*task);
    rebuilt.schedules[kernel.workload] = kernel.schedule;
  }
  return rebuilt;
}

}  // namespace pruner
