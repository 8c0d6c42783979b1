#include "tools/bench/operator_selection.h"

#include <algorithm>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "pruner/base/status_macros.h"

ABSL_FLAG(std::string, op, "",
          "operators, separated by commas: C1D, C2D, C3D, GMM, GMT, GRP, DIL, "
          "DEP, T2D, CAP, NRM, ConvLayer, TBS; all if empty");
ABSL_FLAG(std::string, shapes, "",
          "which of an operator's shapes, from 1 to 4, separated by commas; "
          "all if empty");
ABSL_FLAG(std::string, batch, "", "1 or 16; both if empty");

namespace pruner {
namespace {

// The values of a flag that lists some of `all`; all of them if it is empty.
absl::StatusOr<std::vector<std::string>> ListOf(
    const std::string& flag, const std::string& text,
    const std::vector<std::string>& all) {
  if (text.empty()) return all;
  std::vector<std::string> listed = absl::StrSplit(text, ',');
  for (const std::string& value : listed) {
    if (std::find(all.begin(), all.end(), value) == all.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, "=", text, ": '", value, "' is not one of ",
                       absl::StrJoin(all, ", ")));
    }
  }
  return listed;
}

}  // namespace

absl::StatusOr<std::vector<OperatorCase>> SelectedCases(int lanes) {
  std::vector<OperatorCase> cases = OperatorSuite(SuiteSizes::kFull, lanes);
  std::vector<std::string> all_ops;
  for (const OperatorCase& c : cases) {
    if (all_ops.empty() || all_ops.back() != c.op) all_ops.push_back(c.op);
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> ops,
                   ListOf("op", absl::GetFlag(FLAGS_op), all_ops));
  ASSIGN_OR_RETURN(
      const std::vector<std::string> shapes,
      ListOf("shapes", absl::GetFlag(FLAGS_shapes), {"1", "2", "3", "4"}));
  ASSIGN_OR_RETURN(const std::vector<std::string> batches,
                   ListOf("batch", absl::GetFlag(FLAGS_batch), {"1", "16"}));
  const auto contains = [](const std::vector<std::string>& list,
                           const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  std::erase_if(cases, [&](const OperatorCase& c) {
    return !contains(ops, c.op) || !contains(shapes, absl::StrCat(c.shape)) ||
           !contains(batches, absl::StrCat(c.batch));
  });
  return cases;
}

}  // namespace pruner
