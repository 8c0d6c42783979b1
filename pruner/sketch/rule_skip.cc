#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Leaves the stage as it is.
class Skip : public SketchRule {
 public:
  absl::string_view Name() const override { return "skip"; }

  RuleMatch Match(const SketchContext&, const Derivation&) const override {
    return RuleMatch::kApply;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    --next.stage;
    return std::vector<Derivation>{next};
  }
};

}  // namespace

const SketchRule& SkipRule() {
  static const Skip kRule;
  return kRule;
}

}  // namespace pruner
