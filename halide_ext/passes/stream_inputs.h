// A lowering pass that prefetches what the next iteration of a loop reads of an
// input, a little in each iteration of the loops inside.
//
// Halide's own directive prefetches whole regions at once, for which the
// computation then waits; spread over the work on the present iteration the
// same lines cost hardly anything (docs/cold_constants.md).
#ifndef HALIDE_EXT_PASSES_STREAM_INPUTS_H_
#define HALIDE_EXT_PASSES_STREAM_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "pruner/program/program.h"

namespace pruner {

// As Stream (pruner/program/program.h) has it, with names of lowered code.
struct InputStream {
  std::string input;
  // A loop of definition `definition` of a Func, by the name that the schedule
  // gave it: lowered code has those of the loops before it in front.
  struct Loop {
    std::string func;
    int definition = 0;
    std::string name;
    int64_t extent = 1;

    bool IsCalled(const std::string& lowered) const;
  };
  // The first: for whose next iteration. The last, which may be the same: at
  // the end of whose body.
  std::vector<Loop> loops;
  std::vector<StreamRun> runs;  // innermost first
  int64_t step = 0;             // elements in each execution
  int64_t line = 1;             // elements
};

// The function that the lowered code calls to have a line brought near: of the
// line's address, 0 for reading, kPrefetchHint, and 1 for data.
//
// It is LLVM's, by its name: Halide's runtime, which is linked into every
// kernel, declares it. Halide's own intrinsic always asks for lines that are
// used once (prefetchnta); on Intel's cores those never get to the second cache
// and are gone from the first, which a panel does not fit into, before they are
// used: there such streams make kernels slower than none
// (tools/bench/README.md).
inline constexpr char kPrefetch[] = "llvm.prefetch.p0";
inline constexpr int kPrefetchHint = 2;  // to the second cache: prefetcht1

// Has `pipeline` run the pass whenever it is compiled. Where the loops are not
// there, or what is read depends on data, nothing is prefetched. Copies of a
// Pipeline share their contents, so this reaches the caller's.
void AddStreamInput(const InputStream& stream, Halide::Pipeline& pipeline);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_STREAM_INPUTS_H_
