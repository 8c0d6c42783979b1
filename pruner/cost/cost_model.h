// The interface of cost models: learned scores that rank the candidates to be
// measured (docs/algorithms.md A8, B4). All implementations pass
// cost_model_conformance.h.
#ifndef PRUNER_COST_COST_MODEL_H_
#define PRUNER_COST_COST_MODEL_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// What measuring a program gave, as a cost model learns from it.
struct ProgramLabel {
  // Seconds compare within a task. Whatever else makes them incomparable, as
  // the measuring policy does, is part of this number.
  uint64_t task = 0;
  // Cost() of the result; none: the program failed.
  std::optional<double> seconds = {};

  bool operator==(const ProgramLabel&) const = default;
};

// A model belongs to one target and one schema of features. Not thread-safe.
class CostModel {
 public:
  // Whether what is being learned is wanted no more. Asked several times a
  // second; empty: it always is.
  using IsUnwanted = std::function<bool()>;

  virtual ~CostModel() = default;

  // Whether scores mean anything. If not, callers explore at random.
  virtual bool is_trained() const = 0;

  // A score per program, in order. Higher is faster; finite. Scores compare
  // programs of one task. They change by Update only, and do not depend on the
  // other programs of the call. Before there is anything to learn from, they
  // may all be equal.
  virtual absl::StatusOr<std::vector<double>> Predict(
      const FeatureRows& programs) = 0;

  // Learns from programs that were not part of an earlier call, failed ones
  // among them; `labels` has one for each, in order. Keeps copies of what the
  // model needs. Error: Cancelled if that takes long and is not wanted; the
  // model is of no further use then.
  absl::Status Update(const FeatureRows& programs,
                      absl::Span<const ProgramLabel> labels,
                      const IsUnwanted& is_unwanted = {}) {
    return Learn(programs, labels, is_unwanted);
  }

  // Whether it matters in how many updates the same programs come. If not,
  // those that nothing was predicted between may be joined, which is less work.
  virtual bool counts_updates() const { return false; }

  // Whether another process computes it. Then it pays to ask about some
  // programs while others are being made, for which a model that computes with
  // threads of its own would be in the way.
  virtual bool is_elsewhere() const { return false; }

 private:
  // What Update does.
  virtual absl::Status Learn(const FeatureRows& programs,
                             absl::Span<const ProgramLabel> labels,
                             const IsUnwanted& is_unwanted) = 0;
};

}  // namespace pruner

#endif  // PRUNER_COST_COST_MODEL_H_
