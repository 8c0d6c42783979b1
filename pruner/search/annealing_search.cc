#include "pruner/search/annealing_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/median.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/features/feature_rows.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/sample.h"
#include "pruner/sample/search_space.h"
#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

// Draws in a row that find nothing new, after which nothing new is expected.
constexpr int kVainDraws = 1000;

// The range in which most of the scores are: from 5 to 95 percent of them.
double UsualRange(absl::Span<const float> scores) {
  if (scores.empty()) return 0;
  const std::vector<double> values(scores.begin(), scores.end());
  return Quantile(values, 0.95) - Quantile(values, 0.05);
}

}  // namespace

void AnnealingSearch::BeginWith(const Presample& known,
                                std::vector<Candidate> first_batch) {
  for (const Candidate& candidate : known.valid)
    known_[CandidateHash(candidate)] = true;
  for (const Candidate& candidate : known.invalid)
    known_[CandidateHash(candidate)] = false;
  first_ = std::move(first_batch);
  std::reverse(first_.begin(), first_.end());
}

bool AnnealingSearch::IsNewHere(const Candidate& candidate,
                                IsNew is_new) const {
  return !asked_for_.contains(CandidateHash(candidate)) && is_new(candidate);
}

bool AnnealingSearch::IsKnownInvalid(const Candidate& candidate) const {
  const auto known = known_.find(CandidateHash(candidate));
  return known != known_.end() && !known->second;
}

absl::StatusOr<std::optional<Candidate>> AnnealingSearch::DrawNew(IsNew is_new,
                                                                  Rng& rng) {
  for (int i = 0; i < kVainDraws; ++i) {
    ASSIGN_OR_RETURN(CandidateDraw draw, Sample(space_, rng));
    if (const auto* rejection = std::get_if<Rejection>(&draw)) {
      ++rejections_[std::string(RejectionName(*rejection))];
      continue;
    }
    auto& candidate = std::get<Candidate>(draw);
    if (IsNewHere(candidate, is_new) && !IsKnownInvalid(candidate))
      return std::move(candidate);
    ++rejections_[kRepeated];
  }
  return std::nullopt;
}

absl::StatusOr<std::vector<Candidate>> AnnealingSearch::Next(int count,
                                                             IsNew is_new,
                                                             Rng& rng) {
  RETURN_IF_ERROR(LearnAndPlan(is_new, rng));
  std::vector<Candidate> next;
  while (next.size() < static_cast<size_t>(count)) {
    std::vector<Candidate>& prepared = first_.empty() ? plan_ : first_;
    std::optional<Candidate> candidate;
    if (prepared.empty()) {
      ASSIGN_OR_RETURN(candidate, DrawNew(is_new, rng));
      if (!candidate) break;
    } else {
      candidate = std::move(prepared.back());
      prepared.pop_back();
      if (!IsNewHere(*candidate, is_new)) continue;
    }
    asked_for_.insert(CandidateHash(*candidate));
    next.push_back(*std::move(candidate));
  }
  return next;
}

void AnnealingSearch::Observe(const Candidate& candidate, double throughput) {
  asked_for_.insert(CandidateHash(candidate));
  measured_.push_back(candidate);
  throughputs_.push_back(static_cast<float>(throughput));
}

FeatureRows AnnealingSearch::RowsOf(
    absl::Span<const Candidate> candidates) const {
  FeatureRows rows = {.columns = static_cast<int>(values_) + 1};
  std::vector<float> row(values_ + 1);
  for (const Candidate& candidate : candidates) {
    row[0] = static_cast<float>(candidate.sketch);
    for (size_t i = 0; i < values_; ++i) {
      // A sketch that has fewer than others.
      row[i + 1] = i < candidate.values.size()
                       ? static_cast<float>(candidate.values[i])
                       : static_cast<float>(kOpen);
    }
    rows.Append(row);
  }
  return rows;
}

void AnnealingSearch::Restart(int round) {
  round_ = round;
  plans_anew_ = true;
  plan_.clear();
  annealing_.Restart();
  asked_for_.clear();
  for (const Candidate& candidate : measured_)
    asked_for_.insert(CandidateHash(candidate));
}

