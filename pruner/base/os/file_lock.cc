#include "pruner/base/os/file_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// How long we wait for an owner that has the lock but has not yet written who
// it is.
constexpr int kAttempts = 10;
constexpr absl::Duration kPause = absl::Milliseconds(10);

struct Owner {
  pid_t pid = 0;
  std::string host;
};

absl::Status Error(absl::string_view what, absl::string_view path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot ", what, " ", path));
}

absl::StatusOr<FileDescriptor> OpenRegularFile(const std::string& path) {
  FileDescriptor file(open(
      path.c_str(),
      O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666));
  if (!file.open() && errno == ELOOP) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot lock ", path, ": it is a symbolic link; remove it"));
  }
  if (!file.open()) return Error("open", path);
  struct stat about;
  if (fstat(file.get(), &about) != 0) return Error("look at", path);
  if (!S_ISREG(about.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot lock ", path, ": it is not a regular file; remove it"));
  }
  return file;
}

absl::Status LockError(const std::string& path) {
  if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) {
    return absl::UnimplementedError(absl::StrCat(
        "cannot lock ", path, ": its file system has no file locks (",
        std::generic_category().message(errno),
        "); choose a folder on another file system"));
  }
  return Error("lock", path);
}

// The owner that the text names, unless it is somebody else's text: it goes to
// the user's terminal.
std::optional<Owner> ReadOwner(int fd) {
  char bytes[512];
  const ssize_t size = pread(fd, bytes, sizeof(bytes), 0);
  const absl::string_view text(bytes, std::max<ssize_t>(size, 0));
  const size_t space = text.find(' '), end = text.find('\n');
  if (end == text.npos || space >= end) return std::nullopt;
  const absl::string_view host = text.substr(space + 1, end - space - 1);
  Owner owner = {.host = std::string(host)};
  if (!absl::SimpleAtoi(text.substr(0, space), &owner.pid) || owner.pid <= 0 ||
      host.empty() ||
      !std::all_of(host.begin(), host.end(), absl::ascii_isgraph)) {
    return std::nullopt;
  }
  return owner;
}

// Whether it is a process of this machine that is gone: then the text is its,
// not the owner's.
bool IsDead(const Owner& owner) {
  return owner.host == HostName() && kill(owner.pid, 0) != 0 && errno == ESRCH;
}

absl::Status InUse(absl::string_view what, const std::optional<Owner>& owner) {
  return absl::FailedPreconditionError(absl::StrCat(
      what, " is in use by ",
      owner ? absl::StrCat("process ", owner->pid, " on ", owner->host)
            : "another process"));
}

}  // namespace

absl::StatusOr<FileLock> FileLock::Take(const std::string& path,
                                        absl::string_view what) {
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(FileDescriptor file, OpenRegularFile(path));
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
      FileLock lock(path, std::move(file));
      absl::Status in_place = lock.CheckInPlace();
      if (in_place.ok()) {
        RETURN_IF_ERROR(lock.WriteOwner());
        return lock;
      }
      // The file was replaced after we opened it.
      if (attempt == kAttempts) return in_place;
      continue;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return LockError(path);
    const std::optional<Owner> owner = ReadOwner(file.get());
    if (attempt == kAttempts || (owner && !IsDead(*owner)))
      return InUse(what, owner);
    absl::SleepFor(kPause);
  }
}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this != &other) {
    Release();
    path_ = std::move(other.path_);
    file_ = std::move(other.file_);
  }
  return *this;
}

absl::Status FileLock::CheckInPlace() const {
  struct stat held, found;
  if (fstat(file_.get(), &held) != 0) return Error("look at", path_);
  if (lstat(path_.c_str(), &found) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return Error("look at", path_);
  } else if (found.st_dev == held.st_dev && found.st_ino == held.st_ino) {
    return absl::OkStatus();
  }
  return absl::AbortedError(
      absl::StrCat("the lock ", path_, " was deleted, moved or replaced"));
}

absl::Status FileLock::WriteOwner() const {
  // Who reads meanwhile finds a whole first line: written at once, and cut off
  // only behind it.
  const std::string text = absl::StrCat(getpid(), " ", HostName(), "\n");
  const auto size = static_cast<off_t>(text.size());
  if (pwrite(file_.get(), text.data(), text.size(), 0) != size ||
      ftruncate(file_.get(), size) != 0) {
    return Error("write to", path_);
  }
  return absl::OkStatus();
}

void FileLock::Release() {
  if (!file_.open()) return;
  // So that nobody takes us for the next owner. If it fails, IsDead helps.
  [[maybe_unused]] const int ignored = ftruncate(file_.get(), 0);
  file_.Close();
}

}  // namespace pruner
