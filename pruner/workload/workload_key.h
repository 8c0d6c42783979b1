// The name by which logs, tasks and workers know a computation.
#ifndef PRUNER_WORKLOAD_WORKLOAD_KEY_H_
#define PRUNER_WORKLOAD_WORKLOAD_KEY_H_

#include <compare>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

struct WorkloadKey {
  uint64_t value = 0;

  auto operator<=>(const WorkloadKey&) const = default;
};

// 16 hexadecimal digits.
std::string ToString(WorkloadKey key);
// InvalidArgument if it is not of that form.
absl::StatusOr<WorkloadKey> ParseWorkloadKey(absl::string_view text);

// Equal for DAGs that differ only in names, whatever network they are of. The
// same on every machine, for it is written into record logs.
WorkloadKey KeyOf(const ComputeDag& dag);

}  // namespace pruner

#endif  // PRUNER_WORKLOAD_WORKLOAD_KEY_H_
