#include "pruner/base/os/message_child.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/child_io.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/os/message_framing.h"
#include "pruner/base/os/process.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr size_t kOutputBytes = size_t{64} << 10;
constexpr size_t kChunkBytes = size_t{256} << 10;
constexpr int kChunksAtOnce = 16;
constexpr int kChildSocket = 3;
// Between the connection's end, of which the parent hears first, and the
// process's.
constexpr absl::Duration kTimeToExit = absl::Seconds(2);
constexpr int kLinesInErrors = 20;
// How often who waits for a message is asked whether it is wanted.
constexpr absl::Duration kGlance = absl::Milliseconds(100);

absl::string_view LastLines(absl::string_view text, int count) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  size_t start = text.size();
  for (; count > 0 && start != absl::string_view::npos && start > 0; --count) {
    start = text.rfind('\n', start - 1);
  }
  if (start == absl::string_view::npos) return text;
  return start < text.size() && text[start] == '\n' ? text.substr(start + 1)
                                                    : text;
}

}  // namespace

absl::StatusOr<MessageChild> MessageChild::Start(
    const std::vector<std::string>& argv, const ProcessOptions& options) {
  FileDescriptor output_writer;
  ASSIGN_OR_RETURN(
      OutputCapture output,
      OutputCapture::Create(kOutputBytes, OutputCapture::Keep::kLast,
                            output_writer));
  // A socket and not two pipes, since writing to a pipe nobody reads sends
  // SIGPIPE.
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a socket pair");
  }
  FileDescriptor ours(sockets[0]);
  const FileDescriptor theirs(sockets[1]);
  ProcessOptions with_socket = options;
  with_socket.environment.emplace_back(kMessageSocketVariable,
                                       absl::StrCat(kChildSocket));
  ASSIGN_OR_RETURN(Process process,
                   Process::Start(argv, with_socket,
                                  {{output_writer.get(), 1},
                                   {output_writer.get(), 2},
                                   {theirs.get(), kChildSocket}}));
  return MessageChild(argv[0], std::move(process), std::move(ours),
                      std::move(output));
}

absl::Status MessageChild::Send(absl::string_view message,
                                absl::Duration timeout) {
  const absl::Duration deadline = RealClock().Elapsed() + timeout;
  if (send_broken_) {
    return absl::FailedPreconditionError(absl::StrCat(
        "an earlier message to ", name_, " was sent in part; kill the child"));
  }
  ASSIGN_OR_RETURN(const std::string frame, FrameMessage(message));
  for (absl::string_view rest = frame;;) {
    if (!TrySend(rest)) return Ended();
    if (rest.empty()) return absl::OkStatus();
    if (RealClock().Elapsed() >= deadline) {
      send_broken_ = rest.size() < frame.size();
      return absl::DeadlineExceededError(absl::StrCat(
          name_, " (process ", pid(), ") did not read its message within ",
          absl::FormatDuration(timeout)));
    }
    // The child may be busy with sending to us, so take that in meanwhile.
    Listen(/*writable=*/true, deadline);
  }
}

absl::StatusOr<std::string> MessageChild::Receive(
    absl::Duration timeout, const std::function<bool()>& is_unwanted) {
  const absl::Duration deadline = RealClock().Elapsed() + timeout;
  for (bool last_try = false;; last_try = RealClock().Elapsed() >= deadline) {
    ASSIGN_OR_RETURN(std::optional<std::string> message, TakeMessage(received_),
                     _ << "from " << name_ << " (process " << pid() << ")");
    if (message.has_value()) return *std::move(message);
    if (!socket_.open()) return Ended();
    if (last_try) {
      return absl::DeadlineExceededError(
          absl::StrCat(name_, " (process ", pid(), ") sent no message within ",
                       absl::FormatDuration(timeout)));
    }
    if (is_unwanted && is_unwanted()) {
      return absl::CancelledError(
          absl::StrCat("the answer of ", name_, " is not wanted any more"));
    }
    Listen(/*writable=*/false,
           is_unwanted ? std::min(deadline, RealClock().Elapsed() + kGlance)
                       : deadline);
  }
}

void MessageChild::Kill() {
  process_.End();
  output_.ReadAvailable();
  ReadSocket();
  socket_.Close();
}

void MessageChild::Listen(bool writable, absl::Duration deadline) {
  // A child that sends and sends while it is being sent to does not fill the
  // memory.
  const bool room = received_.size() <= kMaxMessageBytes;
  const short events =
      static_cast<short>((room ? POLLIN : 0) | (writable ? POLLOUT : 0));
  std::array<pollfd, 3> polled = {{{process_.exit_fd(), POLLIN, 0},
                                   {socket_.get(), events, 0},
                                   {output_.fd(), POLLIN, 0}}};
  PollUntil(deadline, absl::MakeSpan(polled));
  if (polled[2].revents != 0) output_.ReadAvailable();
  if (polled[1].revents != 0 && room) ReadSocket();
  if (polled[0].revents != 0) Kill();
}

void MessageChild::ReadSocket() {
  std::vector<char> chunk(kChunkBytes);
  for (int i = 0; socket_.open() && i < kChunksAtOnce; ++i) {
    const ssize_t got =
        recv(socket_.get(), chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return socket_.Close();
    received_.append(chunk.data(), got);
  }
}

bool MessageChild::TrySend(absl::string_view& rest) {
  while (socket_.open() && !rest.empty()) {
    const ssize_t sent = send(socket_.get(), rest.data(), rest.size(),
                              MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN;
    rest.remove_prefix(sent);
  }
  return socket_.open();
}

absl::Status MessageChild::Ended() {
  std::string text = absl::StrCat(name_, " (process ", pid(), ") ");
  if (!process_.exit_status().has_value()) {
    std::array<pollfd, 1> exited = {{{process_.exit_fd(), POLLIN, 0}}};
    PollUntil(RealClock().Elapsed() + kTimeToExit, absl::MakeSpan(exited));
    if (exited[0].revents == 0) {
      absl::StrAppend(&text, "has closed its connection without ending and ");
    }
    Kill();
  }
  absl::StrAppend(&text, *process_.exit_status());
  const std::string output = output_.text();
  const absl::string_view lines = LastLines(output, kLinesInErrors);
  if (!lines.empty())
    absl::StrAppend(&text, "; the end of its output:\n", lines);
  return absl::UnavailableError(text);
}

}  // namespace pruner
