// What the parent needs to listen to children without ever blocking on one of
// them.
#ifndef PRUNER_BASE_OS_CHILD_IO_H_
#define PRUNER_BASE_OS_CHILD_IO_H_

#include <poll.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {

// Keeps a bounded part of what a child writes to a pipe.
class OutputCapture {
 public:
  enum class Keep { kFirst, kLast };

  // `writer` gets the pipe's end for the child; the parent must close its copy
  // once the child runs.
  static absl::StatusOr<OutputCapture> Create(size_t limit, Keep keep,
                                              FileDescriptor& writer);

  // To be polled for input; -1 after the end of the pipe.
  int fd() const { return reader_.get(); }

  // Reads what is in the pipe by now, of which there can be about 1 MiB.
  void ReadAvailable();

  // The first or last `limit` bytes of what was read so far.
  std::string text() const;

 private:
  OutputCapture(FileDescriptor reader, size_t limit, Keep keep)
      : reader_(std::move(reader)), limit_(limit), keep_(keep) {}

  FileDescriptor reader_;
  size_t limit_;
  Keep keep_;
  std::string text_;
};

// poll() until something happens or RealClock().Elapsed() is `deadline`; then
// all revents are 0. Entries with a negative fd are ignored.
void PollUntil(absl::Duration deadline, absl::Span<pollfd> polled);

}  // namespace pruner

#endif  // PRUNER_BASE_OS_CHILD_IO_H_
