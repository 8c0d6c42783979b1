// The result of a tuning run for programs (summary.json) and for people (a
// table).
#ifndef MODELS_JOB_SUMMARY_H_
#define MODELS_JOB_SUMMARY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/job/summary.pb.h"

namespace pruner {

std::string SummaryToJson(const proto::Summary& summary);
absl::StatusOr<proto::Summary> SummaryFromJson(absl::string_view json);

// A row per task, slowest share of the network first, then the whole network.
std::string SummaryToText(const proto::Summary& summary);

}  // namespace pruner

#endif  // MODELS_JOB_SUMMARY_H_
