#include "halide_ext/lower/guarded_loops.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/numeric/bits.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace pruner {
namespace {

constexpr int64_t kLeastVectorBytes = 16;

// Of what would have been a vector.
constexpr int64_t kMostCopies = 16;

// The name of a loop that is made of an axis.
std::string Derived(const std::string& axis, absl::string_view suffix) {
  return absl::StrCat(absl::StrReplaceAll(axis, {{"$", "_"}}), suffix);
}

// How a vectorized loop came about: splits from its axis on, each of the inner
// loop of the one before, as indices of the definition.
struct VectorPath {
  std::string axis;
  std::string lanes;
  int64_t length = 1;
  std::vector<size_t> splits = {};
  bool is_usable = false;
};

class Guarding {
 public:
  Guarding(absl::Span<const Directive> definition, const AxisParts& parts,
           int64_t element_bytes, LoopUse use,
           const std::set<std::string>& extensible)
      : definition_(definition),
        parts_(parts),
        element_bytes_(element_bytes),
        use_(use),
        extensible_(extensible) {}

  std::vector<Directive> Make() && {
    for (const Directive& d : definition_) {
      if (d.kind != DirectiveKind::kVectorize) continue;
      VectorPath path = PathTo(d.loops[0].name);
      const bool leaves_rest = !path.is_usable && path.splits.size() == 1 &&
                               parts_.contains(path.axis);
      if (leaves_rest) {
        // Rather vectors, in a loop of unknown length.
        AxisParts parts = parts_;
        parts_.erase(path.axis);
        path = PathTo(d.loops[0].name);
        if (path.is_usable) {
          rolled_.insert(definition_[path.splits[0]].loops[1].name);
        } else {
          parts_ = std::move(parts);
          path = PathTo(d.loops[0].name);
        }
      }
      paths_.push_back(std::move(path));
    }
    for (const auto& [axis, part] : parts_) {
      if (PathOf(axis) == nullptr)
        Split(axis, PartsOf(axis), PartOf(axis), part.extent);
    }
    for (const VectorPath& path : paths_) {
      if (path.is_usable) CutOff(path);
    }
    for (size_t i = 0; i < definition_.size(); ++i) Add(i);
    return std::move(out_);
  }

 private:
  const VectorPath* PathOf(const std::string& axis) const {
    for (const VectorPath& path : paths_) {
      if (path.is_usable && path.axis == axis) return &path;
    }
    return nullptr;
  }

  VectorPath PathTo(const std::string& lanes) const {
    VectorPath path = {.axis = lanes, .lanes = lanes};
    bool is_inner = true;
    for (size_t i = definition_.size(); i-- > 0;) {
      const Directive& d = definition_[i];
      if (d.kind == DirectiveKind::kFuse && d.loops[2].name == path.axis)
        is_inner = false;
      if (d.kind != DirectiveKind::kSplit) continue;
      if (d.loops[1].name == path.axis) is_inner = false;
      if (d.loops[2].name != path.axis && d.loops[1].name != path.axis)
        continue;
      path.splits.insert(path.splits.begin(), i);
      path.axis = d.loops[0].name;
    }
    const auto part = parts_.find(path.axis);
    if (!path.splits.empty()) {
      path.length = definition_[path.splits.back()].factor;
    } else if (part != parts_.end()) {
      path.length = part->second.extent;
    } else {
      is_inner = false;  // nobody knows how long it is
    }
    path.is_usable =
        use_ != LoopUse::kThreads && is_inner &&
        absl::has_single_bit(static_cast<uint64_t>(path.length)) &&
        path.length * element_bytes_ >= kLeastVectorBytes &&
        (part == parts_.end() || part->second.extent % path.length == 0) &&
        std::all_of(path.splits.begin(), path.splits.end(), [&](size_t i) {
          return definition_[i].factor % path.length == 0;
        });
    return path;
  }

  void Split(const std::string& old, const std::string& outer,
             const std::string& inner, int64_t factor,
             Tail tail = Tail::kGuard) {
    Directive& d = out_.emplace_back();
    d.kind = DirectiveKind::kSplit;
    d.func = definition_[0].func;
    d.update = definition_[0].update;
    const auto part = parts_.find(old);
    const bool is_rvar = part != parts_.end() && part->second.is_rvar;
    for (const std::string& loop : {old, outer, inner})
      d.loops.push_back({.name = loop, .is_rvar = is_rvar});
    d.factor = factor;
    d.tail = tail;
  }

  // The loops of the path in units of vectors. The last split of the path is
  // what is done first here: its outer loop is what is left of the one before.
  void CutOff(const VectorPath& path) {
    // What vectors of the axis are counted by, until that is split.
    const bool has_part = parts_.contains(path.axis);
    const size_t splits = path.splits.size();
    const auto rest_after = [&](size_t k) {
      // The loop that is left after split k, which is cut further.
      return k + 2 == splits ? definition_[path.splits.back()].loops[1].name
                             : definition_[path.splits[k]].loops[2].name;
    };
    const std::string name = splits == 1
                                 ? definition_[path.splits[0]].loops[1].name
                                 : Derived(path.axis, "_vectors");
    const Tail tail =
        extensible_.contains(path.axis) ? Tail::kShiftInwards : Tail::kGuard;
    if (splits == 0) {
      // The vector is a part: of unknown length it would not be usable.
      Split(path.axis, PartsOf(path.axis), PartOf(path.axis), path.length,
            tail);
    } else if (!has_part) {
      Split(path.axis, name, path.lanes, path.length, tail);
    } else {
      const std::string all = Derived(path.axis, "_all");
      Split(path.axis, all, path.lanes, path.length, tail);
      Split(all, PartsOf(path.axis), name,
            parts_.at(path.axis).extent / path.length);
    }
    std::string rest = name;
    for (size_t k = 0; k + 1 < splits; ++k) {
      const Directive& d = definition_[path.splits[k]];
      Split(rest, d.loops[1].name, rest_after(k), d.factor / path.length);
      rest = rest_after(k);
    }
    done_.insert(path.splits.begin(), path.splits.end());
    if (splits > 0) {
      const Directive& last = definition_[path.splits.back()];
      last_split_[path.splits.back()] = last.loops[0].name;
    }
  }

