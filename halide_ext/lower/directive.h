// Directive: one call of Halide's scheduling language, as data. Lowering a
// schedule yields a list of them, which is applied to a pipeline or printed as
// C++; both follow one table, so what is printed is what ran.
#ifndef HALIDE_EXT_LOWER_DIRECTIVE_H_
#define HALIDE_EXT_LOWER_DIRECTIVE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "pruner/program/program.h"
#include "pruner/schedule/transform_step.h"

namespace pruner {

// A loop by name. RVars (of reduction domains, and what is split off them) are
// typed differently from Vars in Halide.
struct LoopName {
  std::string name;
  bool is_rvar = false;

  bool operator==(const LoopName&) const = default;
};

enum class DirectiveKind {
  kComputeRoot,     // func
  kBound,           // func, loops = {Var}, factor = extent, min if it is given
  kComputeAt,       // func, at target (loop loops[0]; none: outermost)
  kSplit,           // loops = {old, outer, inner}, factor, tail
  kFuse,            // loops = {inner, outer, fused}
  kReorder,         // loops, innermost first
  kVectorize,       // loops = {loop}
  kUnroll,          // loops = {loop}
  kParallel,        // loops = {loop}
  kGpuBlocks,       // loops = {loop}
  kGpuThreads,      // loops = {loop}
  kStoreIn,         // func, storage
  kReorderStorage,  // func, loops, innermost first
  kNeverPartition,  // of loops, or all of func: no loops of their own for the
                    // parts at the edges
  kWrap,            // func, copied to new_func for `readers`, for all if empty
  kRfactor,  // loops = {loop, its Var in new_func}, which has partial results;
             // none: new_func has the whole, which is then added once
  kUnscheduled,  // nothing: Halide warns of definitions that it hears nothing
                 // of
  kStoreAt,  // func, in target (loop loops[0]); outside of all loops if there
             // is none: a sliding window
  kStream,   // func, target = the input, stream; no directive of Halide's but a
             // pass of ours (AddStreamInput)
  kOnlySpecialized,  // outputs of which the definition has no specialization
                     // are an error
};

// Whether it makes a loop one over the blocks or the threads of a kernel.
inline bool IsOfKernels(DirectiveKind kind) {
  return kind == DirectiveKind::kGpuBlocks ||
         kind == DirectiveKind::kGpuThreads;
}

// A loop of a definition of a Func, as Directive says them.
struct DefinitionLoop {
  std::string func;
  int update = -1;
  LoopName loop;
  int64_t extent = 1;

  bool operator==(const DefinitionLoop&) const = default;
};

// Elements of an input that are prefetched; see Stream (program.h).
struct StreamedElements {
  // From the loop whose next iteration they are for to the one at whose end
  // they are prefetched, both of them included.
  std::vector<DefinitionLoop> loops;
  std::vector<StreamRun> runs;  // innermost first
  int64_t step = 0;
  int64_t line = 0;  // elements of a cache line

  bool operator==(const StreamedElements&) const = default;
};

// Whether an output of the pipeline is of some size along a dimension,
// innermost first as in Halide.
struct LeastExtent {
  std::string output;
  int dimension = 0;
  int64_t extent = 1;

  bool operator==(const LeastExtent&) const = default;
};

struct Directive {
  DirectiveKind kind = DirectiveKind::kComputeRoot;
  std::string func = {};
  int update = -1;  // which definition: -1 the pure one, else the update
  std::vector<LoopName> loops = {};
  int64_t factor = 0;
  std::optional<int64_t> min = std::nullopt;
  Tail tail = Tail::kGuard;
  std::string target = {};
  // Kinds that make a Func give it this name, by which later directives know
  // it; Halide's own differs.
  std::string new_func = {};
  std::vector<std::string> readers = {};
  Storage storage = Storage::kDefault;
  StreamedElements stream = {};
  // Not empty: of the definition's specialization for outputs of at least these
  // sizes. What is not specialized is said after it.
  std::vector<LeastExtent> least = {};

  bool operator==(const Directive&) const = default;
};

// Whether it makes the loops of a definition, or names them.
inline bool IsOfLoops(const Directive& d) {
  switch (d.kind) {
    case DirectiveKind::kSplit:
    case DirectiveKind::kFuse:
    case DirectiveKind::kReorder:
    case DirectiveKind::kVectorize:
    case DirectiveKind::kUnroll:
    case DirectiveKind::kParallel:
    case DirectiveKind::kGpuBlocks:
    case DirectiveKind::kGpuThreads:
    case DirectiveKind::kUnscheduled:
      return true;
    case DirectiveKind::kNeverPartition:
      return !d.loops.empty();
    default:
      return false;
  }
}

// Applies the directives to the Funcs of `pipeline`, found by name. Error: a
// name the pipeline does not have, or what Halide refuses.
absl::Status ApplyDirectives(const std::vector<Directive>& directives,
                             const Halide::Pipeline& pipeline);

// The same; returns the Funcs by the names that directives know them by, with
// those that they have made.
absl::StatusOr<std::map<std::string, Halide::Func>> ScheduledFuncs(
    const std::vector<Directive>& directives, const Halide::Pipeline& pipeline);

// The directives as C++ source: a function
//   inline void <name>(std::map<std::string, Halide::Func> funcs)
// to be called with the pipeline's Funcs by name, in a header that needs
// Halide.h only.
std::string PrintDirectives(const std::vector<Directive>& directives,
                            const std::string& name);

// Its statements, a line each.
std::string PrintDirectiveLines(const std::vector<Directive>& directives);

// Every Func of the pipeline, by name; a Func that only loads an input, as
// every ImageParam makes one, also by that input's.
std::map<std::string, Halide::Func> FuncsOf(const Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_LOWER_DIRECTIVE_H_
