// What the frames of a record log say; for this package.
#ifndef PRUNER_RECORD_LOG_DECODER_H_
#define PRUNER_RECORD_LOG_DECODER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/record_file.h"
#include "pruner/record/log_contents.h"

namespace pruner {

struct DecodedLog {
  LogContents contents;
  bool has_format = false;  // there is an entry that tells the format
  // Not OK if a workload or a target does not match its key: then keys mean
  // something else to this version, and it must not add to the log.
  absl::Status keys = absl::OkStatus();
};

// FailedPrecondition: a newer format; frames, none of which a log has.
absl::StatusOr<DecodedLog> DecodeLog(absl::string_view path,
                                     const RecordFileContents& file);

}  // namespace pruner

#endif  // PRUNER_RECORD_LOG_DECODER_H_
