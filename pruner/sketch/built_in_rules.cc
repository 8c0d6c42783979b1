#include "pruner/sketch/built_in_rules.h"

#include <algorithm>

#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

absl::Span<const SketchRule* const> RulesForCores() {
  static const SketchRule* const kRules[] = {
      &UnrollConstantsRule(),  &PackRule(),
      &AlwaysInlineRule(),     &CacheWriteRule(),
      &RfactorRule(),          &MultiLevelTilingWithFusionRule(),
      &MultiLevelTilingRule(), &StencilChainRule(),
      &VectorTileRule(),       &UnrollSharedRule(),
      &RootTilesRule(),        &SkipRule(),
  };
  return kRules;
}

absl::Span<const SketchRule* const> RulesForThreads() {
  static const SketchRule* const kRules[] = {
      &CacheReadRule(),
      &SpecialLocationRule(),
      &UnrollConstantsInThreadsRule(),
      &InlineInThreadsRule(),
      &CacheWriteInThreadsRule(),
      &CrossThreadReductionRule(),
      &MultiLevelTilingWithFusionInThreadsRule(),
      &MultiLevelTilingRule(),
      &SkipInThreadsRule(),
  };
  return kRules;
}

}  // namespace

absl::Span<const SketchRule* const> BuiltInRules(const TargetSpec& target) {
  return target.HasThreads() ? RulesForThreads() : RulesForCores();
}

bool IsBuiltIn(const SketchRule& rule) {
  const auto has = [&](absl::Span<const SketchRule* const> rules) {
    return std::find(rules.begin(), rules.end(), &rule) != rules.end();
  };
  return has(RulesForCores()) || has(RulesForThreads());
}

}  // namespace pruner
