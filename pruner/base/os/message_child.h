// A child process that stays and is spoken to, such as a measuring worker.
#ifndef PRUNER_BASE_OS_MESSAGE_CHILD_H_
#define PRUNER_BASE_OS_MESSAGE_CHILD_H_

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/os/child_io.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/os/process.h"

namespace pruner {

// A child that is sent messages and sends messages: bytes, at most 1 GiB each,
// whole and in order. It uses a socket of its own for that (MessageParent finds
// it), so that the child's stdout and stderr are free; the last 64 KiB written
// to them are kept. The child may crash, hang, be stopped or send nonsense: no
// call here blocks beyond its timeout. See Process for what else holds of the
// child; the destructor kills it. Not thread-safe.
class MessageChild {
 public:
  static absl::StatusOr<MessageChild> Start(
      const std::vector<std::string>& argv, const ProcessOptions& options = {});

  // Hands a message over, which does not mean that the child has read all of
  // it. DeadlineExceeded if the child does not read; the connection is then of
  // no use any more: Kill. Unavailable as below.
  absl::Status Send(absl::string_view message, absl::Duration timeout);

  // The next message. DeadlineExceeded if there is none in time; one may try
  // again. Unavailable once the child has ended and all its messages were
  // received; the text says how it ended and the last lines of its output.
  // DataLoss if it sends something that is no message: Kill.
  // Cancelled once `is_unwanted`, which is asked several times a second, says
  // so; empty: it always is wanted.
  absl::StatusOr<std::string> Receive(
      absl::Duration timeout, const std::function<bool()>& is_unwanted = {});

  // Ends the child and its process group at once.
  void Kill();

  pid_t pid() const { return process_.pid(); }

  // How it ended, once Kill was called or a call has returned Unavailable.
  const std::optional<ExitStatus>& exit_status() const {
    return process_.exit_status();
  }

  // The last 64 KiB of stdout and stderr, as far as they were read by the calls
  // above.
  std::string output() const { return output_.text(); }

 private:
  MessageChild(std::string name, Process process, FileDescriptor socket,
               OutputCapture output)
      : name_(std::move(name)),
        process_(std::move(process)),
        socket_(std::move(socket)),
        output_(std::move(output)) {}

  // Waits for something to happen, at most until the deadline, and takes in
  // what came.
  void Listen(bool writable, absl::Duration deadline);
  // Reads what is in the socket by now, of which there can be about 4 MiB.
  void ReadSocket();
  // Sends what the socket takes of `rest`; false if the child is gone.
  bool TrySend(absl::string_view& rest);
  // Once the child has ended or closed the connection: gives it a moment to
  // end, ends it, and tells how it did.
  absl::Status Ended();

  std::string name_;
  Process process_;
  FileDescriptor socket_;  // closed once the child has closed its end
  OutputCapture output_;
  std::string received_;
  bool send_broken_ = false;  // a message was sent in part
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_MESSAGE_CHILD_H_
