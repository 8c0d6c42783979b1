// The result of a tuning run for programs (summary.json) and for people (a
// table).
#ifndef MODELS_JOB_SUMMARY_H_
#define MODELS_JOB_SUMMARY_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/job/summary.pb.h"

namespace pruner {

inline constexpr char kSummaryFile[] = "summary.json";

// Of a network, by its name, that was tuned as one of so many.
std::string SummaryFile(const std::string& network, size_t networks);

std::string SummaryToJson(const proto::Summary& summary);
absl::StatusOr<proto::Summary> SummaryFromJson(absl::string_view json);

// A row per task, slowest share of the network first, then the whole network.
std::string SummaryToText(const proto::Summary& summary);

}  // namespace pruner

#endif  // MODELS_JOB_SUMMARY_H_
