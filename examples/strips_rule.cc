#include "examples/strips_rule.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "pruner/base/status_macros.h"
#include "pruner/sketch/user_rules.h"

namespace pruner {
namespace {

// Whether the stage can be cut up freely: a loop over each dimension, and
// nothing else.
bool IsPlain(const Stage& stage) {
  return stage.kind == StageKind::kCompute && !stage.opaque &&
         !stage.HasReduction() && stage.SpatialRank() >= 2;
}

int CountReads(const Stage& reader, int producer) {
  int reads = 0;
  for (const Access& access : reader.reads) reads += access.stage == producer;
  return reads;
}

// The loops of the output after both of its inner axes are split, outermost
// first: what was outside of them, then rows and columns of tiles, then the
// rows and columns of one tile.
std::vector<int64_t> TiledOrder(int rank) {
  std::vector<int64_t> order;
  for (int64_t outer = 0; outer < rank - 2; ++outer) order.push_back(outer);
  const int64_t rows = rank - 2;
  for (const int64_t offset : {0, 2, 1, 3}) order.push_back(rows + offset);
  return order;
}

}  // namespace

RuleMatch StripsRule::Match(const SketchContext& context,
                            const Derivation& from) const {
  // Blocks and threads would be another story.
  if (context.target.HasThreads()) return RuleMatch::kNo;
  const ComputeDag& dag = from.dag();
  const int producer = from.stage - 1;
  if (producer < 0) return RuleMatch::kNo;
  const Stage& output = dag.stage(from.stage);
  const bool is_stencil =
      output.is_output && IsPlain(output) && IsPlain(dag.stage(producer)) &&
      dag.consumers(producer).size() == 1 && CountReads(output, producer) > 1;
  // The built-in rules may have a better idea: the search finds out.
  return is_stencil ? RuleMatch::kApply : RuleMatch::kNo;
}

absl::StatusOr<std::vector<Derivation>> StripsRule::Apply(
    const SketchContext& context, const Derivation& from) const {
  const int output = from.stage;
  const int producer = output - 1;
  const int rank = from.dag().stage(output).SpatialRank();
  const int rows = rank - 2;

  Derivation tiled = from;
  // How large the tiles are is left open: two decisions, of which the search
  // draws values. Vectors are along the columns. The split of the rows puts
  // these one loop further in.
  RETURN_IF_ERROR(AppendTile(
      context, {.stage = output, .iterator = rows, .lengths = {0}}, {}, tiled));
  RETURN_IF_ERROR(AppendTile(
      context, {.stage = output, .iterator = rows + 2, .lengths = {0}},
      {.is_vector_axis = true}, tiled));
  RETURN_IF_ERROR(
      Append(ReorderStep{.stage = output, .order = TiledOrder(rank)}, tiled));

  std::vector<Derivation> derived;
  for (const int loop : {rows, rows + 1}) {  // a strip of tiles, one tile
    Derivation next = tiled;
    RETURN_IF_ERROR(Append(
        ComputeAtStep{
            .stage = producer, .target_stage = output, .target_iterator = loop},
        next));
    next.stage = producer - 1;  // both are decided
    derived.push_back(std::move(next));
  }
  return derived;
}

}  // namespace pruner
