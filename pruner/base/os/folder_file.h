// A file that another file names, as a model names the file of its weights.
// Whoever wrote that name reaches the files of one folder, and no others.
#ifndef PRUNER_BASE_OS_FOLDER_FILE_H_
#define PRUNER_BASE_OS_FOLDER_FILE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {

class FolderFile {
 public:
  // Opens `name`, a path relative to `folder`, for reading. InvalidArgument if
  // the name is empty or absolute or has "..", if symbolic links lead out of
  // the folder, or if it is no regular file; NotFound if there is none.
  static absl::StatusOr<FolderFile> Open(const std::string& folder,
                                         absl::string_view name);

  // In bytes, when it was opened.
  int64_t size() const { return size_; }

  // The `size` bytes from `offset` on. OutOfRange, before there is memory for
  // them, if the file does not have these.
  absl::StatusOr<std::string> Read(int64_t offset, int64_t size) const;

 private:
  FolderFile(std::string path, FileDescriptor file, int64_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  std::string path_;
  FileDescriptor file_;
  int64_t size_;
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_FOLDER_FILE_H_
