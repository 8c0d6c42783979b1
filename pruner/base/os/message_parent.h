// The child's side of a MessageChild.
#ifndef PRUNER_BASE_OS_MESSAGE_PARENT_H_
#define PRUNER_BASE_OS_MESSAGE_PARENT_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {

// The process that started this one as its MessageChild. Not thread-safe.
class MessageParent {
 public:
  // Once, at the start of the program, before there are other threads: the
  // connection is not passed on to this process's own children.
  // FailedPrecondition if the program was not started as a MessageChild but,
  // say, by hand.
  static absl::StatusOr<MessageParent> FromEnvironment();

  // Waits for the next message. Unavailable once the parent has closed the
  // connection: the child should then exit.
  absl::StatusOr<std::string> Receive();

  // Waits until the message is handed over. Unavailable as above.
  absl::Status Send(absl::string_view message);

 private:
  explicit MessageParent(FileDescriptor socket) : socket_(std::move(socket)) {}

  FileDescriptor socket_;
  std::string received_;
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_MESSAGE_PARENT_H_
