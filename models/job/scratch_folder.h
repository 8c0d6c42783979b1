// A folder for the workers' reference outputs, which goes with the run.
#ifndef MODELS_JOB_SCRATCH_FOLDER_H_
#define MODELS_JOB_SCRATCH_FOLDER_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace pruner {

// A new folder PARENT/scratch-XXXXXX. The destructor deletes the regular files
// reference-* in it and, if nothing is left, the folder.
class ScratchFolder {
 public:
  static absl::StatusOr<ScratchFolder> Create(const std::string& parent);

  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, "")) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// Deletes as much of the folders that runs which were killed left in `parent`.
// What cannot be deleted stays without a word: it is in nobody's way.
void RemoveLeftScratchFolders(const std::string& parent);

}  // namespace pruner

#endif  // MODELS_JOB_SCRATCH_FOLDER_H_
