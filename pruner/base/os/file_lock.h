// A lock that one process at a time holds, and that ends with it.
#ifndef PRUNER_BASE_OS_FILE_LOCK_H_
#define PRUNER_BASE_OS_FILE_LOCK_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {

// An exclusive advisory lock (flock) on a file, held from Take to the
// destructor or to the end of the process, however that comes about; programs
// that the process starts do not inherit it. While it is held the file's text
// is the owner's, "PID HOST\n". What a dead process left in it is no obstacle.
// The file is never deleted: who deletes lock files lets two processes each
// lock their own.
class FileLock {
 public:
  // Locks the file, which is made if need be; `what` is what it protects, for
  // the errors' texts. At once, but for a tenth of a second where the owner has
  // yet to write who it is. Errors:
  //  * FailedPrecondition "WHAT is in use by process 1234 on HOST";
  //  * Unimplemented if the file system has no locks;
  //  * InvalidArgument if the path is a symbolic link's or no regular file's;
  //  * the file cannot be made or written.
  static absl::StatusOr<FileLock> Take(const std::string& path,
                                       absl::string_view what);

  FileLock(FileLock&& other) noexcept = default;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock() { Release(); }

  // Aborted if there is no longer this file at the path: somebody deleted,
  // moved or replaced it or a folder it is in, and another process may hold a
  // lock of the same path.
  absl::Status CheckInPlace() const;

  const std::string& path() const { return path_; }

 private:
  FileLock(std::string path, FileDescriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  absl::Status WriteOwner() const;
  void Release();

  std::string path_;
  FileDescriptor file_;
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_FILE_LOCK_H_
