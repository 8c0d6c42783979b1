// A file that is compiled in, because a program or plugin that was installed
// somewhere has no workspace to read it from; see packaged_files.bzl.
#ifndef PRUNER_BASE_PACKAGED_FILE_H_
#define PRUNER_BASE_PACKAGED_FILE_H_

#include "absl/strings/string_view.h"

namespace pruner {

struct PackagedFile {
  absl::string_view name;  // without folder and extension
  absl::string_view contents;
};

}  // namespace pruner

#endif  // PRUNER_BASE_PACKAGED_FILE_H_
