// Files of the workspace that a test compares with, and can write.
#ifndef TOOLS_TESTS_GOLDEN_H_
#define TOOLS_TESTS_GOLDEN_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "tools/tests/tool_test.h"

namespace pruner {

// Compares `actual` with a file, named from the workspace's root, or writes it
// if that is asked for. `test` is the label of the test.
inline void ExpectGolden(const std::string& test, const std::string& file,
                         const std::string& actual) {
  const auto workspace = GetEnv("BUILD_WORKSPACE_DIRECTORY");
  if (GetEnv("UPDATE_GOLDENS") && workspace) {
    ASSERT_EQ(WriteFileAtomically(absl::StrCat(*workspace, "/", file), actual),
              absl::OkStatus());
    return;
  }
  EXPECT_EQ(ReadFileOrDie(file), actual)
      << "if that is meant: UPDATE_GOLDENS=1 bazel run " << test;
}

}  // namespace pruner

#endif  // TOOLS_TESTS_GOLDEN_H_
