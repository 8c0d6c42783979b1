#include "pruner/base/os/child_io.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/log/check.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {
namespace {

constexpr size_t kChunkBytes = size_t{64} << 10;
// A child that never stops writing must not keep the parent from its deadline.
constexpr int kChunksAtOnce = 16;

}  // namespace

absl::StatusOr<OutputCapture> OutputCapture::Create(size_t limit, Keep keep,
                                                    FileDescriptor& writer) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a pipe");
  }
  FileDescriptor reader(fds[0]);
  writer = FileDescriptor(fds[1]);
  PCHECK(fcntl(reader.get(), F_SETFL, O_NONBLOCK) == 0);
  return OutputCapture(std::move(reader), limit, keep);
}

void OutputCapture::ReadAvailable() {
  std::array<char, kChunkBytes> chunk;
  for (int i = 0; reader_.open() && i < kChunksAtOnce; ++i) {
    const ssize_t got = read(reader_.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return reader_.Close();
    if (keep_ == Keep::kFirst) {
      text_.append(chunk.data(), std::min<size_t>(got, limit_ - text_.size()));
      continue;
    }
    text_.append(chunk.data(), got);
    // Not at every chunk, as it moves all that is kept.
    if (text_.size() > 2 * limit_) text_.erase(0, text_.size() - limit_);
  }
}

std::string OutputCapture::text() const {
  return text_.substr(text_.size() - std::min(text_.size(), limit_));
}

void PollUntil(absl::Duration deadline, absl::Span<pollfd> polled) {
  constexpr int64_t kHour = int64_t{3600} * 1000;
  for (;;) {
    const absl::Duration left =
        std::max(deadline - RealClock().Elapsed(), absl::ZeroDuration());
    // Rounded up, or the last millisecond would be spent in a busy loop.
    const int64_t milliseconds =
        absl::ToInt64Milliseconds(std::min(left, absl::Hours(1)));
    const int timeout = static_cast<int>(
        std::min(kHour, milliseconds + (left > absl::ZeroDuration() ? 1 : 0)));
    const int ready = poll(polled.data(), polled.size(), timeout);
    PCHECK(ready >= 0 || errno == EINTR);
    if (ready > 0) return;
    if (ready == 0 && timeout < kHour) return;
  }
}

}  // namespace pruner
