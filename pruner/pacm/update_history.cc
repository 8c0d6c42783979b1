#include "pruner/pacm/update_history.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/io/zero_copy_stream_impl.h"
#include "google/protobuf/util/delimited_message_util.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"
#include "pruner/pacm/network_messages.h"
#include "pruner/pacm/network_messages.pb.h"

namespace pruner {
namespace {

absl::Status Error(int reason) {
  return absl::ErrnoToStatus(
      reason,
      "cannot keep what the learned model learns from in the temporary "
      "directory (TMPDIR says which)");
}

}  // namespace

absl::StatusOr<UpdateHistory> UpdateHistory::Create() {
  ASSIGN_OR_RETURN(const TempDirectory directory, TempDirectory::Create());
  FileDescriptor file(open(directory.File("updates").c_str(),
                           O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.open()) return Error(errno);
  return UpdateHistory(std::move(file));
}

absl::Status UpdateHistory::Add(const FeatureRows& programs,
                                absl::Span<const ProgramLabel> labels) {
  const off_t end = lseek(file_.get(), 0, SEEK_END);
  if (end < 0) return Error(errno);
  if (!google::protobuf::util::SerializeDelimitedToFileDescriptor(
          ToProto(programs, labels), file_.get())) {
    const absl::Status status = Error(errno);
    // What can't be cut off is read as damage, not as something else.
    (void)!ftruncate(file_.get(), end);
    return status;
  }
  empty_ = false;
  return absl::OkStatus();
}

absl::Status UpdateHistory::ForEach(Tell tell) const {
  if (lseek(file_.get(), 0, SEEK_SET) < 0) return Error(errno);
  google::protobuf::io::FileInputStream stream(file_.get());
  for (;;) {
    proto::RankedRows rows;
    bool is_end = false;
    if (!google::protobuf::util::ParseDelimitedFromZeroCopyStream(
            &rows, &stream, &is_end)) {
      if (is_end) return absl::OkStatus();
      return absl::DataLossError(
          "what the learned model has learned from cannot be read back");
    }
    ASSIGN_OR_RETURN(const FeatureRows programs, RowsFromProto(rows));
    RETURN_IF_ERROR(tell(programs, LabelsFromProto(rows)));
  }
}

}  // namespace pruner
