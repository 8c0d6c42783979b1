// Files in the output folder by their names, such as "summary.json" and
// "schedules/resnet50/": what is on disk, with no link ever followed. A name
// that ends with a slash is a folder's.
#ifndef MODELS_JOB_FOLDER_ENTRY_H_
#define MODELS_JOB_FOLDER_ENTRY_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Where the tuner keeps its own things in the output folder.
inline constexpr absl::string_view kOwnFolder = ".pruner";

using FolderNames = std::set<std::string, std::less<>>;

// Whether one of the names is `name` or a folder that `name` is in.
bool Covers(const FolderNames& names, absl::string_view name);

// InvalidArgument if this cannot be the name of a file that a run writes:
// absolute, with "..", in the tuner's own folder, …
absl::Status CheckName(absl::string_view name);

// Whether there is a file or folder of this name. InvalidArgument, with what to
// do, if there is something else in its place or on the way to it: a link, a
// file for a folder, a folder for a file, a device, another file system; or if
// the file system does not take a name so long.
absl::StatusOr<bool> EntryExists(const std::string& folder,
                                 absl::string_view name);

// The names of the files of which EntryExists asks, sorted: `name`, or all that
// is below it if it is a folder's; none if there is nothing.
absl::StatusOr<std::vector<std::string>> FilesOf(const std::string& folder,
                                                 const std::string& name);

// InvalidArgument "PATH WHY; move it away or choose another --output_dir".
absl::Status Refusal(absl::string_view path, absl::string_view why);

}  // namespace pruner

#endif  // MODELS_JOB_FOLDER_ENTRY_H_
