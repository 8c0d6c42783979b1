#include "models/onnx/einsum_equation.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr absl::string_view kEllipsis = "...";

// The letters of a term, and how many are before its "...", if it has one.
struct Term {
  std::string letters;
  bool has_ellipsis = false;
  size_t before = 0;
};

absl::StatusOr<Term> ParseTerm(absl::string_view text) {
  Term term;
  for (absl::string_view rest = text; !rest.empty();) {
    if (absl::ConsumePrefix(&rest, kEllipsis)) {
      if (term.has_ellipsis) {
        return absl::InvalidArgumentError(
            absl::StrCat("\"", text, "\" has two \"...\""));
      }
      term.has_ellipsis = true;
      term.before = term.letters.size();
      continue;
    }
    if (!absl::ascii_isalpha(static_cast<unsigned char>(rest[0]))) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", text, "\" has something that is no letter"));
    }
    term.letters += rest[0];
    rest.remove_prefix(1);
  }
  return term;
}

// With labels for `dims` dimensions where the "..." is.
EinsumLabels LabelsOf(const Term& term, int64_t dims) {
  EinsumLabels labels(term.letters.begin(), term.letters.end());
  for (int64_t i = 1; i <= dims; ++i) {
    labels.insert(labels.begin() + static_cast<std::ptrdiff_t>(term.before),
                  static_cast<int>(-i));
  }
  return labels;
}

absl::StatusOr<EinsumLabels> InputLabels(absl::string_view text, int64_t rank) {
  ASSIGN_OR_RETURN(const Term term, ParseTerm(text));
  const int64_t rest = rank - static_cast<int64_t>(term.letters.size());
  if (rest < 0 || (rest > 0 && !term.has_ellipsis)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", text, "\" is said of an input of ", rank, " dimensions"));
  }
  return LabelsOf(term, rest);
}

// What is there once, behind what "..." stands for.
EinsumLabels ImpliedOutput(const std::map<int, int>& counts) {
  EinsumLabels output;
  for (const auto& [label, count] : counts)
    if (label < 0 || count == 1) output.push_back(label);
  return output;
}

absl::StatusOr<EinsumLabels> OutputLabels(absl::string_view text,
                                          const std::map<int, int>& counts) {
  ASSIGN_OR_RETURN(const Term term, ParseTerm(text));
  const int64_t dims = std::max(0, counts.empty() ? 0 : -counts.begin()->first);
  EinsumLabels labels = LabelsOf(term, term.has_ellipsis ? dims : 0);
  std::set<int> seen;
  for (const int label : labels) {
    if (!counts.contains(label) || !seen.insert(label).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("the output \"", text, "\" has '",
                       std::string(1, static_cast<char>(label)), "' ",
                       counts.contains(label) ? "twice" : "of no input"));
    }
  }
  return labels;
}

}  // namespace

absl::StatusOr<EinsumEquation> ParseEinsum(absl::string_view equation,
                                           absl::Span<const int64_t> ranks) {
  const std::string text = absl::StrReplaceAll(equation, {{" ", ""}});
  const std::vector<std::string> sides = absl::StrSplit(text, "->");
  const std::vector<std::string> terms = absl::StrSplit(sides[0], ',');
  if (sides.size() > 2 || terms.size() != ranks.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", equation, "\" is no equation of ", ranks.size(), " inputs"));
  }
  EinsumEquation parsed;
  std::map<int, int> counts;
  for (size_t i = 0; i < terms.size(); ++i) {
    ASSIGN_OR_RETURN(parsed.inputs.emplace_back(),
                     InputLabels(terms[i], ranks[i]));
    for (const int label : parsed.inputs.back()) ++counts[label];
  }
  if (sides.size() == 1) {
    parsed.output = ImpliedOutput(counts);
  } else {
    ASSIGN_OR_RETURN(parsed.output, OutputLabels(sides[1], counts));
  }
  return parsed;
}

}  // namespace pruner
