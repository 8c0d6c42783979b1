// What a statement moves between the levels of a CPU's memory, and what it
// keeps in registers.
#ifndef PRUNER_FEATURES_LOCALITY_H_
#define PRUNER_FEATURES_LOCALITY_H_

#include <array>

#include "pruner/features/footprints.h"
#include "pruner/program/program.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The levels below registers, nearest first: L1, a core's L2, the cache that
// all share. What a level fetches comes from the next one.
inline constexpr int kCacheLevels = 3;

struct Locality {
  // Bytes fetched into each level while the program runs, in whole lines: in
  // the largest loop whose data fit each is fetched once, and anew whenever
  // that loop is entered.
  std::array<double, kCacheLevels> fetched_bytes = {};
  // Of them, of buffers that are inputs or outputs of the task.
  std::array<double, kCacheLevels> external_bytes = {};
  // The loop's data, of all statements in it, in bytes.
  std::array<double, kCacheLevels> resident_bytes = {};
  // The shortest stretch, in bytes, in which one access reads memory in that
  // loop.
  std::array<double, kCacheLevels> shortest_run = {};
  // Iterations of parallel loops (blocks of a grid) around, and the share of
  // cores that are busy on the average.
  double parallel_iterations = 1;
  double busy_share = 1;
  // In the innermost loops that are unrolled or vectors: vectors that
  // accumulate, vectors and single elements that are loaded, and operations
  // (vectors of them) in one pass.
  double accumulators = 0;
  double vector_loads = 0;
  double element_loads = 0;
  double gathers = 0;  // loads whose lanes do not lie side by side
  double vector_ops = 0;
  double vector_lanes = 1;
  // Share of what is executed that is kept from computing by guards: an
  // estimate, of how much of the largest extent the loops of the body cover
  // beyond the stage's size.
  double overrun = 0;
};

Locality LocalityOf(const Program& program, const Footprints& footprints,
                    int statement, const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_FEATURES_LOCALITY_H_
