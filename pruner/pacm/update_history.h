// What a network was told, for another one that is to know the same.
#ifndef PRUNER_PACM_UPDATE_HISTORY_H_
#define PRUNER_PACM_UPDATE_HISTORY_H_

#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/cost/cost_model.h"
#include "pruner/features/feature_rows.h"

namespace pruner {

// A long search learns from more than there should be of it in memory, so it is
// kept in a file of the temporary directory, without a name: it goes with the
// process, however that ends. Not thread-safe.
class UpdateHistory {
 public:
  // Error: the temporary directory cannot be written.
  static absl::StatusOr<UpdateHistory> Create();

  bool empty() const { return empty_; }

  // Errors: the disk is full. Nothing is kept then.
  absl::Status Add(const FeatureRows& programs,
                   absl::Span<const ProgramLabel> labels);

  // Tells what was added, in that order, one after the other, until something
  // else than OK comes back. Errors: that; the file cannot be read.
  using Tell = absl::FunctionRef<absl::Status(
      const FeatureRows& programs, absl::Span<const ProgramLabel> labels)>;
  absl::Status ForEach(Tell tell) const;

 private:
  explicit UpdateHistory(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
  bool empty_ = true;
};

}  // namespace pruner

#endif  // PRUNER_PACM_UPDATE_HISTORY_H_
