#include "halide_ext/lower/any_size.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "halide_ext/lower/guarded_loops.h"

namespace pruner {
namespace {

// Dimensions that were estimated to be no longer are channels and the like.
constexpr int64_t kShort = 64;

// Of definitions, not of Funcs.
bool IsOfLoops(DirectiveKind kind) {
  switch (kind) {
    case DirectiveKind::kSplit:
    case DirectiveKind::kFuse:
    case DirectiveKind::kReorder:
    case DirectiveKind::kVectorize:
    case DirectiveKind::kUnroll:
    case DirectiveKind::kParallel:
    case DirectiveKind::kUnscheduled:
      return true;
    default:
      return false;
  }
}

// A stage as its directives see it.
struct Subject {
  bool is_at_root = false;
  bool has_updates = false;
  int body = -1;         // the last definition, whose loops others are in
  bool is_said = false;  // anything of these loops
  int64_t element_bytes = 4;
  std::map<int, AxisParts> parts = {};  // by definition
};

class AnySize {
 public:
  AnySize(const std::vector<Directive>& directives, size_t inserted,
          const Program& program, const std::vector<FuncBinding>& bindings,
          const std::vector<LeastExtent>& large)
      : directives_(directives),
        inserted_(inserted),
        program_(program),
        large_(large) {
    for (int i = 0; i < program.dag->size(); ++i) {
      if (program.stages[i].is_absent || bindings[i].is_scheduled) continue;
      AddSubject(i, bindings[i]);
      HoldTiles(bindings[i]);
    }
  }

  std::vector<Directive> Make() && {
    out_.assign(directives_.begin(), directives_.begin() + inserted_);
    for (size_t i = inserted_; i < directives_.size();) {
      const size_t end = EndOfDefinition(i);
      if (end > i) {
        AddDefinition(i, end);
        i = end;
      } else {
        AddOther(directives_[i++]);
      }
    }
    // Of loops that are left as they are but for the parts, in which others
    // may be computed.
    for (const auto& [func, subject] : subjects_) {
      if (!subject.is_said)
        AddParts(subject, func, subject.body, Tail::kGuard, /*least=*/{});
    }
    return std::move(out_);
  }

 private:
  // The end of what is said, from i on, of one definition's loops.
  size_t EndOfDefinition(size_t i) const {
    const Directive& first = directives_[i];
    size_t end = i;
    while (end < directives_.size() && IsOfLoops(directives_[end].kind) &&
           directives_[end].func == first.func &&
           directives_[end].update == first.update) {
      ++end;
    }
    return end;
  }

  // Whether the extent is the same in all iterations around it, as far as the
  // program is concerned.
  bool IsFixed(int stage, int axis) const {
    for (const ProgramLoop& loop : program_.loops) {
      if (loop.stage != stage || !loop.varies) continue;
      for (int s = 0; s < loop.num_shares; ++s) {
        if (program_.shares[loop.first_share + s].axis == axis) return false;
      }
    }
    return true;
  }

  // Those whose extent has to be constant in a definition, because a loop over
  // all there is of them becomes vectors or copies.
  std::set<std::string> AxesOfConstantExtent(const std::string& func,
                                             int update) const {
    std::set<std::string> axes;
    // By loop: the axes that all of it is made of.
    std::map<std::string, std::set<std::string>> whole;
    const auto axes_of = [&](const std::string& loop) {
      const auto found = whole.find(loop);
      return found == whole.end() ? std::set<std::string>{loop} : found->second;
    };
    for (size_t i = inserted_; i < directives_.size(); ++i) {
      const Directive& d = directives_[i];
      if (d.func != func || d.update != update) continue;
      if (d.kind == DirectiveKind::kSplit) {
        const std::set<std::string> split = axes_of(d.loops[0].name);
        whole[d.loops[1].name] = split;
        whole[d.loops[2].name] = {};
      } else if (d.kind == DirectiveKind::kFuse) {
        std::set<std::string> fused = axes_of(d.loops[0].name);
        fused.merge(axes_of(d.loops[1].name));
        whole[d.loops[2].name] = fused;
      } else if (d.kind == DirectiveKind::kVectorize ||
                 d.kind == DirectiveKind::kUnroll) {
        axes.merge(axes_of(d.loops[0].name));
      }
    }
    return axes;
  }

  void AddSubject(int i, const FuncBinding& binding) {
    const ProgramStage& stage = program_.stages[i];
    const Stage& s = program_.dag->stage(i);
    Subject& subject = subjects_[binding.func];
    subject.is_at_root = stage.at_stage < 0;
    subject.has_updates = s.opaque || s.IsInitialized();
    subject.body = binding.update;
    for (const ElementType& type : s.types)
      subject.element_bytes =
          std::min<int64_t>(subject.element_bytes, std::max(1, type.bits / 8));
    const auto updates = static_cast<int>(s.definitions.size()) - 1;
    for (int d = -1; d < std::max(updates, binding.update + 1); ++d) {
      const std::set<std::string> constant =
          AxesOfConstantExtent(binding.func, d);
      // Reduction axes are those of the last definition.
      const size_t axes =
          d == binding.update ? binding.variables.size() : s.shape.size();
      for (size_t axis = 0; axis < axes; ++axis) {
        const std::string& name = binding.variables[axis];
        const int64_t extent = program_.axis_extents[stage.first_axis + axis];
        const bool is_rvar = axis >= s.shape.size();
        const bool is_cut = constant.contains(name) ||
                            (!is_rvar && !subject.is_at_root && !s.opaque &&
                             IsFixed(i, static_cast<int>(axis)));
        if (extent > 1 && is_cut)
          subject.parts[d][name] = {.extent = extent, .is_rvar = is_rvar};
      }
    }
  }

