#include "pruner/sketch/sketch_generator.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "pruner/base/rng.h"
#include "pruner/base/status_macros.h"
#include "pruner/sketch/sketch_source.h"

namespace pruner {

absl::StatusOr<std::vector<Sketch>> GenerateSketches(
    const SketchContext& context, absl::Span<const SketchRule* const> rules) {
  const SketchSource source(context, rules);
  ASSIGN_OR_RETURN(std::optional<std::vector<Sketch>> all,
                   source.All(kMaxListedSketches));
  if (all) return *std::move(all);
  std::vector<Sketch> drawn;
  std::set<std::string> known;
  Rng rng(/*seed=*/1);
  for (size_t i = 0; i < 2 * kMaxListedSketches; ++i) {
    ASSIGN_OR_RETURN(Sketch sketch, source.Draw(rng));
    if (known.insert(sketch.derivation).second)
      drawn.push_back(std::move(sketch));
    if (drawn.size() == kMaxListedSketches) break;
  }
  return drawn;
}

}  // namespace pruner
