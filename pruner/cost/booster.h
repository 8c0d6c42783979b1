// Trees by XGBoost: its C library's handles as values, its errors as statuses.
#ifndef PRUNER_COST_BOOSTER_H_
#define PRUNER_COST_BOOSTER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// Rows to train on, as XGBoost holds them: a copy.
class BoosterData {
 public:
  // At least one row. Errors: values that are not finite. No threads: one per
  // core.
  static absl::StatusOr<BoosterData> Create(const FeatureRows& programs,
                                            int threads);

  // For losses of XGBoost's own: what is to be predicted of each row, and,
  // where they are to be ranked, that all of them are one list.
  absl::Status SetLabels(absl::Span<const float> labels);
  absl::Status SetOneGroup(int rows);
  // Scores to which the trees' are added.
  absl::Status SetBaseScores(absl::Span<const float> scores);

 private:
  friend class Booster;
  explicit BoosterData(void* handle) : handle_(handle, &Free) {}
  static void Free(void* handle);

  std::unique_ptr<void, void (*)(void*)> handle_;
};

// A sum of trees. Movable.
class Booster {
 public:
  // XGBoost's parameters, by their names there.
  using Parameters = std::vector<std::pair<std::string, std::string>>;

  // No trees yet, for training on `data`.
  static absl::StatusOr<Booster> Create(const BoosterData& data,
                                        const Parameters& parameters);
  // From ToBytes.
  static absl::StatusOr<Booster> FromBytes(absl::string_view bytes,
                                           const Parameters& parameters);
  absl::StatusOr<std::string> ToBytes() const;

  // Adds a tree fitted to the loss that the parameters name; number `round` of
  // them, from 0.
  absl::Status Update(const BoosterData& data, int round);

  // Adds a tree fitted to the loss's first and second derivatives by each row's
  // score.
  absl::Status Boost(const BoosterData& data, absl::Span<float> gradients,
                     absl::Span<float> hessians);

  // The score of each row of `data`, which it was trained on. Only trees that
  // are new since the last call are evaluated. Gone with the next call.
  absl::StatusOr<absl::Span<const float>> TrainingScores(
      const BoosterData& data);

  // The first `trees` of these trees, without what training kept.
  absl::StatusOr<Booster> First(int trees, const Parameters& parameters) const;

  // The score of each row. Gone with the next call.
  absl::StatusOr<absl::Span<const float>> Predict(const FeatureRows& programs);

 private:
  explicit Booster(void* handle) : handle_(handle, &Free) {}
  static void Free(void* handle);
  absl::Status Set(const Parameters& parameters);

  std::unique_ptr<void, void (*)(void*)> handle_;
};

// Ends the threads that training and scoring left, which otherwise spin for
// milliseconds, on cores where something else is to run or to be timed.
void ReleaseBoosterThreads();

}  // namespace pruner

#endif  // PRUNER_COST_BOOSTER_H_
