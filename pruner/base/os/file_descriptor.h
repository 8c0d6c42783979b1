// Ownership of an open file, and complete reads and writes.
#ifndef PRUNER_BASE_OS_FILE_DESCRIPTOR_H_
#define PRUNER_BASE_OS_FILE_DESCRIPTOR_H_

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Closes the file descriptor it holds, if any.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { Close(); }

  // -1 if there is none.
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void Close();

 private:
  int fd_ = -1;
};

// InvalidArgument "PATH is a pipe, not a file" if the open file is one, or a
// device: reading might wait or go on for ever. That it is a directory is for
// reading to say.
absl::Status CheckRegularFile(int fd, absl::string_view path);

// All bytes from the file's position to its end. `path` is for the error's
// text. OutOfRange if there are more than `max_bytes`.
absl::StatusOr<std::string> ReadAll(
    int fd, absl::string_view path,
    int64_t max_bytes = std::numeric_limits<int64_t>::max());

// Writes all of `data` at the file's position. `path` is for the error's text.
// An error may leave a part of it written.
absl::Status WriteAll(int fd, absl::string_view data, absl::string_view path);

}  // namespace pruner

#endif  // PRUNER_BASE_OS_FILE_DESCRIPTOR_H_
