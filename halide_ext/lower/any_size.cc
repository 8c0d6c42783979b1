#include "halide_ext/lower/any_size.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "halide_ext/lower/definition_loops.h"
#include "halide_ext/lower/edge_copies.h"
#include "halide_ext/lower/guarded_loops.h"
#include "pruner/program/root_of.h"

namespace pruner {
namespace {

// Loops of a definition.
enum class Version {
  kWhole,    // for large outputs, as the program has them
  kGuarded,  // the same with guards, without vectors and copies
  kSingle,   // with tiles of one element, which one thread computes
};

// A stage as its directives see it.
struct Subject {
  bool is_at_root = false;
  bool is_on_device = false;  // in a kernel
  bool has_others = false;    // in its loops
  bool has_updates = false;
  bool is_on_stack = false;  // or on the heap, but allocated once per task
  bool loses_reads = false;
  std::vector<std::string> axes = {};  // but for those of reductions
  // By definition, innermost first, before anything is said of them. None are
  // known of what is computed as written.
  std::map<int, std::vector<LoopName>> loops = {};
  // Of these, those along which more may be computed than others in whose loops
  // it is need, in vectors that begin anywhere.
  std::set<std::string> extensible = {};
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
        bindings_(bindings),
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
      if (subject.is_said) continue;
      const size_t from = out_.size();
      AddParts(subject, func, subject.body, Version::kGuarded);
      AddNeverPartition(subject, from);
    }
    return std::move(out_);
  }

 private:
  // The end of what is said, from i on, of one definition's loops.
  size_t EndOfDefinition(size_t i) const {
    const Directive& first = directives_[i];
    size_t end = i;
    while (end < directives_.size() && IsOfLoops(directives_[end]) &&
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
  // all there is of them becomes vectors, copies or the threads of a block, or
  // with `in_block` goes on in a block of threads, for what is computed in
  // which there is only so much memory.
  std::set<std::string> AxesOfConstantExtent(const std::string& func,
                                             int update, bool in_block) const {
    std::set<std::string> axes;
    std::set<std::string> in_blocks;
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
                 d.kind == DirectiveKind::kUnroll ||
                 d.kind == DirectiveKind::kGpuThreads) {
        axes.merge(axes_of(d.loops[0].name));
      } else if (d.kind == DirectiveKind::kGpuBlocks) {
        in_blocks.merge(axes_of(d.loops[0].name));
      }
    }
    if (in_block) {
      for (const std::string& axis : subjects_.at(func).axes) {
        if (!in_blocks.contains(axis)) axes.insert(axis);
      }
    }
    return axes;
  }

  // Whether the stage, or what it is computed in, has blocks or threads.
  bool IsOnDevice(int stage) const {
    const std::string& root = bindings_[RootOf(program_, stage)].func;
    return std::any_of(directives_.begin() + inserted_, directives_.end(),
                       [&](const Directive& d) {
                         return IsOfKernels(d.kind) && d.func == root;
                       });
  }

