// A derivation rule for stencils, as a user of the library would write one.
#ifndef EXAMPLES_STRIPS_RULE_H_
#define EXAMPLES_STRIPS_RULE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/sketch/sketch_rule.h"

namespace pruner {

// Two stencils in a row, such as the two halves of a separable blur: the output
// is cut into tiles, and what it reads is computed for each tile, or for each
// strip of tiles, while that is in the cache. (The built-in rules would compute
// the first stencil anew for each of the second's reads, or all of it before
// the second begins.)
class StripsRule : public SketchRule {
 public:
  absl::string_view Name() const override { return "strips"; }
  RuleMatch Match(const SketchContext& context,
                  const Derivation& from) const override;
  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext& context, const Derivation& from) const override;
};

}  // namespace pruner

#endif  // EXAMPLES_STRIPS_RULE_H_
