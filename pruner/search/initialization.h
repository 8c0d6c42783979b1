// Where a search begins: with what is drawn or drafted, or, in a space of which
// most cannot run, with candidates that were looked at before
// (hardware-aware initialization, docs/algorithms.md C2, C4).
#ifndef PRUNER_SEARCH_INITIALIZATION_H_
#define PRUNER_SEARCH_INITIALIZATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "pruner/measure/measure_result.h"
#include "pruner/sample/presample.h"
#include "pruner/sample/schedule_space.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// kAuto: hardware-aware once more than half of a task's first kFirstDraw
// candidates were refused before they ran.
enum class Init { kAuto, kHardwareAware, kRandom };

struct InitEntry {
  absl::string_view name;  // as --init takes it
  absl::string_view description;
  Init init;
};

absl::Span<const InitEntry> Inits();
inline constexpr char kDefaultInit[] = "auto";

// InvalidArgument, with the names there are, if there is no such one.
absl::StatusOr<Init> ParseInit(absl::string_view name);

// Results after which kAuto decides. The default schedule is none of them.
inline constexpr int kFirstDraw = 8;

// What a search needs for it.
struct Initialization {
  Init init = Init::kRandom;
  // Makes who is asked, at most once, when there is something to ask. What it
  // refers to must outlive the policy.
  std::function<absl::StatusOr<std::unique_ptr<ValidityOracle>>(ScheduleSpace&)>
      make_oracle = {};
  // How many trials the task will have, about.
  int64_t task_trials = 0;
  // Told what the user should know, in a sentence; may be empty.
  std::function<void(absl::string_view)> say = {};
};

// How many candidates are looked at before a first batch of so many: three for
// a thousand trials, as each is compiled and all of that is to take a hundredth
// of the time at most. Who asks for it has two first draws at least. 0: there
// is no first batch.
int64_t NumLooks(Init init, int64_t task_trials, int first_batch);

// The first batch of a search. What it is depends on the space, the seed, the
// first kFirstDraw results if it is kAuto, and the oracle's answers alone,
// whenever it is looked for, so that a search that goes on has the same. Not
// thread-safe.
class FirstBatch {
 public:
  // The space must outlive it.
  FirstBatch(const Initialization& initialization, ScheduleSpace& space,
             int size, uint64_t seed)
      : initialization_(initialization),
        space_(space),
        size_(size),
        looks_(NumLooks(initialization.init, initialization.task_trials, size)),
        seed_(seed) {}

  // What measuring a candidate gave, in order; nullopt: the schedule of none.
  void Observe(const std::optional<Candidate>& candidate,
               const MeasureResult& result);

  // Before proposals are made: looks, if it is to and has not. Whether
  // candidates() and known() are new. An oracle that fails is as good as none,
  // of which the user is told. Error: Cancelled, the oracle's.
  absl::StatusOr<bool> Prepare();

  // What is to be proposed before anything else, the best first.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  const Presample& known() const { return known_; }
  bool IsKnownInvalid(const Candidate& candidate) const {
    return invalid_.contains(CandidateHash(candidate));
  }

 private:
  bool IsDue() const;
  absl::Status Look();
  void Say(absl::string_view sentence) const {
    if (initialization_.say) initialization_.say(sentence);
  }

  const Initialization initialization_;
  ScheduleSpace& space_;
  const int size_;
  const int64_t looks_;
  const uint64_t seed_;
  // kFirstDraw of them in the end, for kAuto; invalid are the refused ones.
  Presample first_results_;
  size_t num_first_results_ = 0;
  bool has_looked_ = false;
  Presample known_;
  std::vector<Candidate> candidates_;
  absl::flat_hash_set<uint64_t> invalid_;  // CandidateHash
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_INITIALIZATION_H_