  // Large outputs are not smaller than their tiles, which could not be moved
  // inwards otherwise.
  void HoldTiles(const FuncBinding& binding) {
    for (LeastExtent& least : large_) {
      if (least.output != binding.func) continue;
      const std::string& axis =
          binding.variables[binding.mins.size() - 1 - least.dimension];
      for (size_t i = inserted_; i < directives_.size(); ++i) {
        const Directive& d = directives_[i];
        if (d.kind == DirectiveKind::kSplit && d.func == binding.func &&
            d.loops[0].name == axis) {
          least.extent = std::max(least.extent, d.factor);
        }
      }
      for (const auto& [update, parts] : subjects_.at(binding.func).parts) {
        if (const auto part = parts.find(axis); part != parts.end())
          least.extent = std::max(least.extent, part->second.extent);
      }
    }
  }

  static void Rename(const Subject& subject, int update, LoopName& loop) {
    if (PartsIn(subject, update).contains(loop.name))
      loop.name = PartOf(loop.name);
  }

  static const AxisParts& PartsIn(const Subject& subject, int update) {
    static const AxisParts& none = *new AxisParts;
    const auto parts = subject.parts.find(update);
    return parts == subject.parts.end() ? none : parts->second;
  }

  void AddOther(Directive d) {
    const bool says_extent =
        d.kind == DirectiveKind::kBound ||
        (d.kind == DirectiveKind::kStoreIn && d.storage == Storage::kStack);
    if (says_extent) return;
    if (d.kind == DirectiveKind::kComputeAt && !d.loops.empty()) {
      const Subject& target = subjects_.at(d.target);
      Rename(target, target.body, d.loops[0]);
    }
    out_.push_back(std::move(d));
  }

  // Once, or twice if large outputs have loops of their own.
  void AddDefinition(size_t begin, size_t end) {
    Subject& subject = subjects_.at(directives_[begin].func);
    const int update = directives_[begin].update;
    subject.is_said |= update == subject.body;
    const bool is_pure = !subject.has_updates;
    const auto rounds = [&](const Directive& d) {
      return d.kind == DirectiveKind::kSplit && d.tail != Tail::kGuard;
    };
    const bool has_whole_tiles =
        subject.is_at_root && is_pure && !large_.empty() &&
        (!PartsIn(subject, update).empty() ||
         std::any_of(directives_.begin() + begin, directives_.begin() + end,
                     rounds));
    if (has_whole_tiles) AddWholeTiles(subject, begin, end);
    for (Directive& d : GuardedLoops(
             absl::MakeConstSpan(directives_).subspan(begin, end - begin),
             PartsIn(subject, update), subject.element_bytes,
             has_whole_tiles ? LoopUse::kRare : LoopUse::kUsual)) {
      out_.push_back(std::move(d));
    }
  }

  // The loops for large outputs.
  void AddWholeTiles(const Subject& subject, size_t begin, size_t end) {
    const int update = directives_[begin].update;
    AddParts(subject, directives_[begin].func, update, Tail::kShiftInwards,
             large_);
    // Loops of constant extent, which need no other tails than they have.
    std::set<std::string> constant;
    for (const auto& [name, part] : PartsIn(subject, update))
      constant.insert(PartOf(name));
    for (size_t i = begin; i < end; ++i) {
      Directive d = directives_[i];
      d.least = large_;
      for (LoopName& loop : d.loops) Rename(subject, update, loop);
      if (d.kind == DirectiveKind::kSplit) {
        const bool is_constant = constant.contains(d.loops[0].name);
        if (!is_constant && d.tail != Tail::kGuard)
          d.tail = Tail::kShiftInwards;
        if (is_constant) constant.insert(d.loops[1].name);
        constant.insert(d.loops[2].name);
      }
      if (d.kind == DirectiveKind::kReorder) {
        for (const auto& [name, part] : PartsIn(subject, update))
          d.loops.push_back({.name = PartsOf(name), .is_rvar = part.is_rvar});
      }
      out_.push_back(std::move(d));
    }
  }

  void AddParts(const Subject& subject, const std::string& func, int update,
                Tail tail, const std::vector<LeastExtent>& least) {
    for (const auto& [name, part] : PartsIn(subject, update)) {
      Directive& d = out_.emplace_back();
      d.kind = DirectiveKind::kSplit;
      d.func = func;
      d.update = update;
      for (const std::string& loop : {name, PartsOf(name), PartOf(name)})
        d.loops.push_back({.name = loop, .is_rvar = part.is_rvar});
      d.factor = part.extent;
      d.tail = tail;
      d.least = least;
    }
  }

  const std::vector<Directive>& directives_;
  const size_t inserted_;
  const Program& program_;
  std::vector<LeastExtent> large_;
  std::map<std::string, Subject> subjects_;
  std::vector<Directive> out_;
};

}  // namespace

std::vector<LeastExtent> LargeOutputs(const PipelineRegions& regions) {
  std::vector<LeastExtent> large;
  for (const std::string& output : regions.outputs) {
    const Region& region = regions.regions.at(output);
    for (size_t d = 0; d < region.size(); ++d) {
      const int64_t extent = region[d].Extent();
      large.push_back(
          {.output = output,
           .dimension = static_cast<int>(d),
           .extent = extent <= kShort ? extent : std::max(kShort, extent / 2)});
    }
  }
  return large;
}

std::vector<Directive> ForAnySize(const std::vector<Directive>& directives,
                                  size_t inserted, const Program& program,
                                  const std::vector<FuncBinding>& bindings,
                                  const std::vector<LeastExtent>& large) {
  return AnySize(directives, inserted, program, bindings, large).Make();
}

}  // namespace pruner
