#include "halide_ext/lower/definition_loops.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/log/check.h"

namespace pruner {
namespace {

class DefinitionLoops {
 public:
  explicit DefinitionLoops(const std::vector<LoopName>& loops) {
    for (const LoopName& loop : loops)
      loops_.push_back({.name = loop, .axes = {loop.name}});
  }

  void Apply(const Directive& d) {
    switch (d.kind) {
      case DirectiveKind::kSplit: {
        const size_t old = PlaceOf(d.loops[0]);
        loops_[old].name = d.loops[1];
        LeftLoop inner = loops_[old];
        inner.name = d.loops[2];
        loops_.insert(loops_.begin() + old, std::move(inner));
        break;
      }
      case DirectiveKind::kFuse: {
        const size_t inner = PlaceOf(d.loops[0]);
        LeftLoop& fused = loops_[PlaceOf(d.loops[1])];
        fused.name = d.loops[2];
        fused.axes.insert(loops_[inner].axes.begin(), loops_[inner].axes.end());
        loops_.erase(loops_.begin() + inner);
        break;
      }
      case DirectiveKind::kReorder:
        Reorder(d.loops);
        break;
      case DirectiveKind::kVectorize:
        vectors_.insert(d.loops[0].name);
        break;
      case DirectiveKind::kUnroll:
        copies_.insert(d.loops[0].name);
        break;
      default:
        break;
    }
  }

  std::vector<LeftLoop> Take() && {
    std::vector<LeftLoop> left;
    for (LeftLoop& loop : loops_) {
      if (!vectors_.contains(loop.name.name) &&
          !copies_.contains(loop.name.name))
        left.push_back(std::move(loop));
    }
    for (const LeftLoop& vector : loops_) {
      if (!vectors_.contains(vector.name.name)) continue;
      const auto rest =
          std::find_if(left.begin(), left.end(), [&](const LeftLoop& loop) {
            return std::any_of(
                vector.axes.begin(), vector.axes.end(),
                [&](const auto& axis) { return loop.axes.contains(axis); });
          });
      if (rest != left.end()) rest->counts_vectors = true;
    }
    return left;
  }

 private:
  size_t PlaceOf(const LoopName& name) const {
    const auto place =
        std::find_if(loops_.begin(), loops_.end(),
                     [&](const LeftLoop& loop) { return loop.name == name; });
    CHECK(place != loops_.end()) << "no loop " << name.name;
    return place - loops_.begin();
  }

  // Others stay where they are.
  void Reorder(const std::vector<LoopName>& order) {
    std::vector<size_t> places;
    std::vector<LeftLoop> loops;
    for (const LoopName& name : order) {
      places.push_back(PlaceOf(name));
      loops.push_back(loops_[places.back()]);
    }
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i < loops.size(); ++i)
      loops_[places[i]] = std::move(loops[i]);
  }

  std::vector<LeftLoop> loops_;  // all that there are, innermost first
  std::set<std::string> vectors_;
  std::set<std::string> copies_;
};

}  // namespace

std::vector<LeftLoop> LoopsAfter(const std::vector<LoopName>& loops,
                                 absl::Span<const Directive> said) {
  DefinitionLoops result(loops);
  for (const Directive& d : said) result.Apply(d);
  return std::move(result).Take();
}

}  // namespace pruner
