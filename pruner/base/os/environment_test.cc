#include "pruner/base/os/environment.h"

#include <sched.h>

#include <optional>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(EnvironmentTest, VariablesComeBack) {
  EXPECT_EQ(GetEnv("PRUNER_TEST_VARIABLE"), std::nullopt);
  SetEnv("PRUNER_TEST_VARIABLE", "a b");
  EXPECT_EQ(GetEnv("PRUNER_TEST_VARIABLE"), "a b");
  SetEnv("PRUNER_TEST_VARIABLE", "");
  EXPECT_EQ(GetEnv("PRUNER_TEST_VARIABLE"), "");
  UnsetEnv("PRUNER_TEST_VARIABLE");
  EXPECT_EQ(GetEnv("PRUNER_TEST_VARIABLE"), std::nullopt);
}

TEST(EnvironmentTest, CountsOnlyTheCpusItMayUse) {
  const int last = AvailableCpus().back();
  EXPECT_GE(CpuCount(), 1);
  // In a thread of its own, as the limit is the thread's.
  std::thread([last] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(last, &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof(set), &set), 0);
    EXPECT_THAT(AvailableCpus(), ElementsAre(last));
    EXPECT_EQ(CpuCount(), 1);
  }).join();
}

TEST(EnvironmentTest, TheHostHasAName) {
  EXPECT_THAT(HostName(), Not(IsEmpty()));
}

TEST(EnvironmentTest, RelativePathsStartWhereTheUserIs) {
  UnsetEnv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(ResolveUserPath("a/b"), "a/b");
  SetEnv("BUILD_WORKING_DIRECTORY", "/home/user");
  EXPECT_EQ(ResolveUserPath("a/b"), "/home/user/a/b");
  EXPECT_EQ(ResolveUserPath("/a/b"), "/a/b");
  EXPECT_EQ(ResolveUserPath(""), "");
  SetEnv("BUILD_WORKING_DIRECTORY", "");
  EXPECT_EQ(ResolveUserPath("a/b"), "a/b");
}

}  // namespace
}  // namespace pruner
