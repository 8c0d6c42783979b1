#include "models/job/output_folder.h"

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/job/file_manifest.h"
#include "models/job/folder_entry.h"
#include "models/job/scratch_folder.h"
#include "pruner/base/os/file_lock.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/base/text/units.h"

namespace pruner {
namespace {

// A run writes a few megabytes; less than this would lose records.
constexpr int64_t kMinDiskBytes = int64_t{256} << 20;

constexpr absl::string_view kForeign = "is not a file that tune wrote";

absl::Status MakeWritable(const std::string& path) {
  absl::Status status = MakeDirectories(path);
  if (status.ok()) status = CheckWritableDirectory(path);
  if (status.ok()) return status;
  return absl::InvalidArgumentError(
      absl::StrCat("--output_dir=", path, ": ", status.message()));
}

absl::Status CheckFreeDisk(const std::string& path) {
  ASSIGN_OR_RETURN(const int64_t free, FreeDiskBytes(path));
  if (free >= kMinDiskBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("--output_dir=", path, " has ", FormatBytes(free),
                   " of free disk, a run needs ", FormatBytes(kMinDiskBytes)));
}

absl::StatusOr<FileLock> Lock(const std::string& path) {
  absl::StatusOr<FileLock> lock =
      FileLock::Take(absl::StrCat(path, "/", kOwnFolder, "/lock"),
                     absl::StrCat("--output_dir=", path));
  if (!absl::IsFailedPrecondition(lock.status())) return lock;
  return absl::FailedPreconditionError(
      absl::StrCat(lock.status().message(),
                   "; wait until it ends, stop it, or choose another "
                   "--output_dir"));
}

// What runs left in `own` that were killed. Only for who has the lock.
absl::Status RemoveLeftovers(const std::string& own) {
  RemoveLeftScratchFolders(own);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(own));
  for (const std::string& name : names) {
    // Of WriteFileAtomically, which names them FILE.tmp…
    if (absl::StartsWith(name, "pending") ||
        absl::StartsWith(name, "files.tmp")) {
      RETURN_IF_ERROR(RemoveFile(absl::StrCat(own, "/", name)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OutputFolder> OutputFolder::Open(const std::string& path) {
  RETURN_IF_ERROR(MakeWritable(path));
  RETURN_IF_ERROR(EntryExists(path, absl::StrCat(kOwnFolder, "/")).status());
  const std::string own = absl::StrCat(path, "/", kOwnFolder);
  RETURN_IF_ERROR(MakeWritable(own));
  ASSIGN_OR_RETURN(FileLock lock, Lock(path));
  RETURN_IF_ERROR(RemoveLeftovers(own));
  RETURN_IF_ERROR(CheckFreeDisk(path));
  ASSIGN_OR_RETURN(FileManifest manifest, FileManifest::Load(path));
  return OutputFolder(path, std::move(lock), std::move(manifest));
}

absl::StatusOr<bool> OutputFolder::CheckReplaceable(
    const std::string& name) const {
  ASSIGN_OR_RETURN(const std::vector<std::string> files, FilesOf(path_, name));
  for (const std::string& file : files) {
    if (!manifest_.MayReplace(file)) return Refusal(File(file), kForeign);
  }
  return !files.empty();
}

absl::Status OutputFolder::Claim(const std::vector<std::string>& names) {
  RETURN_IF_ERROR(CheckStillThere());
  for (const std::string& name : names) {
    RETURN_IF_ERROR(CheckName(name));
    RETURN_IF_ERROR(CheckReplaceable(name).status());
  }
  claimed_.insert(names.begin(), names.end());
  // From now on the folder has a manifest, and its records.log does not make it
  // one of an earlier version.
  return manifest_.Save();
}

absl::Status OutputFolder::Write(const std::string& name,
                                 absl::string_view contents) {
  if (!Covers(claimed_, name) || absl::EndsWith(name, "/")) {
    return absl::InternalError(
        absl::StrCat(File(name), " was not claimed before it was written"));
  }
  RETURN_IF_ERROR(CheckName(name));
  RETURN_IF_ERROR(CheckStillThere());
  RETURN_IF_ERROR(CheckReplaceable(name).status());
  // First the manifest: a run that is killed in between leaves a name without a
  // file, never a file of which nobody knows whose it is.
  RETURN_IF_ERROR(manifest_.Add(name));
  const std::string pending = File(absl::StrCat(kOwnFolder, "/pending"));
  RETURN_IF_ERROR(WriteFileAtomically(pending, contents));
  RETURN_IF_ERROR(MakeDirectories(DirectoryOf(File(name))));
  RETURN_IF_ERROR(RenameFile(pending, File(name)))
      << "it was to become " << File(name);
  written_.insert(name);
  return absl::OkStatus();
}

absl::Status OutputFolder::Remove(const std::string& name) {
  RETURN_IF_ERROR(CheckStillThere());
  ASSIGN_OR_RETURN(const bool exists, EntryExists(path_, name));
  if (exists && !manifest_.MayDelete(name)) {
    return Refusal(File(name), kForeign);
  }
  if (exists) {
    RETURN_IF_ERROR(RemoveFile(File(name)));
  }
  return manifest_.Erase(name);
}

absl::Status OutputFolder::RemoveBelow(absl::string_view folder) {
  const FolderNames names = manifest_.names();
  for (const std::string& name : names) {
    if (manifest_.MayDelete(name) && !written_.contains(name) &&
        Covers({std::string(folder)}, name)) {
      RETURN_IF_ERROR(Remove(name));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> OutputFolder::PutAside(const std::string& name) {
  RETURN_IF_ERROR(CheckName(name));
  RETURN_IF_ERROR(CheckStillThere());
  ASSIGN_OR_RETURN(const bool exists, EntryExists(path_, name));
  if (!exists) return "";
  std::string aside;
  struct stat about;
  int number = 0;
  do {
    aside = absl::StrCat(name, ".", ++number);
  } while (lstat(File(aside).c_str(), &about) == 0);
  RETURN_IF_ERROR(RenameFile(File(name), File(aside)));
  RETURN_IF_ERROR(manifest_.Erase(name));
  return aside;
}

absl::Status OutputFolder::CheckStillThere() const {
  absl::Status status = lock_.CheckInPlace();
  if (!absl::IsAborted(status)) return status;
  return absl::AbortedError(absl::StrCat(
      "--output_dir=", path_,
      " was deleted, moved or replaced while this run was using it; start the "
      "run again"));
}

absl::StatusOr<std::string> OutputFolder::scratch() {
  if (!scratch_) {
    RETURN_IF_ERROR(CheckStillThere());
    ASSIGN_OR_RETURN(scratch_, ScratchFolder::Create(File(kOwnFolder)));
  }
  return scratch_->path();
}

std::string OutputFolder::File(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

}  // namespace pruner
