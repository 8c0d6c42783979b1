// What Halide makes of a scheduled pipeline, as data: the loops, allocations
// and stores that its own lowering passes come to, before loops are unrolled.
#ifndef HALIDE_EXT_TESTS_HALIDE_LOOPS_H_
#define HALIDE_EXT_TESTS_HALIDE_LOOPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "halide_ext/tests/trip_counts.h"

namespace pruner {

// A loop that is left. Halide drops by itself, with all that is in it, what
// never runs, and what has no effect; and it drops a loop, but not what is in
// it,
// - of which it can prove that it runs at most once, unless it is bound to
//   blocks or threads: those stay, with the extent 1. Where it may run zero
//   times, an `if` remains, and what is in it is `guarded`.
// - over the variables of an extern stage: its call computes all of it.
// What is not proven is not dropped: a loop whose extent is no constant stays
// even where it runs once each time.
//
// A loop to be vectorized or unrolled whose extent is not a constant is one
// over a constant upper bound of the extent, with an `if` in it; Halide refuses
// the schedule if it finds no such bound.
struct HalideLoop {
  std::string name;  // Halide's: "f.s1.x.x_0"
  // Function::name() in the pipeline; wrappers and factored reductions have
  // names that Halide makes.
  std::string func;
  int definition = 0;    // 0: the pure one, else the update, from 1
  std::string variable;  // as a Directive calls it: "x_0"
  Halide::Internal::ForType kind = Halide::Internal::ForType::Serial;
  std::optional<int64_t> constant_extent;  // as Halide knows it
  TripCount trips;
  int parent = -1;       // the loop that it is in, -1: none
  int position = 0;      // in the program, among all three kinds of things
  bool guarded = false;  // an `if` stands between it and its parent
};

struct HalideAllocation {
  std::string func;
  int component = 0;  // of a tuple
  Halide::MemoryType memory = Halide::MemoryType::Auto;
  Halide::Type type;
  // Innermost first in memory, as padded and folded.
  std::vector<TripCount> extents;
  // Of each extent, where Halide knows it.
  std::vector<std::optional<int64_t>> constant_extents;
  // False for what only a device uses: on the host there is but the handle.
  bool on_host = true;
  int loop = -1;  // that it stands in, -1: none
  int position = 0;
};

// A statement that stores, of which there is one for each definition and
// component of a tuple, unless Halide finds out that it never runs or changes
// nothing. Extern stages have none.
struct HalideStore {
  std::string func;
  int component = 0;   // of a tuple
  int definition = 0;  // -1: can't be told
  int loop = -1;       // that it stands in, -1: none
  int position = 0;
  bool guarded = false;  // an `if` stands between it and that loop
  // Of it after unrolling: as many as the unrolled loops around it have
  // iterations, without those of which Halide finds out that they never run.
  int copies = 0;
  // The lengths of vectors that it stores after vectorization, in ascending
  // order, 1 for scalars. Several where there is a version for ends.
  std::vector<int> lanes;
};

// The region of an input or an output that is touched at most, along one
// dimension, as Halide's own checks have it that kernels are compiled without.
// Where that is more than the buffer has, what lies beside it may be read or
// written; of a fused loop whose extents vary the region may be larger than
// what is touched.
struct HalideAccess {
  std::string buffer;
  int dimension = 0;
  // None: it depends on how large some buffer is.
  std::optional<int64_t> min, max;
};

struct HalideProgram {
  // Each in program order; initializations come before updates, and a producer
  // before its consumer.
  std::vector<HalideLoop> loops;
  std::vector<HalideAllocation> allocations;
  std::vector<HalideStore> stores;
  std::vector<HalideAccess> accesses;
  // Bounds that a schedule gives, as Halide's errors call them ("v0 of f1"), of
  // which Halide finds that somewhere more is needed.
  std::vector<std::string> exceeded_bounds;

  // A line each, indented as they are nested, without the accesses. A `?` is
  // behind what is not exact.
  std::string ToString() const;
};

// `target` with the features that kernels are compiled for; the pipeline's
// inputs and outputs should have exact bounds, as a WorkloadPipeline's have, or
// little is constant. The pipeline can be lowered again, or compiled. Error:
// what Halide refuses; more than CountTrips interprets.
absl::StatusOr<HalideProgram> LowerWithHalide(const Halide::Pipeline& scheduled,
                                              const Halide::Target& target);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_HALIDE_LOOPS_H_
