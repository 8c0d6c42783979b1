#include "pruner/base/os/file_descriptor.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace pruner {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    Close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void FileDescriptor::Close() {
  // After an error of close() the descriptor is gone on Linux: never close it
  // again.
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

absl::Status CheckRegularFile(int fd, absl::string_view path) {
  struct stat about;
  if (fstat(fd, &about) != 0)
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot look at ", path));
  if (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(path, " is a ", S_ISFIFO(about.st_mode) ? "pipe" : "device",
                   ", not a file"));
}

absl::StatusOr<std::string> ReadAll(int fd, absl::string_view path,
                                    int64_t max_bytes) {
  struct stat about;
  if (fstat(fd, &about) != 0)
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
  std::string contents;
  for (int64_t size = 0;;) {
    if (std::max<int64_t>(about.st_size, size) > max_bytes) {
      return absl::OutOfRangeError(
          absl::StrCat("cannot read ", path, ": it has more than ", max_bytes,
                       " bytes, the most that is read"));
    }
    // One byte more than the file has, so that the read after the last finds
    // the end.
    contents.resize(
        std::max<int64_t>(about.st_size + 1, size + size / 2 + 4096));
    const ssize_t got =
        read(fd, contents.data() + size, contents.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
    size += got;
    if (got == 0) {
      contents.resize(size);
      return contents;
    }
  }
}

absl::Status WriteAll(int fd, absl::string_view data, absl::string_view path) {
  while (!data.empty()) {
    const ssize_t written = write(fd, data.data(), data.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return absl::ErrnoToStatus(errno, absl::StrCat("cannot write to ", path));
    }
    data.remove_prefix(written);
  }
  return absl::OkStatus();
}

}  // namespace pruner
