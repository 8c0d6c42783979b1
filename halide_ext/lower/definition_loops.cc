#include "halide_ext/lower/definition_loops.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "absl/log/check.h"

namespace pruner {
namespace {

class DefinitionLoops {
 public:
  explicit DefinitionLoops(std::vector<LoopName> loops)
      : loops_(std::move(loops)) {}

  void Apply(const Directive& d) {
    switch (d.kind) {
      case DirectiveKind::kSplit: {
        const size_t old = PlaceOf(d.loops[0]);
        loops_[old] = d.loops[1];
        loops_.insert(loops_.begin() + old, d.loops[2]);
        break;
      }
      case DirectiveKind::kFuse:
        loops_[PlaceOf(d.loops[1])] = d.loops[2];
        loops_.erase(loops_.begin() + PlaceOf(d.loops[0]));
        break;
      case DirectiveKind::kReorder:
        Reorder(d.loops);
        break;
      case DirectiveKind::kVectorize:
      case DirectiveKind::kUnroll:
        flat_.insert(d.loops[0].name);
        break;
      default:
        break;
    }
  }

  std::vector<LoopName> Take() && {
    std::erase_if(loops_, [&](const LoopName& loop) {
      return flat_.contains(loop.name);
    });
    return std::move(loops_);
  }

 private:
  size_t PlaceOf(const LoopName& loop) const {
    const auto place = std::find(loops_.begin(), loops_.end(), loop);
    CHECK(place != loops_.end()) << "no loop " << loop.name;
    return place - loops_.begin();
  }

  // Others stay where they are.
  void Reorder(const std::vector<LoopName>& order) {
    std::vector<size_t> places;
    for (const LoopName& loop : order) places.push_back(PlaceOf(loop));
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i < order.size(); ++i) loops_[places[i]] = order[i];
  }

  std::vector<LoopName> loops_;
  std::set<std::string> flat_;
};

}  // namespace

std::vector<LoopName> LoopsAfter(std::vector<LoopName> loops,
                                 absl::Span<const Directive> said) {
  DefinitionLoops result(std::move(loops));
  for (const Directive& d : said) result.Apply(d);
  return std::move(result).Take();
}

}  // namespace pruner
