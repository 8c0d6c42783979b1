// What makes a proto::TargetSpec a valid target: nothing missing, every number
// within its range, fields that agree with each other.

#ifndef PRUNER_TARGET_TARGET_SPEC_VALIDATOR_H_
#define PRUNER_TARGET_TARGET_SPEC_VALIDATOR_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "pruner/target/target.pb.h"

namespace pruner {

// INVALID_ARGUMENT names `source`, the first offending field by its path
// ("units.cores"), its value and what it should be.
absl::Status ValidateTargetSpecProto(const proto::TargetSpec& proto,
                                     absl::string_view source);

}  // namespace pruner

#endif  // PRUNER_TARGET_TARGET_SPEC_VALIDATOR_H_
