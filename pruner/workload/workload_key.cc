#include "pruner/workload/workload_key.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/hash.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/workload/canonical_form.h"

namespace pruner {
namespace {

constexpr size_t kDigits = 16;

}  // namespace

std::string ToString(WorkloadKey key) {
  return absl::StrCat(absl::Hex(key.value, absl::kZeroPad16));
}

absl::StatusOr<WorkloadKey> ParseWorkloadKey(absl::string_view text) {
  WorkloadKey key;
  if (text.size() != kDigits || !absl::SimpleHexAtoi(text, &key.value)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the key of a workload is 16 hexadecimal digits, not '", text, "'"));
  }
  return key;
}

WorkloadKey KeyOf(const ComputeDag& dag) {
  return {Fingerprint(CanonicalForm(dag))};
}

}  // namespace pruner