  void Rename(LoopName& loop) const {
    if (parts_.contains(loop.name)) loop.name = PartOf(loop.name);
  }

  void Add(size_t i) {
    if (done_.contains(i)) return;
    Directive d = definition_[i];
    if (d.kind == DirectiveKind::kVectorize && !IsVector(d.loops[0].name)) {
      const int64_t length = LengthOf(d.loops[0].name);
      if (length == 0 || length > kMostCopies) return;
      d.kind = DirectiveKind::kUnroll;
    }
    if (d.kind == DirectiveKind::kUnroll &&
        (use_ == LoopUse::kRare || rolled_.contains(d.loops[0].name)))
      return;
    if (d.kind == DirectiveKind::kSplit) d.tail = Tail::kGuard;
    if (d.kind == DirectiveKind::kReorder) {
      Reorder(i, d);
    } else {
      for (LoopName& loop : d.loops) Rename(loop);
    }
    out_.push_back(std::move(d));
  }

  bool IsVector(const std::string& loop) const {
    return std::any_of(paths_.begin(), paths_.end(), [&](const VectorPath& p) {
      return p.is_usable && p.lanes == loop;
    });
  }

  // Of the part of an axis, or the inner loop of a split; 0: it is neither.
  int64_t LengthOf(const std::string& loop) const {
    for (const Directive& d : definition_) {
      if (d.kind == DirectiveKind::kSplit && d.loops[2].name == loop)
        return d.factor;
    }
    const auto part = parts_.find(loop);
    return part == parts_.end() ? 0 : part->second.extent;
  }

  // Whether the loops over its parts are right around them: copies are of a
  // short axis, and of what else there is inside of the loop over parts Halide
  // would make versions with and without guards by conditions on that axis,
  // such as a clamp, none of which is without. (Halide refuses parts of a
  // reduction's axis around other axes of it where their order may matter.)
  bool HasPartsInside(const std::string& axis) const {
    return (use_ != LoopUse::kThreads || parts_.at(axis).is_rvar) &&
           std::any_of(definition_.begin(), definition_.end(),
                       [&](const Directive& d) {
                         return d.kind == DirectiveKind::kUnroll &&
                                d.loops[0].name == axis;
                       });
  }

  // Vectors that were cut off later are there now; parts have loops around
  // them.
  void Reorder(size_t i, Directive& d) const {
    std::vector<LoopName> order;
    for (const LoopName& loop : d.loops) {
      const auto cut = std::find_if(
          last_split_.begin(), last_split_.end(), [&](const auto& split) {
            return split.first > i && split.second == loop.name;
          });
      if (cut != last_split_.end()) {
        order.push_back(definition_[cut->first].loops[2]);
        order.push_back(definition_[cut->first].loops[1]);
        continue;
      }
      order.push_back(loop);
      Rename(order.back());
      if (const auto part = parts_.find(loop.name);
          part != parts_.end() && HasPartsInside(part->first)) {
        order.push_back(
            {.name = PartsOf(loop.name), .is_rvar = part->second.is_rvar});
      }
    }
    AddLoopsOverParts(definition_, parts_, order);
    d.loops = std::move(order);
  }

  const absl::Span<const Directive> definition_;
  AxisParts parts_;
  const int64_t element_bytes_;
  const LoopUse use_;
  const std::set<std::string>& extensible_;
  std::vector<VectorPath> paths_;
  std::set<std::string> rolled_;  // loops of which there are no copies
  std::set<size_t> done_;         // splits that were made already
  // Of these: the last one of each path, and what it split.
  std::map<size_t, std::string> last_split_;
  std::vector<Directive> out_;
};

// The axis, its part, and what splits make of them.
std::set<std::string> LoopsOf(const std::string& axis,
                              absl::Span<const Directive> definition) {
  std::set<std::string> loops = {axis, PartOf(axis)};
  for (const Directive& d : definition) {
    if (d.kind != DirectiveKind::kSplit || !loops.contains(d.loops[0].name))
      continue;
    loops.insert({d.loops[1].name, d.loops[2].name});
  }
  return loops;
}

}  // namespace

std::string PartOf(const std::string& axis) { return Derived(axis, "_part"); }

std::string PartsOf(const std::string& axis) { return Derived(axis, "_parts"); }

void AddLoopsOverParts(absl::Span<const Directive> definition,
                       const AxisParts& parts, std::vector<LoopName>& order) {
  for (const auto& [axis, part] : parts) {
    const LoopName loop = {.name = PartsOf(axis), .is_rvar = part.is_rvar};
    if (std::find(order.begin(), order.end(), loop) != order.end()) continue;
    size_t place = order.size();
    if (part.keeps_order) {
      const std::set<std::string> inside = LoopsOf(axis, definition);
      while (place > 0 && !inside.contains(order[place - 1].name)) --place;
      if (place == 0) place = order.size();
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), loop);
  }
}

std::vector<Directive> GuardedLoops(absl::Span<const Directive> definition,
                                    const AxisParts& parts,
                                    int64_t element_bytes, LoopUse use,
                                    const std::set<std::string>& extensible) {
  return Guarding(definition, parts, element_bytes, use, extensible).Make();
}

}  // namespace pruner
