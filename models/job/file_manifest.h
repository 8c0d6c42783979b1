// Which files of the output folder tune wrote: the only ones it replaces or
// deletes.
#ifndef MODELS_JOB_FILE_MANIFEST_H_
#define MODELS_JOB_FILE_MANIFEST_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "models/job/folder_entry.h"

namespace pruner {

// The names in the file FOLDER/.pruner/files, one a line. The name of a folder,
// "schedules/", stands for all that is below it: it may be replaced, but is not
// deleted, because nobody remembers which of it tune wrote.
class FileManifest {
 public:
  // Without a file the manifest is empty, but in a folder of an earlier
  // version, which has records.log and no manifest: there tune wrote
  // summary.json and what is in schedules/. Names under which there is no file
  // any more are left out; a file that comes there later is not tune's.
  static absl::StatusOr<FileManifest> Load(const std::string& folder);

  // Whether tune may replace the file of this name.
  bool MayReplace(absl::string_view name) const { return Covers(names_, name); }
  // Whether tune may delete it.
  bool MayDelete(absl::string_view name) const {
    return names_.contains(name) && !absl::EndsWith(name, "/");
  }

  const FolderNames& names() const { return names_; }

  // On disk on return.
  absl::Status Save() const;
  absl::Status Add(absl::string_view name);
  absl::Status Erase(absl::string_view name);

 private:
  FileManifest(std::string path, FolderNames names)
      : path_(std::move(path)), names_(std::move(names)) {}

  std::string path_;
  FolderNames names_;
};

}  // namespace pruner

#endif  // MODELS_JOB_FILE_MANIFEST_H_
