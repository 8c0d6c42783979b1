// Inside which loops stages are computed, and how much of a stage is needed
// there (docs/algorithms.md A1, bound inference). Agrees with Halide's bounds
// inference for affine reads; a test holds the two against each other.
#ifndef PRUNER_SCHEDULE_REGIONS_H_
#define PRUNER_SCHEDULE_REGIONS_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/container/node_hash_map.h"
#include "pruner/schedule/linear_form.h"
#include "pruner/schedule/loop_state.h"

namespace pruner {

// What is needed of a stage inside a loop, by axis. It begins at `begins`, from
// something on that is a multiple of `alignments` (0: it is 0); so tiles do as
// far as anyone can tell who does not know how tails are computed (LoopValues
// does).
struct Region {
  absl::InlinedVector<int64_t, 6> begins, alignments;
  std::vector<int64_t> extents;
  // That something is a sum of multiples of where the loop is, and of fractions
  // where something divides it: what it is divided by then divides it.
  absl::InlinedVector<char, 8> is_exact;
};

// How a stage slides over a loop: along one dimension, of which iterations have
// computed `known` elements before, and `added` are new in each.
struct Slide {
  int dimension = -1;  // -1: it cannot
  int64_t known = 0, added = 0;
};

// Everything is found once and kept. What is said about a stage follows from
// the stages behind it: by then these must have their loops, with inferred
// bounds, and be where they are computed, and must stay so.
class Regions {
 public:
  // `state` must outlive it.
  explicit Regions(const LoopState& state);

  // Whether everything that reads `producer` is computed inside loop `iterator`
  // of `at`. The initialization of `at` itself is not.
  bool ReadersAreInside(int producer, int at, int iterator);

  // Stages whose loops may hold everything that reads `producer`, outermost
  // first, each computed in the one before.
  std::vector<int> Hosts(int producer);

  // The extents of the region of `producer` that iterations of loop `iterator`
  // of `at` read, seen from everything computed inside that loop; per axis, of
  // which those of a reduction are whole. Requires that all of its readers are
  // inside.
  const std::vector<int64_t>& Required(int producer, int at, int iterator);

  // Of a stage whose readers are inside of the loop.
  Slide SlideOf(int producer, int at, int iterator);

 private:
  // The outermost loops of a stage, so many of them.
  struct Nest {
    int stage = -1;  // none: what is outside of all loops
    int loops = 0;
  };

  // The innermost that holds everything that reads the stage.
  const Nest& AroundReaders(int stage);
  Nest AroundBoth(Nest a, Nest b) const;
  // Of how many stages a stage's loops are inside.
  int DepthOf(int stage) const;
  const Region& RegionOf(int producer, int at, int iterator);
  // The same, as if the stage did not slide.
  const Region& WholeRegionOf(int producer, int at, int iterator);
  Region Find(int producer, int at, int iterator);
  // Where the region begins, up to a constant, by where the loop is.
  LinearForm FormOfBegin(int stage, int axis, int at, int iterator);
  // What one iteration of the loop covers of the axes of `at`.
  Region CoveredInside(int at, int iterator);

  const LoopState& state_;
  std::vector<Nest> around_readers_;  // by stage, of those from next_ on
  int next_;
  // By stage, and the loop in which it is needed; of the loop's own stage what
  // an iteration covers.
  absl::node_hash_map<std::tuple<int, int, int>, Region> found_;
  // By stage that slides, in the loop over which it does.
  absl::node_hash_map<int, Region> new_;
  // Those that were asked for: by stage, axis and the loop.
  absl::node_hash_map<std::tuple<int, int, int, int>, LinearForm> forms_;
};

// The extents of the region of `producer` that `reader` reads while it covers
// `covered` of its axes, per dimension.
std::vector<int64_t> ReadExtents(const ComputeDag& dag, int producer,
                                 int reader,
                                 const std::vector<int64_t>& covered);

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_REGIONS_H_
