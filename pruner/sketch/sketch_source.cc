#include "pruner/sketch/sketch_source.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/check_derivation.h"
#include "pruner/sketch/derivation_steps.h"
#include "pruner/sketch/finish_derivation.h"

namespace pruner {
namespace {

// An input that is left as it is though a rule might have decided it.
constexpr char kLeft[] = "-";

std::string NameOf(const Derivation& derivation) {
  return derivation.dag().stage(derivation.stage).name;
}

// What a walk chose, by the name of the stage and how many times it was decided
// before.
class Choices {
 public:
  void Add(const std::string& stage, const std::string& token) {
    tokens_[stage].push_back(token);
  }
  // The next one at the stage; none if there was none.
  std::optional<std::string> Next(const std::string& stage) {
    const auto found = tokens_.find(stage);
    if (found == tokens_.end() || found->second.empty()) return std::nullopt;
    std::string token = found->second.front();
    found->second.pop_front();
    return token;
  }

 private:
  std::map<std::string, std::deque<std::string>> tokens_;
};

}  // namespace

SketchSource::SketchSource(const SketchContext& context,
                           absl::Span<const SketchRule* const> rules)
    : context_(context),
      rules_(rules.empty() ? BuiltInRules(context.target) : rules) {}

Derivation SketchSource::Start() const {
  return {.state = NaiveState(context_.dag), .stage = context_.dag.size() - 1};
}

// Of opaque stages nobody decides but where they are computed.
bool SketchSource::SkipUndecidable(Derivation& derivation) const {
  int& stage = derivation.stage;
  for (; stage >= 0 && derivation.dag().stage(stage).opaque; --stage) {
    if (!context_.target.HasThreads()) LeaveLocationOpen(stage, derivation);
  }
  return stage >= 0;
}

absl::StatusOr<std::vector<Derivation>> SketchSource::Apply(
    const SketchRule& rule, const Derivation& from) const {
  absl::StatusOr<std::vector<Derivation>> derived = rule.Apply(context_, from);
  absl::Status status = derived.status();
  if (status.ok() && !IsBuiltIn(rule)) {
    for (const Derivation& next : *derived) {
      status = CheckDerivation(context_, from, next);
      if (!status.ok()) break;
    }
  }
  if (status.ok()) return derived;
  return absl::InternalError(absl::StrCat("rule '", rule.Name(), "' at stage '",
                                          NameOf(from),
                                          "': ", status.message()));
}

absl::StatusOr<std::vector<SketchSource::Alternative>>
SketchSource::AlternativesOf(const Derivation& from) const {
  const bool is_input =
      from.dag().stage(from.stage).kind == StageKind::kPlaceholder;
  std::vector<Alternative> alternatives;
  bool decided = false;
  for (const SketchRule* rule : rules_) {
    if (is_input && !rule->DecidesInputs()) continue;
    const RuleMatch match = rule->Match(context_, from);
    if (match == RuleMatch::kNo) continue;
    ASSIGN_OR_RETURN(std::vector<Derivation> derived, Apply(*rule, from));
    for (size_t k = 0; k < derived.size(); ++k) {
      alternatives.push_back({.token = k == 0
                                           ? std::string(rule->Name())
                                           : absl::StrCat(rule->Name(), ":", k),
                              .derivation = std::move(derived[k])});
    }
    decided = match == RuleMatch::kApplyAndSkipRest;
    if (decided) break;
  }
  // Inputs may stay as they are, and most do.
  if (is_input && !decided) {
    alternatives.push_back(
        {.token = alternatives.empty() ? "" : kLeft, .derivation = from});
    --alternatives.back().derivation.stage;
  }
  if (alternatives.empty()) {
    return absl::InternalError(absl::StrCat(
        "no rule applies to stage '", NameOf(from), "': there is no sketch"));
  }
  return alternatives;
}

void SketchSource::Take(Alternative alternative, Pending& pending) {
  pending.derivation = std::move(alternative.derivation);
  if (alternative.token.empty()) return;
  absl::StrAppend(&pending.names, pending.names.empty() ? "" : " ",
                  alternative.token);
}

absl::StatusOr<Sketch> SketchSource::Finish(Pending pending) const {
  ASSIGN_OR_RETURN(Sketch sketch,
                   FinishDerivation(context_, std::move(pending.derivation)),
                   _ << "at the end of '" << pending.names << "'");
  sketch.derivation = std::move(pending.names);
  return sketch;
}

absl::StatusOr<std::optional<std::vector<Sketch>>> SketchSource::All(
    size_t max) const {
  std::vector<Sketch> sketches;
  std::deque<Pending> queue;
  queue.push_back({.derivation = Start(), .names = ""});
  while (!queue.empty()) {
    if (sketches.size() + queue.size() > max) return std::nullopt;
    Pending pending = std::move(queue.front());
    queue.pop_front();
    if (SkipUndecidable(pending.derivation)) {
      ASSIGN_OR_RETURN(std::vector<Alternative> alternatives,
                       AlternativesOf(pending.derivation));
      for (Alternative& alternative : alternatives) {
        Pending& next = queue.emplace_back(Pending{.names = pending.names});
        Take(std::move(alternative), next);
      }
      continue;
    }
    ASSIGN_OR_RETURN(Sketch sketch, Finish(std::move(pending)));
    const bool known =
        std::any_of(sketches.begin(), sketches.end(), [&](const Sketch& other) {
          return other.schedule == sketch.schedule &&
                 other.decisions == sketch.decisions;
        });
    if (!known) sketches.push_back(std::move(sketch));
  }
  return sketches;
}

absl::StatusOr<Sketch> SketchSource::Derive(Choose choose) const {
  Pending pending = {.derivation = Start(), .names = ""};
  while (SkipUndecidable(pending.derivation)) {
    ASSIGN_OR_RETURN(std::vector<Alternative> alternatives,
                     AlternativesOf(pending.derivation));
    size_t chosen = 0;
    if (alternatives.size() > 1 || !alternatives[0].token.empty()) {
      ASSIGN_OR_RETURN(chosen, choose(pending.derivation, alternatives));
    }
    Take(std::move(alternatives[chosen]), pending);
  }
  return Finish(std::move(pending));
}

absl::StatusOr<Sketch> SketchSource::Draw(Rng& rng) const {
  return Derive([&](const Derivation&, absl::Span<const Alternative> of)
                    -> absl::StatusOr<size_t> { return rng.Index(of.size()); });
}

absl::StatusOr<Sketch> SketchSource::Find(absl::string_view derivation) const {
  const std::vector<absl::string_view> tokens =
      absl::StrSplit(derivation, ' ', absl::SkipEmpty());
  size_t next = 0;
  const auto not_found = [&] {
    return absl::NotFoundError(
        absl::StrCat("there is no sketch '", derivation, "'"));
  };
  absl::StatusOr<Sketch> sketch =
      Derive([&](const Derivation&,
                 absl::Span<const Alternative> of) -> absl::StatusOr<size_t> {
        const auto found =
            std::find_if(of.begin(), of.end(), [&](const Alternative& a) {
              return next < tokens.size() && a.token == tokens[next];
            });
        if (found == of.end()) return not_found();
        ++next;
        return found - of.begin();
      });
  if (sketch.ok() && next != tokens.size()) return not_found();
  return sketch;
}

absl::StatusOr<Sketch> SketchSource::DrawNeighbour(const Sketch& sketch,
                                                   Rng& rng) const {
  // The way to the sketch, and where there was a choice.
  Choices before;
  std::vector<absl::string_view> tokens =
      absl::StrSplit(sketch.derivation, ' ', absl::SkipEmpty());
  std::vector<size_t> choices;  // by position on the way
  size_t position = 0;
  RETURN_IF_ERROR(
      Derive([&](const Derivation& from,
                 absl::Span<const Alternative> of) -> absl::StatusOr<size_t> {
        for (size_t i = 0; i < of.size() && position < tokens.size(); ++i) {
          if (of[i].token != tokens[position]) continue;
          before.Add(NameOf(from), of[i].token);
          if (of.size() > 1) choices.push_back(position);
          ++position;
          return i;
        }
        return absl::NotFoundError(
            absl::StrCat("there is no sketch '", sketch.derivation, "'"));
      }).status());
  if (choices.empty()) return sketch;
  const size_t changed = rng.Pick(choices);
  position = 0;
  return Derive(
      [&](const Derivation& from,
          absl::Span<const Alternative> of) -> absl::StatusOr<size_t> {
        const std::optional<std::string> kept = before.Next(NameOf(from));
        const auto found = std::find_if(
            of.begin(), of.end(),
            [&](const Alternative& a) { return kept && a.token == *kept; });
        const bool is_changed = position++ == changed;
        if (found != of.end() && !is_changed) return found - of.begin();
        size_t drawn = rng.Index(of.size() - (is_changed ? 1 : 0));
        if (is_changed && drawn >= static_cast<size_t>(found - of.begin()))
          ++drawn;
        return drawn;
      });
}

}  // namespace pruner
