// Whole files and directories. Every error names the path and the system's
// reason.
#ifndef PRUNER_BASE_OS_FILES_H_
#define PRUNER_BASE_OS_FILES_H_

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// The content of a regular file. Also of one whose size is not known, as in
// /proc. OutOfRange if that is more than `max_bytes`; InvalidArgument,
// at once, for a pipe or a device.
absl::StatusOr<std::string> ReadFile(
    const std::string& path,
    int64_t max_bytes = std::numeric_limits<int64_t>::max());

// Makes `contents` the content of the file, which is on disk on return. Whoever
// reads the file, even after a crash, finds the old content or the new, never a
// mixture. Where `path` is a symbolic link, the file it leads to is replaced.
absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view contents);

// Makes a directory and those above it; fine if it is there already.
absl::Status MakeDirectories(const std::string& path);

// Whether there is a file or a directory of this name that we may see.
bool FileExists(const std::string& path);

// The names, without the directory's, in a directory, sorted; without "." and
// "..".
absl::StatusOr<std::vector<std::string>> ListDirectory(const std::string& path);

// Gives a file another name on the same file system; what had that name is
// replaced.
absl::Status RenameFile(const std::string& from, const std::string& to);

// Deletes a file or an empty directory; NotFound if there is none.
absl::Status RemoveFile(const std::string& path);

// The bytes we may still write on the file system of an existing file or
// directory.
absl::StatusOr<int64_t> FreeDiskBytes(const std::string& path);

// Whether files can be made in the directory, found out by making one; if not,
// why.
absl::Status CheckWritableDirectory(const std::string& path);
bool IsWritableDirectory(const std::string& path);

// Makes the names of files just made in or renamed into a directory survive a
// crash.
absl::Status SyncDirectory(const std::string& path);

// The directory a file of this path is in: "a" for "a/b", "." for "b".
std::string DirectoryOf(const std::string& path);

// A new directory below $TEST_TMPDIR, $TMPDIR or /tmp, deleted with all that is
// in it by the destructor.
class TempDirectory {
 public:
  static absl::StatusOr<TempDirectory> Create();

  TempDirectory(TempDirectory&& other) noexcept
      : path_(std::exchange(other.path_, "")) {}
  TempDirectory& operator=(TempDirectory&& other) noexcept;
  ~TempDirectory();

  const std::string& path() const { return path_; }
  // The path of a file of this name in it.
  std::string File(absl::string_view name) const;

 private:
  explicit TempDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_FILES_H_
