#include "models/job/file_manifest.h"

#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "models/job/folder_entry.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

constexpr absl::string_view kFile = "files";

// What is on disk, or would be if an earlier version had written it.
absl::StatusOr<FolderNames> WrittenNames(const std::string& folder) {
  const std::string name = absl::StrCat(kOwnFolder, "/", kFile);
  ASSIGN_OR_RETURN(const bool exists, EntryExists(folder, name));
  if (exists) {
    ASSIGN_OR_RETURN(const std::string text,
                     ReadFile(absl::StrCat(folder, "/", name)));
    return FolderNames(absl::StrSplit(text, '\n', absl::SkipEmpty()));
  }
  if (IsRecordFile(absl::StrCat(folder, "/records.log"))) {
    return FolderNames{"summary.json", "schedules/"};
  }
  return FolderNames();
}

}  // namespace

absl::StatusOr<FileManifest> FileManifest::Load(const std::string& folder) {
  ASSIGN_OR_RETURN(FolderNames names, WrittenNames(folder));
  // A name that something else has now, or that is damaged, is nobody's; Claim
  // tells the user what is in the way.
  std::erase_if(names, [&](const std::string& name) {
    return !CheckName(name).ok() || !EntryExists(folder, name).value_or(false);
  });
  return FileManifest(absl::StrCat(folder, "/", kOwnFolder, "/", kFile),
                      std::move(names));
}

absl::Status FileManifest::Save() const {
  std::string text;
  for (const std::string& name : names_) absl::StrAppend(&text, name, "\n");
  return WriteFileAtomically(path_, text);
}

absl::Status FileManifest::Add(absl::string_view name) {
  return names_.emplace(name).second ? Save() : absl::OkStatus();
}

absl::Status FileManifest::Erase(absl::string_view name) {
  const auto found = names_.find(name);
  if (found == names_.end()) return absl::OkStatus();
  names_.erase(found);
  return Save();
}

}  // namespace pruner
