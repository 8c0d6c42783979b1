#include "pruner/tune/run_log.h"

#include <algorithm>

#include "absl/status/status.h"
#include "pruner/base/status_macros.h"
#include "pruner/record/measure_record.h"
#include "pruner/workload/workload.h"

namespace pruner {

void RunLog::AddEarlier(const MeasureRecord& record) {
  next_trial_ = std::max(next_trial_, record.trial + 1);
}

absl::Status RunLog::Append(const Workload& workload, MeasureRecord& record) {
  record.trial = next_trial_;
  if (log_ != nullptr) {
    if (!run_) {
      ASSIGN_OR_RETURN(run_, log_->BeginRun(info_, target_));
    }
    record.run = *run_;
    RETURN_IF_ERROR(log_->AddWorkload(workload));
    RETURN_IF_ERROR(log_->Append(record));
  }
  ++next_trial_;
  return absl::OkStatus();
}

}  // namespace pruner
