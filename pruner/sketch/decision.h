// What a sketch leaves open, as data: decisions, each with the values it may
// have. The rule that leaves something open says so here, and nothing is read
// back out of steps. A candidate (candidate.h) has a value for each.
#ifndef PRUNER_SKETCH_DECISION_H_
#define PRUNER_SKETCH_DECISION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// The kinds say what values mean.
enum class DecisionKind {
  // Lengths of a SplitStep, outermost first; what is left is the outermost
  // loop's.
  kTile,     // the levels of a tile
  kVector,   // vectors of a thread: a power of two that divides a row
  kThreads,  // threads of a block, which share out a stage's vectors
  // The factor of an RfactorStep.
  kFactor,
  // Where a stage is computed: a Location (candidate.h).
  kLocation,
  // How many of a stage's outermost loops are the parallel one, if it is
  // computed at the root; kAutomatic: until there are enough iterations.
  kParallel,
  // The max_step of an AutoUnrollStep.
  kUnroll,
  // The order of a StorageOrderStep: see PackOrder.
  kStorageOrder,
  // The max_bytes of a StreamStep.
  kStream,
  // The position of a value among those of a knob: of a space without a DAG.
  kKnob,
};
inline constexpr int kNumDecisionKinds = 10;

// The number of outermost loops that stands for "as many as suffice".
inline constexpr int32_t kAutomatic = 0;

// Positive lengths whose product is at most `extent`, and divides it unless
// tiles may overlap.
struct LengthsDomain {
  int64_t extent = 0;
  AxisKind axis_kind = AxisKind::kSpatial;
  // The loops are along the stage's vectors: the innermost is made of them.
  bool is_vector_axis = false;
  // The tiles are the stage's if it is computed at the root; elsewhere the
  // length is the extent. What a tile holds is to stay in a cache and not in
  // registers: it may have any length, the extent (no tiles) not the least.
  bool is_at_root = false;
  // Tiles need not divide the extent: the last one is moved inwards.
  bool may_overlap = false;
  // What the loop of each length is bound to, outermost first; their number is
  // that of the lengths.
  std::vector<Binding> bindings = {};
  int64_t max_innermost = 0;  // 0: no limit

  bool operator==(const LengthsDomain&) const = default;
};

// One of a list, in an order in which neighbours are alike.
struct ChoiceDomain {
  std::vector<int64_t> choices = {};

  bool operator==(const ChoiceDomain&) const = default;
};

// The values depend on what else was decided, and are computed when asked for.
struct DependentDomain {
  bool operator==(const DependentDomain&) const = default;
};

using Domain = std::variant<DependentDomain, LengthsDomain, ChoiceDomain>;

struct Decision {
  DecisionKind kind = DecisionKind::kTile;
  int stage = 0;  // by its number in the end
  // Of the sketch, whose hole the values fill; -1: steps that say it are
  // appended.
  int step = -1;
  int axis = -1;  // of the stage, that is cut; -1 where there is none
  // The values are candidate.values[first, first + count).
  int first = 0;
  int count = 1;
  Domain domain = {};

  // Of a kind with lengths only.
  const LengthsDomain& lengths() const {
    return std::get<LengthsDomain>(domain);
  }
  bool HasLengths() const {
    return std::holds_alternative<LengthsDomain>(domain);
  }

  bool operator==(const Decision&) const = default;
};

absl::string_view DecisionKindName(DecisionKind kind);
std::optional<DecisionKind> ParseDecisionKind(absl::string_view name);

// For people: "tile stage=4 step=0 axis=1 values=0+3 extent=56 …".
std::string DecisionText(const Decision& decision);

// OK if the decision has at least one value and its kind the domain it needs.
absl::Status CheckDomain(const Decision& decision);

// An order of up to seven dimensions in one value, four bits for each, the
// slowest varying first.
int64_t PackOrder(const std::vector<int64_t>& order);
std::vector<int64_t> UnpackOrder(int64_t packed, size_t rank);

}  // namespace pruner

#endif  // PRUNER_SKETCH_DECISION_H_
