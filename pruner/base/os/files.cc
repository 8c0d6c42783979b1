#include "pruner/base/os/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

namespace fs = std::filesystem;

absl::Status Error(absl::string_view what, absl::string_view path,
                   int reason = errno) {
  return absl::ErrnoToStatus(reason, absl::StrCat("cannot ", what, " ", path));
}

absl::Status Error(absl::string_view what, absl::string_view path,
                   const std::error_code& reason) {
  return Error(what, path, reason.value());
}

// A new file beside `path`, of a name nobody else uses.
absl::StatusOr<std::pair<FileDescriptor, std::string>> CreateBeside(
    const std::string& path) {
  // mkostemp() would do, but for the file's mode: it ignores the umask.
  for (int attempt = 0;; ++attempt) {
    const std::string name = absl::StrCat(path, ".tmp", getpid(), "-", attempt);
    FileDescriptor file(
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.open()) return std::pair(std::move(file), name);
    if (errno != EEXIST) return Error("create", name);
  }
}

absl::Status WriteAndRename(const std::string& path,
                            absl::string_view contents) {
  ASSIGN_OR_RETURN((auto [file, name]), CreateBeside(path));
  absl::Status status = WriteAll(file.get(), contents, name);
  if (status.ok() && fsync(file.get()) != 0)
    status = Error("write to disk", name);
  if (status.ok() && rename(name.c_str(), path.c_str()) != 0) {
    status = Error("replace", path);
  }
  if (!status.ok()) unlink(name.c_str());
  return status;
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     int64_t max_bytes) {
  // Without O_NONBLOCK opening a pipe waits for who writes to it.
  const FileDescriptor file(
      open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.open()) return Error("open", path);
  RETURN_IF_ERROR(CheckRegularFile(file.get(), path));
  return ReadAll(file.get(), path, max_bytes);
}

absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view contents) {
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  const std::string file = error ? path : canonical.string();
  RETURN_IF_ERROR(WriteAndRename(file, contents));
  return SyncDirectory(DirectoryOf(file));
}

absl::Status MakeDirectories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !fs::is_directory(path, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) return Error("make directory", path, error);
  return absl::OkStatus();
}

bool FileExists(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

absl::StatusOr<std::vector<std::string>> ListDirectory(
    const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) return Error("list directory", path, error);
  std::sort(names.begin(), names.end());
  return names;
}

absl::Status RenameFile(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return Error("rename", from);
  return SyncDirectory(DirectoryOf(to));
}

absl::Status RemoveFile(const std::string& path) {
  if (remove(path.c_str()) != 0) return Error("delete", path);
  return absl::OkStatus();
}

absl::StatusOr<int64_t> FreeDiskBytes(const std::string& path) {
  struct statvfs about;
  if (statvfs(path.c_str(), &about) != 0) {
    return Error("find the free disk space of", path);
  }
  return static_cast<int64_t>(about.f_bavail) *
         static_cast<int64_t>(about.f_frsize);
}

absl::Status CheckWritableDirectory(const std::string& path) {
  struct stat about;
  if (stat(path.c_str(), &about) != 0) return Error("use directory", path);
  if (!S_ISDIR(about.st_mode)) return Error("use directory", path, ENOTDIR);
  // access() says yes to root where a write would fail.
  ASSIGN_OR_RETURN((const auto [file, name]),
                   CreateBeside(absl::StrCat(path, "/writable")));
  return RemoveFile(name);
}

bool IsWritableDirectory(const std::string& path) {
  return CheckWritableDirectory(path).ok();
}

absl::Status SyncDirectory(const std::string& path) {
  const FileDescriptor directory(
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.open()) return Error("open directory", path);
  // Some file systems cannot sync directories, and need not.
  if (fsync(directory.get()) != 0 && errno != EINVAL) {
    return Error("write to disk", path);
  }
  return absl::OkStatus();
}

std::string DirectoryOf(const std::string& path) {
  const std::string directory = fs::path(path).parent_path().string();
  return directory.empty() ? "." : directory;
}

absl::StatusOr<TempDirectory> TempDirectory::Create() {
  std::string parent = GetEnv("TEST_TMPDIR").value_or("");
  if (parent.empty()) parent = GetEnv("TMPDIR").value_or("");
  if (parent.empty()) parent = "/tmp";
  std::string path = absl::StrCat(parent, "/pruner.XXXXXX");
  if (mkdtemp(path.data()) == nullptr) return Error("make directory", path);
  return TempDirectory(path);
}

TempDirectory& TempDirectory::operator=(TempDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TempDirectory::~TempDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;  // nobody is left to hear of it
  fs::remove_all(path_, ignored);
}

std::string TempDirectory::File(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

}  // namespace pruner