  void AddSubject(int i, const FuncBinding& binding) {
    const ProgramStage& stage = program_.stages[i];
    const Stage& s = program_.dag->stage(i);
    Subject& subject = subjects_[binding.func];
    subject.is_at_root = stage.at_stage < 0;
    subject.is_on_device = IsOnDevice(i);
    subject.has_others = HoldsOthers(program_, i);
    subject.has_updates = s.opaque || s.IsInitialized();
    subject.loses_reads = binding.loses_reads;
    const Buffer& buffer = program_.buffers[stage.buffer];
    subject.is_on_stack =
        !subject.is_at_root && !subject.is_on_device &&
        buffer.elements * buffer.element_bytes <= kMostOnStack;
    subject.body = binding.update;
    subject.axes.assign(binding.variables.begin(),
                        binding.variables.begin() + s.shape.size());
    // Of a sliding window each iteration computes what is new.
    if (!subject.is_at_root && stage.slide_dimension < 0 &&
        !subject.has_updates) {
      for (size_t axis = 0; axis < s.shape.size(); ++axis) {
        if (binding.extensible[axis])
          subject.extensible.insert(binding.variables[axis]);
      }
    }
    const bool in_block = subject.is_on_device && subject.is_at_root &&
                          !subject.has_updates && subject.has_others;
    for (const ElementType& type : s.types)
      subject.element_bytes =
          std::min<int64_t>(subject.element_bytes, std::max(1, type.bits / 8));
    const auto updates = static_cast<int>(s.definitions.size()) - 1;
    for (int d = -1; d < std::max(updates, binding.update + 1); ++d) {
      const std::set<std::string> constant =
          AxesOfConstantExtent(binding.func, d, in_block);
      // Reduction axes are those of the last definition.
      const size_t axes =
          d == binding.update ? binding.variables.size() : s.shape.size();
      for (size_t axis = axes; !s.opaque && axis-- > 0;) {
        subject.loops[d].push_back({.name = binding.variables[axis],
                                    .is_rvar = axis >= s.shape.size()});
      }
      for (size_t axis = 0; axis < axes; ++axis) {
        const std::string& name = binding.variables[axis];
        const int64_t extent = program_.axis_extents[stage.first_axis + axis];
        const bool is_rvar = axis >= s.shape.size();
        const bool is_cut = constant.contains(name) ||
                            ((subject.has_others || subject.is_on_device) &&
                             !is_rvar && !subject.is_at_root && !s.opaque &&
                             IsFixed(i, static_cast<int>(axis)));
        if ((extent > 1 || in_block) && is_cut)
          subject.parts[d][name] = {.extent = extent,
                                    .is_rvar = is_rvar,
                                    .keeps_order = is_rvar && s.ordered};
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
    // The stack is said of all that is small, below.
    const bool is_left_out =
        d.kind == DirectiveKind::kBound ||
        (d.kind == DirectiveKind::kStoreIn && d.storage == Storage::kStack);
    if (is_left_out) return;
    const bool is_place = d.kind == DirectiveKind::kComputeAt ||
                          d.kind == DirectiveKind::kStoreAt;
    if (is_place && !d.loops.empty()) {
      const Subject& target = subjects_.at(d.target);
      Rename(target, target.body, d.loops[0]);
    }
    out_.push_back(d);
    if (d.kind == DirectiveKind::kComputeAt) AddStorage(d.func);
  }

  void AddStorage(const std::string& func) {
    const auto subject = subjects_.find(func);
    if (subject == subjects_.end() || !subject->second.is_on_stack) return;
    Directive& store = out_.emplace_back();
    store.kind = DirectiveKind::kStoreIn;
    store.func = func;
    store.storage = Storage::kStack;
  }

  // Once, or twice if large outputs have loops of their own.
  void AddDefinition(size_t begin, size_t end) {
    Subject& subject = subjects_.at(directives_[begin].func);
    const int update = directives_[begin].update;
    subject.is_said |= update == subject.body;
    const bool is_pure = !subject.has_updates;
    if (subject.is_on_device && !large_.empty() &&
        (is_pure || !subject.is_at_root)) {
      if (!subject.loses_reads)
        AddVersion(subject, begin, end, Version::kWhole);
      AddVersion(subject, begin, end,
                 subject.is_at_root && !subject.has_others ? Version::kGuarded
                                                           : Version::kSingle);
      return;
    }
    const auto rounds = [&](const Directive& d) {
      return d.kind == DirectiveKind::kSplit && d.tail != Tail::kGuard;
    };
    const bool has_whole_tiles =
        subject.is_at_root && is_pure && !subject.loses_reads &&
        !large_.empty() &&
        (!PartsIn(subject, update).empty() ||
         std::any_of(directives_.begin() + begin, directives_.begin() + end,
                     rounds));
    if (has_whole_tiles) AddVersion(subject, begin, end, Version::kWhole);
    const size_t from = out_.size();
    for (Directive& d : GuardedLoops(
             absl::MakeConstSpan(directives_).subspan(begin, end - begin),
             PartsIn(subject, update), subject.element_bytes,
             subject.is_on_device ? LoopUse::kThreads
             : has_whole_tiles    ? LoopUse::kRare
                                  : LoopUse::kUsual,
             subject.extensible)) {
      out_.push_back(std::move(d));
    }
    AddNeverPartition(subject, from);
  }

  // Of the loops that out_ has of a definition from `from` on Halide divides at
  // the edges of images only those in which vectors are read there.
  void AddNeverPartition(const Subject& subject, size_t from) {
    if (subject.is_on_device || from == out_.size()) return;
    Directive never;
    never.kind = DirectiveKind::kNeverPartition;
    never.func = out_[from].func;
    never.update = out_[from].update;
    never.least = out_[from].least;
    const auto known = subject.loops.find(never.update);
    if (known == subject.loops.end()) return;
    for (LeftLoop& loop :
         LoopsAfter(known->second, absl::MakeConstSpan(out_).subspan(from))) {
      if (!loop.counts_vectors) never.loops.push_back(std::move(loop.name));
    }
    if (!never.loops.empty()) out_.push_back(std::move(never));
  }

  void AddVersion(const Subject& subject, size_t begin, size_t end,
                  Version version) {
    const int update = directives_[begin].update;
    const size_t from = out_.size();
    AddParts(subject, directives_[begin].func, update, version);
    // Loops of constant extent, which need no other tails than they have.
    std::set<std::string> constant;
    for (const auto& [name, part] : PartsIn(subject, update))
      constant.insert(PartOf(name));
    // Of which nothing is known to be as long as a tile.
    std::set<std::string> fused;
    for (size_t i = begin; i < end; ++i) {
      Directive d = directives_[i];
      if (d.kind == DirectiveKind::kFuse) fused.insert(d.loops[2].name);
      if (IsLeftOut(d.kind, version)) continue;
      d.least = LeastOf(version);
      for (LoopName& loop : d.loops) Rename(subject, update, loop);
      if (d.kind == DirectiveKind::kSplit) {
        const bool is_constant = constant.contains(d.loops[0].name);
        // Of updates no loop over a part may go beyond it.
        if (version != Version::kWhole || (is_constant && update >= 0)) {
          d.tail = Tail::kGuard;
        } else if (subject.is_at_root && !is_constant &&
                   (d.tail != Tail::kGuard ||
                    (subject.is_on_device &&
                     !fused.contains(d.loops[0].name)))) {
          d.tail = Tail::kShiftInwards;
        }
        if (version == Version::kSingle) d.factor = 1;
        if (is_constant) constant.insert(d.loops[1].name);
        constant.insert(d.loops[2].name);
      }
      if (d.kind == DirectiveKind::kReorder) {
        AddLoopsOverParts(
            absl::MakeConstSpan(directives_).subspan(begin, end - begin),
            PartsIn(subject, update), d.loops);
      }
      out_.push_back(std::move(d));
    }
    AddNeverPartition(subject, from);
  }

  static bool IsLeftOut(DirectiveKind kind, Version version) {
    if (version == Version::kWhole) return false;
    return kind == DirectiveKind::kVectorize ||
           kind == DirectiveKind::kUnroll ||
           (kind == DirectiveKind::kGpuThreads && version == Version::kSingle);
  }

  std::vector<LeastExtent> LeastOf(Version version) const {
    return version == Version::kWhole ? large_ : std::vector<LeastExtent>();
  }

  void AddParts(const Subject& subject, const std::string& func, int update,
                Version version) {
    const bool are_moved = version == Version::kWhole && subject.is_at_root;
    for (const auto& [name, part] : PartsIn(subject, update)) {
      Directive& d = out_.emplace_back();
      d.kind = DirectiveKind::kSplit;
      d.func = func;
      d.update = update;
      for (const std::string& loop : {name, PartsOf(name), PartOf(name)})
        d.loops.push_back({.name = loop, .is_rvar = part.is_rvar});
      d.factor = version == Version::kSingle ? 1 : part.extent;
      d.tail = are_moved ? Tail::kShiftInwards : Tail::kGuard;
      d.least = LeastOf(version);
    }
  }

  const std::vector<Directive>& directives_;
  const size_t inserted_;
  const Program& program_;
  const std::vector<FuncBinding>& bindings_;
  std::vector<LeastExtent> large_;
  std::map<std::string, Subject> subjects_;
  std::vector<Directive> out_;
};

}  // namespace

std::vector<Directive> ForAnySize(const std::vector<Directive>& directives,
                                  size_t inserted, const Program& program,
                                  const std::vector<FuncBinding>& bindings,
                                  const std::vector<LeastExtent>& large) {
  const std::vector<Directive> divisible =
      WithoutEdgeCopies(directives, inserted, program, bindings);
  return AnySize(divisible, inserted, program, bindings, large).Make();
}

}  // namespace pruner
