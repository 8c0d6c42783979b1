// The folder that a tuning run writes to. Of what is in it the tuner deletes
// and replaces only what it made; the folder is locked before anything moves,
// and the error names who has the lock.
#ifndef MODELS_JOB_OUTPUT_FOLDER_H_
#define MODELS_JOB_OUTPUT_FOLDER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "models/job/file_manifest.h"
#include "models/job/folder_entry.h"
#include "models/job/scratch_folder.h"
#include "pruner/base/os/file_lock.h"

namespace pruner {

// Files in the folder have names relative to it, "schedules/resnet50/a.h"; a
// name with a slash at its end is a folder's, and stands for all that is below.
// The tuner's own things are in FOLDER/.pruner:
//   lock       held while the object lives, with the owner's name
//   files      the names of the files that runs wrote, see FileManifest
//   pending    a file before it gets its name
//   answers    what is known of candidates that were looked at, see TaskOracles
//   scratch-*  see ScratchFolder
// No symbolic link in the folder is followed or replaced. Not thread-safe.
class OutputFolder {
 public:
  // Makes the folder if need be, locks it, and clears away what killed runs
  // left in .pruner. Errors name --output_dir: FailedPrecondition "… is in use
  // by process 1234 on HOST"; the folder cannot be made or written; too little
  // free disk; something that is not the tuner's has the name .pruner.
  static absl::StatusOr<OutputFolder> Open(const std::string& path);

  OutputFolder(OutputFolder&&) = default;
  OutputFolder& operator=(OutputFolder&&) = default;

  // To be called before the search, and before records.log is made, with all
  // the names that the run will write. InvalidArgument, before anything is
  // touched, if one of them cannot be written later, or is or holds a file that
  // tune did not write.
  absl::Status Claim(const std::vector<std::string>& names);

  // Gives the file this content, atomically; folders are made as needed. The
  // name is claimed, or below a claimed one. Aborted as by CheckStillThere;
  // InvalidArgument if a file that tune did not write came there since.
  absl::Status Write(const std::string& name, absl::string_view contents);

  // Deletes a file that tune wrote; fine if there is none. InvalidArgument if
  // it is not tune's.
  absl::Status Remove(const std::string& name);

  // Deletes the files below `folder`, "schedules/resnet50/", that earlier runs
  // wrote and this one did not.
  absl::Status RemoveBelow(absl::string_view folder);

  // Renames a file, such as records.log, to the first of NAME.1, NAME.2, … that
  // is free, which is returned; "" if there is no such file.
  absl::StatusOr<std::string> PutAside(const std::string& name);

  // Aborted if the folder was deleted, moved or replaced since Open: what is
  // written now would go nowhere or into another run's folder.
  absl::Status CheckStillThere() const;

  // A folder for the workers' reference outputs, made at the first call. It
  // goes with this object.
  absl::StatusOr<std::string> scratch();

  const std::string& path() const { return path_; }
  std::string File(absl::string_view name) const;

 private:
  OutputFolder(std::string path, FileLock lock, FileManifest manifest)
      : path_(std::move(path)),
        lock_(std::move(lock)),
        manifest_(std::move(manifest)) {}

  // Where the file of this name may be replaced: whether there is one.
  absl::StatusOr<bool> CheckReplaceable(const std::string& name) const;

  std::string path_;
  FileLock lock_;  // before what it protects
  FileManifest manifest_;
  FolderNames claimed_;
  FolderNames written_;  // by this object
  std::optional<ScratchFolder> scratch_;
};

}  // namespace pruner

#endif  // MODELS_JOB_OUTPUT_FOLDER_H_
