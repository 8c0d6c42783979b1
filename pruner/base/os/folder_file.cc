#include "pruner/base/os/folder_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

namespace fs = std::filesystem;

absl::Status CheckName(absl::string_view name) {
  const auto refuse = [&](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("the name of file \"", name, "\" ", why));
  };
  if (name.empty()) return refuse("is empty");
  if (name.find('\0') != name.npos) return refuse("has a zero byte");
  const fs::path path{std::string(name)};
  if (path.is_absolute()) {
    return refuse("is absolute; it must be relative to the folder");
  }
  if (std::find(path.begin(), path.end(), "..") != path.end()) {
    return refuse("has \"..\"; it must lead to a file of the folder");
  }
  return absl::OkStatus();
}

absl::StatusOr<fs::path> Canonical(const std::string& path) {
  std::error_code error;
  fs::path canonical = fs::canonical(path, error);
  if (!error) return canonical;
  return absl::ErrnoToStatus(error.value(), absl::StrCat("cannot open ", path));
}

bool IsWithin(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end())
             .first == folder.end();
}

}  // namespace

absl::StatusOr<FolderFile> FolderFile::Open(const std::string& folder,
                                            absl::string_view name) {
  RETURN_IF_ERROR(CheckName(name));
  const std::string above = folder.empty() ? "." : folder;
  const std::string path = absl::StrCat(above, "/", name);
  ASSIGN_OR_RETURN(const fs::path within, Canonical(above));
  ASSIGN_OR_RETURN(const fs::path canonical, Canonical(path));
  if (!IsWithin(canonical, within)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, " is a link to ", canonical.string(), ", outside of the folder"));
  }
  // Without O_NONBLOCK opening a pipe waits for who writes to it.
  FileDescriptor file(open(canonical.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY |
                                                  O_NOFOLLOW | O_CLOEXEC));
  if (!file.open()) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot open ", path));
  }
  RETURN_IF_ERROR(CheckRegularFile(file.get(), path));
  struct stat about;
  if (fstat(file.get(), &about) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot open ", path));
  }
  if (!S_ISREG(about.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is a directory, not a file"));
  }
  return FolderFile(path, std::move(file), about.st_size);
}

absl::StatusOr<std::string> FolderFile::Read(int64_t offset,
                                             int64_t size) const {
  if (offset < 0 || size < 0 || offset > size_ || size > size_ - offset) {
    return absl::OutOfRangeError(absl::StrCat(path_, " has ", size_,
                                              " bytes; there are no ", size,
                                              " from ", offset, " on"));
  }
  std::string bytes(static_cast<size_t>(size), '\0');
  for (int64_t done = 0; done < size;) {
    const ssize_t got = pread(file_.get(), bytes.data() + done,
                              static_cast<size_t>(size - done), offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path_));
    }
    if (got == 0) {
      return absl::OutOfRangeError(
          absl::StrCat(path_, " became shorter while it was read"));
    }
    done += got;
  }
  return bytes;
}

}  // namespace pruner
