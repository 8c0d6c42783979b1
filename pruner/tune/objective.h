// What a run over one or several networks is to minimize (docs/algorithms.md
// A10; Ansor, Table 2).
#ifndef PRUNER_TUNE_OBJECTIVE_H_
#define PRUNER_TUNE_OBJECTIVE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

class Objective {
 public:
  virtual ~Objective() = default;

  // Of the networks' seconds, which are positive; the less the better.
  virtual double Value(absl::Span<const double> seconds) const = 0;
};

// f1: the sum of the networks' times.
class TotalTime : public Objective {
 public:
  double Value(absl::Span<const double> seconds) const override;
};

// f2: the sum, in which a network that is as fast as its limit, or faster,
// counts as the limit: it is good enough.
class TotalTimeAboveLimits : public Objective {
 public:
  // One for each network.
  explicit TotalTimeAboveLimits(std::vector<double> limits)
      : limits_(std::move(limits)) {}
  double Value(absl::Span<const double> seconds) const override;

 private:
  std::vector<double> limits_;
};

// f3: the geometric mean of the networks' times, whatever they are: a tenth
// counts as much in a small network as in a large one. Ansor's is the negative
// mean of speed-ups over reference times; these scale all derivatives alike,
// and so decide nothing.
class GeometricMeanTime : public Objective {
 public:
  double Value(absl::Span<const double> seconds) const override;
};

inline constexpr char kDefaultObjective[] = "total_time";

// By the names that --objective takes: total_time, above the limits if there
// are any, or geometric_mean. InvalidArgument: no such objective, or none that
// knows limits.
absl::StatusOr<std::unique_ptr<const Objective>> MakeObjective(
    absl::string_view name, std::vector<double> limits);

// The derivatives by the networks' times, by finite differences of 1e-4 of
// each. (Ansor's code takes 1e-4 s, which is more than many kernels take.)
std::vector<double> Derivatives(const Objective& objective,
                                absl::Span<const double> seconds);

}  // namespace pruner

#endif  // PRUNER_TUNE_OBJECTIVE_H_
