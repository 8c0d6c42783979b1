// Values of network_messages.proto as ours.
#ifndef PRUNER_PACM_NETWORK_MESSAGES_H_
#define PRUNER_PACM_NETWORK_MESSAGES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_messages.pb.h"
#include "pruner/pacm/network_model.h"

namespace pruner {

proto::OpenNetwork ToProto(const NetworkModelOptions& options);
// Error: names that there are not.
absl::StatusOr<NetworkModelOptions> FromProto(const proto::OpenNetwork& open);

proto::RankedRows ToProto(const FeatureRows& programs,
                          absl::Span<const ProgramLabel> labels = {});
// Errors: numbers that do not make programs.
absl::StatusOr<FeatureRows> RowsFromProto(const proto::RankedRows& rows);
std::vector<ProgramLabel> LabelsFromProto(const proto::RankedRows& rows);

}  // namespace pruner

#endif  // PRUNER_PACM_NETWORK_MESSAGES_H_
