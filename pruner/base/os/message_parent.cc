#include "pruner/base/os/message_parent.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/os/message_framing.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr size_t kChunkBytes = size_t{256} << 10;

absl::Status ParentIsGone() {
  return absl::UnavailableError("the parent process has closed the connection");
}

// As MessageChild makes them.
bool IsUnixSocket(int fd) {
  int domain = 0;
  socklen_t size = sizeof(domain);
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
         domain == AF_UNIX;
}

}  // namespace

absl::StatusOr<MessageParent> MessageParent::FromEnvironment() {
  const std::optional<std::string> value = GetEnv(kMessageSocketVariable);
  int fd = -1;
  if (!value.has_value() || !absl::SimpleAtoi(*value, &fd) ||
      !IsUnixSocket(fd) || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
    return absl::FailedPreconditionError(
        "this program is not for use by hand: another program starts it and "
        "speaks "
        "to it");
  }
  UnsetEnv(kMessageSocketVariable);
  return MessageParent(FileDescriptor(fd));
}

absl::StatusOr<std::string> MessageParent::Receive() {
  std::vector<char> chunk(kChunkBytes);
  for (;;) {
    ASSIGN_OR_RETURN(std::optional<std::string> message,
                     TakeMessage(received_));
    if (message.has_value()) return *std::move(message);
    const ssize_t got = recv(socket_.get(), chunk.data(), chunk.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ParentIsGone();
    received_.append(chunk.data(), got);
  }
}

absl::Status MessageParent::Send(absl::string_view message) {
  ASSIGN_OR_RETURN(const std::string frame, FrameMessage(message));
  for (absl::string_view rest = frame; !rest.empty();) {
    const ssize_t sent =
        send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return ParentIsGone();
    rest.remove_prefix(sent);
  }
  return absl::OkStatus();
}

}  // namespace pruner
