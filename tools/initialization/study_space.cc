#include "tools/initialization/study_space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/cycles.h"
#include "pruner/vta/knobs.h"
#include "pruner/vta/validity.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"

namespace pruner {

StudySpace::StudySpace(const VtaWorkload& workload, const VtaSpec& spec)
    : workload_(workload), spec_(spec), knobs_(VtaKnobs(workload, spec)) {
  throughputs_.reserve(static_cast<size_t>(knobs_.size()));
  for (int64_t i = 0; i < knobs_.size(); ++i) {
    const VtaTiling tiling = VtaTilingAt(knobs_, knobs_.PointAt(i));
    const bool valid = !WhyInvalid(workload, spec, tiling);
    throughputs_.push_back(valid ? pruner::ThroughputOf(workload, spec, tiling)
                                 : 0);
    if (valid) ++num_valid_;
  }
  best_ = *std::max_element(throughputs_.begin(), throughputs_.end());
}

int64_t StudySpace::IndexOf(const Candidate& candidate) const {
  const KnobPoint point(candidate.values.begin(), candidate.values.end());
  return knobs_.IndexOf(point);
}

std::vector<float> StudySpace::ContextOf(int64_t index) const {
  const VtaTiling tiling = VtaTilingAt(knobs_, knobs_.PointAt(index));
  std::vector<float> row;
  for (const int64_t value :
       {tiling.h_threads, tiling.oc_threads, tiling.loop_order, tiling.b,
        tiling.h, tiling.w, tiling.ci, tiling.co, workload_.batch,
        workload_.OutHeight(), workload_.OutWidth(), workload_.in_channels,
        workload_.out_channels, workload_.kernel_height, workload_.kernel_width,
        workload_.stride}) {
    row.push_back(static_cast<float>(value));
  }
  return row;
}

absl::StatusOr<std::vector<bool>> StudyOracle::AreValid(
    absl::Span<const Candidate> candidates) {
  std::vector<bool> valid;
  valid.reserve(candidates.size());
  for (const Candidate& candidate : candidates)
    valid.push_back(space_.ThroughputOf(candidate) > 0);
  return valid;
}

}  // namespace pruner
