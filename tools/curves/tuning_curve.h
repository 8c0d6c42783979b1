// How one tuning of a network went on.
#ifndef TOOLS_CURVES_TUNING_CURVE_H_
#define TOOLS_CURVES_TUNING_CURVE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/record/run_info.h"
#include "pruner/tune/convergence.h"

namespace pruner {

struct TuningCurve {
  std::string network = {};
  // How the candidates were chosen: the policy, and what was not the usual way
  // to draw and to schedule them. Equal for runs that differ by the seed.
  std::string label = {};
  uint64_t seed = 0;
  std::vector<ConvergencePoint> points = {};  // not empty
  // Of the last run's wall time, for choosing candidates and for training what
  // chooses them; the rest goes to measuring and the log.
  double proposing_share = 0, training_share = 0;

  const ConvergencePoint& last() const { return points.back(); }
  // Until the network was as fast; none if it never was.
  std::optional<absl::Duration> TimeTo(double network_seconds) const;
};

// What is not as usual: "ansor", or "pruner, --sampling=ansor
// --scheduler=round_robin".
std::string LabelOf(const RunInfo& run);

// Of the folder that tune wrote. `model` says which of its networks, if there
// are several. Errors name the folder: there is no tuned network, no log or no
// summary; the log has no trials of the network's tasks; they are of several
// policies or seeds.
absl::StatusOr<TuningCurve> ReadTuningCurve(const std::string& folder,
                                            const std::string& model);

// The curves of each label, in the order in which the labels first occur.
std::vector<std::vector<TuningCurve>> ByLabel(std::vector<TuningCurve> curves);

}  // namespace pruner

#endif  // TOOLS_CURVES_TUNING_CURVE_H_
