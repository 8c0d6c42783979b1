#include "pruner/sample/crossover.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <variant>

namespace pruner {
namespace {

void Join(std::vector<int>& groups, int a, int b) {
  const auto [first, other] = std::minmax(groups[a], groups[b]);
  std::replace(groups.begin(), groups.end(), int{other}, int{first});
}

// The groups whose stages are not the same in both, ascending.
std::vector<int> DifferingGroups(const std::vector<SplitInfo>& splits,
                                 const std::vector<int>& groups, const Genes& a,
                                 const Genes& b) {
  std::set<int> differing;
  for (const SplitInfo& split : splits) {
    if (a.tiled.steps[split.step] != b.tiled.steps[split.step])
      differing.insert(groups[split.stage]);
  }
  for (size_t stage = 0; stage < groups.size(); ++stage) {
    if (a.choices[stage] != b.choices[stage]) differing.insert(groups[stage]);
  }
  return {differing.begin(), differing.end()};
}

// Some of the groups, drawn uniformly: neither none nor all.
std::set<int> DrawSome(const std::vector<int>& groups, Rng& rng) {
  std::set<int> some;
  for (const int group : groups) {
    if (rng.Chance(0.5)) some.insert(group);
  }
  const int turned = rng.Pick(groups);
  if (some.empty()) some.insert(turned);
  if (some.size() == groups.size()) some.erase(turned);
  return some;
}

}  // namespace

std::vector<int> StageGroups(const Schedule& sketch, const LoopState& state) {
  std::vector<int> groups(state.stages.size());
  std::iota(groups.begin(), groups.end(), 0);
  const std::vector<int> stages = FinalStages(sketch);
  for (size_t i = 0; i < stages.size(); ++i) {
    if (const auto* step = std::get_if<FollowSplitStep>(&sketch.steps[i])) {
      Join(groups, stages[i], stages[step->source_step]);
    } else if (const auto* fused =
                   std::get_if<FollowFusedSplitStep>(&sketch.steps[i])) {
      for (const int64_t source : fused->source_steps)
        Join(groups, stages[i], stages[source]);
    }
  }
  for (size_t stage = 0; stage < groups.size(); ++stage) {
    const StageState& s = state.stages[stage];
    if (s.location == ComputeLocation::kAt)
      Join(groups, static_cast<int>(stage), s.at_stage);
  }
  return groups;
}

std::optional<Genes> CrossGenes(const std::vector<SplitInfo>& splits,
                                const std::vector<int>& groups, const Genes& a,
                                const Genes& b, Rng& rng) {
  const std::vector<int> differing = DifferingGroups(splits, groups, a, b);
  if (differing.empty()) return a;
  if (differing.size() == 1) return std::nullopt;
  const std::set<int> from_b = DrawSome(differing, rng);
  Genes child = a;
  for (const SplitInfo& split : splits) {
    if (from_b.contains(groups[split.stage]))
      child.tiled.steps[split.step] = b.tiled.steps[split.step];
  }
  for (size_t stage = 0; stage < groups.size(); ++stage) {
    if (from_b.contains(groups[stage])) child.choices[stage] = b.choices[stage];
  }
  return child;
}

}  // namespace pruner
