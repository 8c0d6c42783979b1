#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/rules.h"

namespace pruner {
namespace {

// Leaves the loops of the stage as they are, and perhaps open where it is
// computed.
class Skip : public SketchRule {
 public:
  explicit Skip(bool leaves_location_open)
      : leaves_location_open_(leaves_location_open) {}

  absl::string_view Name() const override { return "skip"; }

  RuleMatch Match(const SketchContext&, const Derivation&) const override {
    return RuleMatch::kApply;
  }

  absl::StatusOr<std::vector<Derivation>> Apply(
      const SketchContext&, const Derivation& from) const override {
    Derivation next = from;
    if (leaves_location_open_) LeaveLocationOpen(from.stage, next);
    --next.stage;
    return std::vector<Derivation>{next};
  }

 private:
  const bool leaves_location_open_;
};

}  // namespace

const SketchRule& SkipRule() {
  static const Skip kRule(/*leaves_location_open=*/true);
  return kRule;
}

const SketchRule& SkipInThreadsRule() {
  static const Skip kRule(/*leaves_location_open=*/false);
  return kRule;
}

}  // namespace pruner
