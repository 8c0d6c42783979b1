#include "pruner/base/os/program_path.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

TEST(ProgramPathTest, NamesTheRunningProgram) {
  EXPECT_THAT(ProgramPath(), StartsWith("/"));
  EXPECT_THAT(ProgramPath(), EndsWith("/program_path_test"));
  EXPECT_TRUE(FileExists(ProgramPath()));
}

}  // namespace
}  // namespace pruner
