// A workload of the study with all that can be known of it: whether each point
// of its space runs, and how fast.
#ifndef TOOLS_INITIALIZATION_STUDY_SPACE_H_
#define TOOLS_INITIALIZATION_STUDY_SPACE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/sample/validity_oracle.h"
#include "pruner/sketch/candidate.h"
#include "pruner/vta/knobs.h"
#include "pruner/vta/vta_spec.h"
#include "pruner/vta/workloads.h"

namespace pruner {

// Thread-safe once it is made.
class StudySpace {
 public:
  // Computes every point. The workload must outlive it.
  StudySpace(const VtaWorkload& workload, const VtaSpec& spec);
  StudySpace(const StudySpace&) = delete;
  StudySpace& operator=(const StudySpace&) = delete;

  const VtaWorkload& workload() const { return workload_; }
  const KnobSpace& knobs() const { return knobs_; }
  int64_t num_valid() const { return num_valid_; }
  // Operations per second by the number of the point; 0: it cannot run.
  absl::Span<const double> throughputs() const { return throughputs_; }
  // The highest of them.
  double best() const { return best_; }

  int64_t IndexOf(const Candidate& candidate) const;
  double ThroughputOf(const Candidate& candidate) const {
    return throughputs_[static_cast<size_t>(IndexOf(candidate))];
  }

  // What compares across workloads, of each point: its tiling and the
  // workload's extents, as a row of kContextColumns.
  static constexpr int kContextColumns = 16;
  std::vector<float> ContextOf(int64_t index) const;

 private:
  const VtaWorkload& workload_;
  const VtaSpec spec_;
  const KnobSpace knobs_;
  std::vector<double> throughputs_;
  int64_t num_valid_ = 0;
  double best_ = 0;
};

// What a compiler for the accelerator would say.
class StudyOracle : public ValidityOracle {
 public:
  explicit StudyOracle(const StudySpace& space) : space_(space) {}

  absl::StatusOr<std::vector<bool>> AreValid(
      absl::Span<const Candidate> candidates) override;

 private:
  const StudySpace& space_;
};

}  // namespace pruner

#endif  // TOOLS_INITIALIZATION_STUDY_SPACE_H_
