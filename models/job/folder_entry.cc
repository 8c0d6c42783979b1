#include "models/job/folder_entry.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

std::vector<absl::string_view> Parts(absl::string_view name) {
  return absl::StrSplit(absl::StripSuffix(name, "/"), '/');
}

absl::Status Error(const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot look at ", path));
}

// Found out now, not when the file is written: below folders that are not there
// yet nobody else would notice.
absl::Status CheckLengths(const std::string& folder, absl::string_view name) {
  const int64_t limit = pathconf(folder.c_str(), _PC_NAME_MAX);
  for (const absl::string_view part : Parts(name)) {
    if (limit > 0 && static_cast<int64_t>(part.size()) > limit) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the file system of ", folder, " takes names of ", limit,
          " bytes, and ", part, " has ", part.size(), "; shorten it"));
    }
  }
  const size_t length = folder.size() + 1 + name.size();
  if (length >= PATH_MAX) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the path ", folder, "/", name, " has ", length,
        " bytes, more than the system takes; choose a shorter --output_dir"));
  }
  return absl::OkStatus();
}

absl::Status CheckKind(const std::string& path, const struct stat& about,
                       bool is_folder, dev_t file_system) {
  if (S_ISLNK(about.st_mode)) {
    return Refusal(path, "is a symbolic link, and tune follows none");
  }
  if (is_folder && !S_ISDIR(about.st_mode)) {
    return Refusal(path, "is not a folder, and tune needs one there");
  }
  if (!is_folder && S_ISDIR(about.st_mode)) {
    return Refusal(path, "is a folder, and tune needs a file there");
  }
  if (!is_folder && !S_ISREG(about.st_mode)) {
    return Refusal(path, "is not a regular file");
  }
  if (is_folder && about.st_dev != file_system) {
    return Refusal(path, "is another file system than its folder");
  }
  return absl::OkStatus();
}

// Appends the names of the files below the folder `name`.
absl::Status AppendFilesBelow(const std::string& folder,
                              const std::string& name,
                              std::vector<std::string>& files) {
  ASSIGN_OR_RETURN(const std::vector<std::string> children,
                   ListDirectory(absl::StrCat(folder, "/", name)));
  for (const std::string& child : children) {
    const std::string path = absl::StrCat(folder, "/", name, child);
    struct stat about;
    if (lstat(path.c_str(), &about) != 0) return Error(path);
    const std::string child_name =
        absl::StrCat(name, child, S_ISDIR(about.st_mode) ? "/" : "");
    ASSIGN_OR_RETURN(const std::vector<std::string> more,
                     FilesOf(folder, child_name));
    files.insert(files.end(), more.begin(), more.end());
  }
  return absl::OkStatus();
}

}  // namespace

bool Covers(const FolderNames& names, absl::string_view name) {
  if (names.contains(name)) return true;
  for (size_t slash = name.find('/'); slash != name.npos;
       slash = name.find('/', slash + 1)) {
    if (names.contains(name.substr(0, slash + 1))) return true;
  }
  return false;
}

absl::Status CheckName(absl::string_view name) {
  const std::vector<absl::string_view> parts = Parts(name);
  bool valid = parts.front() != kOwnFolder && !absl::StrContains(name, '\n') &&
               !absl::StrContains(name, '\0');
  for (const absl::string_view part : parts) {
    valid = valid && !part.empty() && part != "." && part != "..";
  }
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "' cannot be a file in an output folder"));
}

absl::StatusOr<bool> EntryExists(const std::string& folder,
                                 absl::string_view name) {
  RETURN_IF_ERROR(CheckLengths(folder, name));
  struct stat about;
  if (stat(folder.c_str(), &about) != 0) return Error(folder);
  const dev_t file_system = about.st_dev;
  size_t end = 0;  // of the part of `name` that is looked at
  for (const absl::string_view part : Parts(name)) {
    end += part.size();
    const std::string path = absl::StrCat(folder, "/", name.substr(0, end));
    if (lstat(path.c_str(), &about) != 0) {
      if (errno == ENOENT) return false;
      return Error(path);
    }
    RETURN_IF_ERROR(CheckKind(path, about, end < name.size(), file_system));
    ++end;
  }
  return true;
}

absl::StatusOr<std::vector<std::string>> FilesOf(const std::string& folder,
                                                 const std::string& name) {
  ASSIGN_OR_RETURN(const bool exists, EntryExists(folder, name));
  std::vector<std::string> files;
  if (!exists) return files;
  if (absl::EndsWith(name, "/")) {
    RETURN_IF_ERROR(AppendFilesBelow(folder, name, files));
  } else {
    files.push_back(name);
  }
  return files;
}

absl::Status Refusal(absl::string_view path, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(
      path, " ", why, "; move it away or choose another --output_dir"));
}

}  // namespace pruner
