#include "pruner/sketch/sketch_generator.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/bind_remaining.h"
#include "pruner/sketch/check_derivation.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

struct Pending {
  Derivation derivation;
  std::string names;  // of the rules so far
};

// Opaque stages are nobody's to decide.
bool IsDecidable(const ComputeDag& dag, int stage) {
  return !dag.stage(stage).opaque;
}

absl::StatusOr<std::vector<Derivation>> ApplyAndCheck(
    const SketchContext& context, const SketchRule& rule,
    const Derivation& from) {
  ASSIGN_OR_RETURN(std::vector<Derivation> derived, rule.Apply(context, from));
  for (const Derivation& next : derived) {
    RETURN_IF_ERROR(CheckDerivation(context, from, next));
  }
  return derived;
}

absl::Status Expand(const SketchContext& context,
                    absl::Span<const SketchRule* const> rules,
                    const Pending& from, std::deque<Pending>& queue) {
  const int stage = from.derivation.stage;
  const bool is_input =
      from.derivation.dag().stage(stage).kind == StageKind::kPlaceholder;
  bool decided = false;
  for (const SketchRule* rule : rules) {
    if (is_input && !rule->DecidesInputs()) continue;
    const RuleMatch match = rule->Match(context, from.derivation);
    if (match == RuleMatch::kNo) continue;
    absl::StatusOr<std::vector<Derivation>> next =
        ApplyAndCheck(context, *rule, from.derivation);
    if (!next.ok()) {
      return absl::InternalError(
          absl::StrCat("rule '", rule->Name(), "' at stage '",
                       from.derivation.dag().stage(stage).name,
                       "': ", next.status().message()));
    }
    for (Derivation& derivation : *next) {
      queue.push_back(
          {.derivation = std::move(derivation),
           .names = absl::StrCat(from.names, from.names.empty() ? "" : " ",
                                 rule->Name())});
    }
    decided = match == RuleMatch::kApplyAndSkipRest;
    if (decided) break;
  }
  // Inputs may stay as they are, and most do.
  if (is_input && !decided) {
    queue.push_back(from);
    --queue.back().derivation.stage;
  }
  return absl::OkStatus();
}

// Choices multiply with every stage that is tiled. Beyond so many, a sample
// goes on: enough for each choice to be there, in most combinations of two.
constexpr size_t kMaxSketches = 256;

void Thin(size_t finished, std::deque<Pending>& queue, Rng& rng) {
  if (finished + queue.size() <= kMaxSketches) return;
  std::vector<size_t> kept(queue.size());
  std::iota(kept.begin(), kept.end(), 0);
  rng.Shuffle(kept);
  kept.resize(kMaxSketches - finished);
  std::sort(kept.begin(), kept.end());
  std::deque<Pending> thinned;
  for (size_t i : kept) thinned.push_back(std::move(queue[i]));
  queue = std::move(thinned);
}

}  // namespace

absl::Span<const SketchRule* const> BuiltInRules() {
  static const SketchRule* const kRules[] = {
      &CacheReadRule(),
      &SpecialLocationRule(),
      &UnrollConstantsRule(),
      &PackRule(),
      &AlwaysInlineRule(),
      &CacheWriteRule(),
      &RfactorRule(),
      &CrossThreadReductionRule(),
      &MultiLevelTilingWithFusionRule(),
      &MultiLevelTilingRule(),
      &StencilChainRule(),
      &VectorTileRule(),
      &SkipRule(),
  };
  return kRules;
}

absl::StatusOr<std::vector<Sketch>> GenerateSketches(
    const SketchContext& context, absl::Span<const SketchRule* const> rules) {
  std::vector<Sketch> sketches;
  std::deque<Pending> queue;
  Rng rng(/*seed=*/1);
  queue.push_back({.derivation = {.schedule = {},
                                  .state = NaiveState(context.dag),
                                  .stage = context.dag.size() - 1,
                                  .spatial_splits = {}},
                   .names = ""});
  while (!queue.empty()) {
    Pending pending = std::move(queue.front());
    queue.pop_front();
    int& stage = pending.derivation.stage;
    while (stage >= 0 && !IsDecidable(pending.derivation.dag(), stage)) --stage;
    if (stage >= 0) {
      RETURN_IF_ERROR(Expand(context, rules, pending, queue));
      Thin(sketches.size(), queue, rng);
      continue;
    }
    RETURN_IF_ERROR(BindRemaining(context, pending.derivation))
        << "while binding what the rules '" << pending.names << "' did not";
    const bool known = std::any_of(
        sketches.begin(), sketches.end(), [&](const Sketch& sketch) {
          return sketch.schedule == pending.derivation.schedule;
        });
    if (known) continue;
    sketches.push_back({.schedule = std::move(pending.derivation.schedule),
                        .derivation = std::move(pending.names)});
  }
  if (sketches.empty()) {
    return absl::InternalError(
        "no rule applies to some stage: there is no sketch");
  }
  return sketches;
}

}  // namespace pruner
