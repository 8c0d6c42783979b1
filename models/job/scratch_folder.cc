#include "models/job/scratch_folder.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

constexpr absl::string_view kFolderPrefix = "scratch-";
constexpr absl::string_view kFilePrefix = "reference-";

// The paths of what is in the folder, has a name with this prefix, and is of
// this kind itself: S_IFREG, S_IFDIR.
std::vector<std::string> Find(const std::string& folder,
                              absl::string_view prefix, mode_t kind) {
  std::vector<std::string> paths;
  const auto names = ListDirectory(folder);
  if (!names.ok()) return paths;
  for (const std::string& name : *names) {
    const std::string path = absl::StrCat(folder, "/", name);
    struct stat about;
    if (absl::StartsWith(name, prefix) && lstat(path.c_str(), &about) == 0 &&
        (about.st_mode & S_IFMT) == kind) {
      paths.push_back(path);
    }
  }
  return paths;
}

void RemoveScratch(const std::string& folder) {
  for (const std::string& file : Find(folder, kFilePrefix, S_IFREG)) {
    RemoveFile(file).IgnoreError();
  }
  RemoveFile(folder).IgnoreError();  // fails if there is more in it
}

}  // namespace

absl::StatusOr<ScratchFolder> ScratchFolder::Create(const std::string& parent) {
  std::string path = absl::StrCat(parent, "/", kFolderPrefix, "XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return absl::ErrnoToStatus(errno,
                               absl::StrCat("cannot make directory ", path));
  }
  return ScratchFolder(path);
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) RemoveScratch(path_);
}

void RemoveLeftScratchFolders(const std::string& parent) {
  for (const std::string& folder : Find(parent, kFolderPrefix, S_IFDIR)) {
    RemoveScratch(folder);
  }
}

}  // namespace pruner
