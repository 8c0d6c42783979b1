#include "pruner/tune/gradient_scheduler.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "pruner/tune/objective.h"
#include "pruner/tune/slot_history.h"
#include "pruner/tune/slot_state.h"
#include "pruner/tune/task_state.h"
#include "pruner/tune/task_use.h"

namespace pruner {
namespace {

// A slot as the formula has it; the letters are those of A10.
struct Slot {
  const SlotState* state = nullptr;
  const SlotHistory* history = nullptr;
  const TaskState* fastest = nullptr;

  bool succeeded() const {
    return !history->best_by_round().empty() && std::isfinite(g());
  }
  double g() const { return history->best_by_round().back(); }
  size_t t() const { return history->best_by_round().size(); }
  double flops() const { return static_cast<double>(fastest->flops); }
  double speed() const { return flops() / g(); }  // V

  // The change of g per round in the last rounds, b.
  double Trend(size_t window) const {
    const std::vector<double>& best = history->best_by_round();
    if (best.size() <= window) return 0;
    const double before = best[best.size() - 1 - window];
    if (!std::isfinite(before)) return 0;
    return (best.back() - before) / static_cast<double>(window);
  }
};

// How fast slots like this one are, at best; none if there are no others, or if
// it is not like them after all: slow, however much longer it was tuned.
std::optional<double> SpeedOfSimilar(const Slot& slot,
                                     const std::vector<Slot>& slots,
                                     double beta) {
  constexpr size_t kMoreRounds = 5;
  const std::string& tag = slot.fastest->similarity_tag;
  if (tag.empty() || slot.fastest->flops == 0) return std::nullopt;
  double best = slot.speed();
  size_t most_rounds = 0;
  bool others = false;
  for (const Slot& other : slots) {
    if (other.state == slot.state || !other.succeeded() ||
        other.fastest->similarity_tag != tag) {
      continue;
    }
    others = true;
    best = std::max(best, other.speed());
    most_rounds = std::max(most_rounds, other.t());
  }
  const bool unlike =
      slot.speed() < best / beta && slot.t() > kMoreRounds + most_rounds;
  if (!others || unlike) return std::nullopt;
  return best;
}

// What the slot may still get down to, be it by a competitor that takes less
// and has hardly begun. Peaks are measured, and not exactly: a
// tenth can always be gained.
double LeastOf(const Slot& slot) {
  constexpr double kMost = 0.9;
  return std::min(slot.state->least_seconds, kMost * slot.g());
}

// What a round is expected to change, without the objective's derivative.
double ExpectedChange(const Slot& slot, const std::vector<Slot>& slots,
                      const GradientOptions& options) {
  const double g = slot.g();
  const double least = LeastOf(slot);
  double next = g - (g - least) / static_cast<double>(slot.t());
  if (const std::optional<double> speed =
          SpeedOfSimilar(slot, slots, options.beta)) {
    const double as_similar = options.beta * slot.flops() / *speed;
    next = std::min(next, std::max(least, as_similar));
  }
  return options.alpha * slot.Trend(static_cast<size_t>(options.window)) +
         (1 - options.alpha) * (next - g);
}

// The derivatives of the objective by the slots' seconds; 0 where there are
// none yet.
std::vector<double> DerivativesBySlot(const Objective& objective,
                                      const TuningState& state,
                                      const std::vector<Slot>& slots) {
  std::vector<double> networks;
  for (const TaskState& task : state.tasks) {
    for (const TaskUse& use : task.uses) {
      networks.resize(
          std::max(networks.size(), static_cast<size_t>(use.network) + 1));
    }
  }
  for (const Slot& slot : slots) {
    if (!slot.succeeded()) continue;
    for (const TaskUse& use : slot.fastest->uses)
      networks[use.network] += use.weight * slot.g();
  }
  // Of a network without any success nothing is asked.
  std::replace(networks.begin(), networks.end(), 0.0, 1.0);
  const std::vector<double> by_network = Derivatives(objective, networks);
  std::vector<double> derivatives(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].succeeded()) continue;
    for (const TaskUse& use : slots[i].fastest->uses)
      derivatives[i] += use.weight * by_network[use.network];
  }
  return derivatives;
}

bool MayGoOn(const Slot& slot, const GradientOptions& options) {
  if (!slot.state->next) return false;
  return options.patience == 0 ||
         slot.history->trials_since_best() < options.patience;
}

// By task: what a trial takes, as long as all others on the average where it is
// unknown.
std::vector<double> TrialSecondsByTask(const std::vector<TaskState>& tasks) {
  double sum = 0, known = 0;
  for (const TaskState& task : tasks) {
    sum += task.trial_seconds;
    if (task.trial_seconds > 0) ++known;
  }
  const double average = known > 0 ? sum / known : 1;
  std::vector<double> seconds;
  seconds.reserve(tasks.size());
  for (const TaskState& task : tasks)
    seconds.push_back(task.trial_seconds > 0 ? task.trial_seconds : average);
  return seconds;
}

// Whether the slot has a round before gradients are compared; `turns` is what
// turns for all would have given each.
bool IsOwedARound(const Slot& slot, double turns,
                  const GradientOptions& options) {
  const auto trials = static_cast<double>(slot.state->trials);
  if (slot.state->trials == 0) return true;
  if (!slot.succeeded()) return trials < turns;
  return slot.state->undecided && trials < options.fair_share * turns;
}

}  // namespace

// Whether a slot is exhausted decides nothing but whether it is passed over: a
// run that goes on learns of it when it asks for candidates, and not before.
std::optional<size_t> GradientScheduler::Next(const TuningState& state) {
  const std::map<int, SlotState> states =
      SlotsOf(state.tasks, options_.peak_flops_per_second);
  std::vector<Slot> slots;
  int64_t trials = 0;
  for (const auto& [id, slot] : states) {
    slots.push_back({.state = &slot,
                     .history = &state.histories.at(id),
                     .fastest = &state.tasks[slot.fastest]});
    trials += slot.trials;
  }
  const double turns =
      static_cast<double>(trials) / static_cast<double>(slots.size());
  const std::vector<double> derivatives =
      DerivativesBySlot(*objective_, state, slots);
  const std::vector<double> trial_seconds = TrialSecondsByTask(state.tasks);
  // Whoever is owed a round before the others, then the steepest; of equal ones
  // the one with the fewest trials.
  using Rank = std::tuple<bool, double, int64_t>;
  std::optional<Rank> first;
  std::optional<size_t> next;
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    if (!MayGoOn(slot, options_)) continue;
    const bool owed = IsOwedARound(slot, turns, options_);
    const double gradient = owed || !slot.succeeded()
                                ? 0
                                : derivatives[i] *
                                      ExpectedChange(slot, slots, options_) /
                                      trial_seconds[*slot.state->next];
    const Rank rank = {!owed, gradient, slot.state->trials};
    if (first && *first <= rank) continue;
    first = rank;
    next = slot.state->next;
  }
  return next;
}

}  // namespace pruner
