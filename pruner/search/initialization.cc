#include "pruner/search/initialization.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/find_named.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/select_diverse.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

constexpr InitEntry kInits[] = {
    {kDefaultInit,
     "as the next one if more than half of a task's first candidates are "
     "refused before they run",
     Init::kAuto},
    {"hardware_aware",
     "with candidates that are far apart, and valid as far as compiling some "
     "tells",
     Init::kHardwareAware},
    {"random", "as the policy has it", Init::kRandom},
};

// Of the seed, for what only this draws.
constexpr uint64_t kStream = 0x1417;

// Looks for each trial: what is valid takes about half of a trial's time, what
// is not may take more than two, if its worker has to be replaced.
constexpr double kLookShare = 0.003;

// Whether it is known without running it that it cannot run.
bool IsRefusal(const MeasureResult& result) {
  if (result.ok()) return false;
  switch (result.failure->kind) {
    case FailureKind::kCompileError:
    case FailureKind::kCompileTimeout:
    case FailureKind::kLowering:
    case FailureKind::kDevice:
      return true;
    default:
      return false;
  }
}

// The first batch of what was found. Where few are valid it is small: what is
// missing the policy has better ideas for than what is known to be invalid.
int BatchOf(size_t valid, int size) {
  return std::min(size,
                  static_cast<int>(static_cast<double>(valid) / kValidShare));
}

}  // namespace

absl::Span<const InitEntry> Inits() { return kInits; }

absl::StatusOr<Init> ParseInit(absl::string_view name) {
  ASSIGN_OR_RETURN(const InitEntry* const entry,
                   FindNamed(Inits(), "initialization", name));
  return entry->init;
}

int64_t NumLooks(Init init, int64_t task_trials, int first_batch) {
  const auto affordable =
      static_cast<int64_t>(kLookShare * static_cast<double>(task_trials));
  const int64_t least =
      init == Init::kHardwareAware ? int64_t{2} * kFirstDraw : 0;
  return std::min(std::max(affordable, least),
                  int64_t{kPresamplePerTrial} * first_batch);
}

void FirstBatch::Observe(const std::optional<Candidate>& candidate,
                         const MeasureResult& result) {
  if (initialization_.init != Init::kAuto || !candidate ||
      num_first_results_ == kFirstDraw) {
    return;
  }
  ++num_first_results_;
  if (result.ok()) first_results_.valid.push_back(*candidate);
  if (IsRefusal(result)) first_results_.invalid.push_back(*candidate);
}

bool FirstBatch::IsDue() const {
  if (has_looked_ || looks_ == 0) return false;
  switch (initialization_.init) {
    case Init::kAuto:
      return num_first_results_ == kFirstDraw &&
             2 * first_results_.invalid.size() > kFirstDraw;
    case Init::kHardwareAware:
      return true;
    case Init::kRandom:
      return false;
  }
  return false;
}

absl::StatusOr<bool> FirstBatch::Prepare() {
  if (!IsDue()) return false;
  absl::Status status = Look();
  if (absl::IsCancelled(status)) return status;
  has_looked_ = true;
  if (!status.ok()) {
    Say(
        absl::StrCat("no candidates can be looked at before they are measured, "
                     "so the search begins as the policy has it: ",
                     status.message()));
    return false;
  }
  Say(known_.valid.empty()
          ? absl::StrCat("none of ", known_.size(),
                         " candidates that were looked at is valid, so the "
                         "search goes on at random")
          : absl::StrCat(known_.valid.size(), " of ", known_.size(),
                         " candidates that were looked at are valid"));
  return true;
}

absl::Status FirstBatch::Look() {
  ASSIGN_OR_RETURN(const std::unique_ptr<ValidityOracle> oracle,
                   initialization_.make_oracle(space_));
  Rng rng = Rng(seed_).Fork(kStream);
  ASSIGN_OR_RETURN(known_, PresampleSpace(space_, *oracle,
                                          {.batch = PresampleBatch(looks_),
                                           .candidates = looks_},
                                          rng, first_results_));
  candidates_ = SelectDiverse(
      space_, known_, BatchOf(known_.valid.size(), size_), kValidShare, rng);
  for (const Candidate& candidate : known_.invalid)
    invalid_.insert(CandidateHash(candidate));
  return absl::OkStatus();
}

}  // namespace pruner
