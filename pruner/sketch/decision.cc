#include "pruner/sketch/decision.h"

#include <cstddef>
#include <limits>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace pruner {
namespace {

// By enumerator.
constexpr const char* kNames[kNumDecisionKinds] = {
    "tile",     "vector", "threads",       "factor", "location",
    "parallel", "unroll", "storage_order", "stream", "knob"};

constexpr size_t kMaxOrderedDimensions = 7;

template <typename... Parts>
absl::Status Refuse(const Decision& decision, const Parts&... parts) {
  return absl::FailedPreconditionError(
      absl::StrCat("decision '", DecisionKindName(decision.kind), "' of stage ",
                   decision.stage, " ", parts...));
}

bool NeedsLengths(DecisionKind kind) {
  return kind == DecisionKind::kTile || kind == DecisionKind::kVector ||
         kind == DecisionKind::kThreads || kind == DecisionKind::kFactor;
}

bool NeedsChoices(DecisionKind kind) {
  return kind == DecisionKind::kUnroll || kind == DecisionKind::kStorageOrder ||
         kind == DecisionKind::kStream || kind == DecisionKind::kKnob;
}

absl::Status CheckLengths(const Decision& decision) {
  const LengthsDomain& domain = decision.lengths();
  if (domain.extent < 1 ||
      domain.extent > std::numeric_limits<int32_t>::max()) {
    return Refuse(decision, "has no values: it cuts a loop of ", domain.extent,
                  " iterations");
  }
  if (decision.count < 1 ||
      decision.count != static_cast<int>(domain.bindings.size())) {
    return Refuse(decision, "has ", decision.count, " values for ",
                  domain.bindings.size(), " lengths");
  }
  if (domain.max_innermost < 0)
    return Refuse(decision, "has no values: lengths up to ",
                  domain.max_innermost);
  return absl::OkStatus();
}

absl::Status CheckChoices(const Decision& decision) {
  const auto& choices = std::get<ChoiceDomain>(decision.domain).choices;
  if (choices.empty()) return Refuse(decision, "has no values");
  for (const int64_t choice : choices) {
    if (choice < 0 || choice > std::numeric_limits<int32_t>::max())
      return Refuse(decision, "has the value ", choice, ", which is no int32");
  }
  return absl::OkStatus();
}

}  // namespace

absl::string_view DecisionKindName(DecisionKind kind) {
  return kNames[static_cast<int>(kind)];
}

std::optional<DecisionKind> ParseDecisionKind(absl::string_view name) {
  for (int i = 0; i < kNumDecisionKinds; ++i) {
    if (name == kNames[i]) return static_cast<DecisionKind>(i);
  }
  return std::nullopt;
}

std::string DecisionText(const Decision& decision) {
  std::string text =
      absl::StrCat(DecisionKindName(decision.kind), " stage=", decision.stage,
                   " step=", decision.step, " axis=", decision.axis,
                   " values=", decision.first, "+", decision.count);
  if (decision.HasLengths()) {
    const LengthsDomain& domain = decision.lengths();
    absl::StrAppend(
        &text, " extent=", domain.extent,
        domain.axis_kind == AxisKind::kReduction ? " reduction" : "",
        domain.is_vector_axis ? " vectors" : "",
        domain.is_at_root ? " at_root" : "",
        domain.may_overlap ? " overlap" : "");
  } else if (const auto* list = std::get_if<ChoiceDomain>(&decision.domain)) {
    absl::StrAppend(&text, " choices=", absl::StrJoin(list->choices, ","));
  }
  return text;
}

absl::Status CheckDomain(const Decision& decision) {
  if (NeedsLengths(decision.kind)) {
    if (!decision.HasLengths())
      return Refuse(decision, "has no domain of lengths");
    return CheckLengths(decision);
  }
  if (decision.count != 1) return Refuse(decision, "has more than one value");
  if (!NeedsChoices(decision.kind)) return absl::OkStatus();
  if (!std::holds_alternative<ChoiceDomain>(decision.domain))
    return Refuse(decision, "has no list of choices");
  return CheckChoices(decision);
}

int64_t PackOrder(const std::vector<int64_t>& order) {
  CHECK_LE(order.size(), kMaxOrderedDimensions);
  int64_t packed = 0;
  for (const int64_t dimension : order) packed = packed << 4 | dimension;
  return packed;
}

std::vector<int64_t> UnpackOrder(int64_t packed, size_t rank) {
  std::vector<int64_t> order(rank);
  for (size_t i = rank; i-- > 0; packed >>= 4) order[i] = packed & 15;
  return order;
}

}  // namespace pruner
