#include "halide_ext/lower/definition_loops.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "absl/log/check.h"

namespace pruner {
namespace {

enum class LoopKind { kLoop, kVectors, kCopies };

struct Loop {
  LoopName name;
  std::set<std::string> axes;  // that it is a part of
  LoopKind kind = LoopKind::kLoop;

  bool SharesAxis(const Loop& other) const {
    return std::any_of(axes.begin(), axes.end(), [&](const std::string& axis) {
      return other.axes.contains(axis);
    });
  }
};

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
        Loop inner = loops_[old];
        inner.name = d.loops[2];
        loops_.insert(loops_.begin() + old, std::move(inner));
        break;
      }
      case DirectiveKind::kFuse: {
        const size_t inner = PlaceOf(d.loops[0]);
        Loop& fused = loops_[PlaceOf(d.loops[1])];
        fused.name = d.loops[2];
        fused.axes.insert(loops_[inner].axes.begin(), loops_[inner].axes.end());
        loops_.erase(loops_.begin() + inner);
        break;
      }
      case DirectiveKind::kReorder:
        Reorder(d.loops);
        break;
      case DirectiveKind::kVectorize:
        loops_[PlaceOf(d.loops[0])].kind = LoopKind::kVectors;
        break;
      case DirectiveKind::kUnroll:
        loops_[PlaceOf(d.loops[0])].kind = LoopKind::kCopies;
        break;
      default:
        break;
    }
  }

  std::vector<LeftLoop> Left() const {
    std::set<std::string> counting;
    for (const Loop& vectors : loops_) {
      if (vectors.kind != LoopKind::kVectors) continue;
      const auto rest =
          std::find_if(loops_.begin(), loops_.end(), [&](const Loop& loop) {
            return loop.kind == LoopKind::kLoop && loop.SharesAxis(vectors);
          });
      if (rest != loops_.end()) counting.insert(rest->name.name);
    }
    std::vector<LeftLoop> left;
    for (const Loop& loop : loops_) {
      if (loop.kind == LoopKind::kLoop)
        left.push_back({.name = loop.name,
                        .counts_vectors = counting.contains(loop.name.name)});
    }
    return left;
  }

 private:
  size_t PlaceOf(const LoopName& name) const {
    const auto place =
        std::find_if(loops_.begin(), loops_.end(),
                     [&](const Loop& loop) { return loop.name == name; });
    CHECK(place != loops_.end()) << "no loop " << name.name;
    return place - loops_.begin();
  }

  // Others stay where they are.
  void Reorder(const std::vector<LoopName>& order) {
    std::vector<size_t> places;
    std::vector<Loop> loops;
    for (const LoopName& name : order) {
      places.push_back(PlaceOf(name));
      loops.push_back(loops_[places.back()]);
    }
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i < loops.size(); ++i)
      loops_[places[i]] = std::move(loops[i]);
  }

  std::vector<Loop> loops_;  // innermost first
};

}  // namespace

std::vector<LeftLoop> LoopsAfter(const std::vector<LoopName>& loops,
                                 absl::Span<const Directive> said) {
  DefinitionLoops result(loops);
  for (const Directive& d : said) result.Apply(d);
  return result.Left();
}

}  // namespace pruner