absl::StatusOr<bool> AnnealingSearch::Learn() {
  const auto batch = static_cast<size_t>(options_.batch);
  const size_t due = measured_.size() / batch * batch;
  if (due <= learned_) return false;
  const absl::Span<const float> throughputs =
      absl::MakeConstSpan(throughputs_).first(due);
  const float best = *std::max_element(throughputs.begin(), throughputs.end());
  // Of invalid candidates alone nothing is to be learned.
  if (best <= 0) return false;
  learned_ = due;
  std::vector<float> labels;
  labels.reserve(due);
  for (const float throughput : throughputs)
    labels.push_back(throughput / best);
  const absl::Span<const Candidate> candidates =
      absl::MakeConstSpan(measured_).first(due);
  values_ = 0;
  for (const Candidate& candidate : candidates)
    values_ = std::max(values_, candidate.values.size());
  std::vector<float> base;
  if (base_) {
    ASSIGN_OR_RETURN(base, DiscountedBase(candidates));
  }
  RETURN_IF_ERROR(trees_.Train(RowsOf(candidates), labels, base));
  scores_.clear();
  return true;
}

absl::Status AnnealingSearch::LearnAndPlan(IsNew is_new, Rng& rng) {
  ASSIGN_OR_RETURN(const bool learned, Learn());
  if (!learned && !plans_anew_) return absl::OkStatus();
  if (!trees_.is_trained() && !base_) return absl::OkStatus();
  plans_anew_ = false;
  return Plan(is_new, rng);
}

int AnnealingSearch::NumAtRandom(Rng& rng) const {
  if (round_ == 0) {
    return static_cast<int>(options_.random_share *
                            static_cast<double>(options_.batch));
  }
  int count = 0;
  for (int i = 0; i < round_; ++i)
    count += rng.Chance(options_.random_share) ? 1 : 0;
  return count;
}

absl::Status AnnealingSearch::Plan(IsNew is_new, Rng& rng) {
  plan_.clear();
  const int count = (round_ == 0 ? options_.batch : round_) - NumAtRandom(rng);
  if (count < 1) return absl::OkStatus();
  bonus_.reset();
  ASSIGN_OR_RETURN(std::vector<Annealing::Planned> planned,
                   annealing_.Plan(
                       count,
                       [this](absl::Span<const Candidate> candidates) {
                         return BiasedScores(candidates);
                       },
                       [&](const Candidate& candidate) {
                         return !IsNewHere(candidate, is_new);
                       },
                       rng));
  for (Annealing::Planned& each : planned)
    plan_.push_back(std::move(each.candidate));
  std::reverse(plan_.begin(), plan_.end());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<float>> AnnealingSearch::DiscountedBase(
    absl::Span<const Candidate> candidates) const {
  if (!base_) return std::vector<float>(candidates.size());
  ASSIGN_OR_RETURN(std::vector<float> base, base_(candidates));
  const double batches =
      static_cast<double>(learned_) / static_cast<double>(options_.batch);
  const auto discount = static_cast<float>(std::pow(0.5, batches));
  for (float& score : base) score *= discount;
  return base;
}

absl::StatusOr<std::vector<float>> AnnealingSearch::Scores(
    absl::Span<const Candidate> candidates) {
  std::vector<Candidate> missing;
  for (const Candidate& candidate : candidates) {
    if (scores_.emplace(CandidateHash(candidate), 0).second)
      missing.push_back(candidate);
  }
  if (!missing.empty()) {
    ASSIGN_OR_RETURN(std::vector<float> found, DiscountedBase(missing));
    if (trees_.is_trained()) {
      ASSIGN_OR_RETURN(const std::vector<float> trees,
                       trees_.Predict(RowsOf(missing)));
      for (size_t i = 0; i < found.size(); ++i) found[i] += trees[i];
    }
    for (size_t i = 0; i < missing.size(); ++i)
      scores_[CandidateHash(missing[i])] = found[i];
  }
  std::vector<float> scores;
  scores.reserve(candidates.size());
  for (const Candidate& candidate : candidates)
    scores.push_back(scores_.at(CandidateHash(candidate)));
  return scores;
}

absl::StatusOr<std::vector<double>> AnnealingSearch::BiasedScores(
    absl::Span<const Candidate> candidates) {
  ASSIGN_OR_RETURN(const std::vector<float> scores, Scores(candidates));
  // The first that are asked about are the chains' places.
  if (!bonus_) bonus_ = options_.valid_bonus * UsualRange(scores);
  std::vector<double> biased(scores.begin(), scores.end());
  if (known_.empty()) return biased;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const auto known = known_.find(CandidateHash(candidates[i]));
    if (known == known_.end()) continue;
    biased[i] = known->second ? biased[i] + *bonus_
                              : -std::numeric_limits<double>::infinity();
  }
  return biased;
}

}  // namespace pruner
