// A measurement in a process of its own: fork, compile just in time, report
// back.
#include <sys/wait.h>
#include <unistd.h>

#include "Halide.h"
#include "gtest/gtest.h"

namespace {

int Compute() {
  Halide::Func f("f");
  Halide::Var x("x");
  f(x) = x * x;
  f.vectorize(x, 8).parallel(x);
  Halide::Buffer<int> out = f.realize({64});
  return out(7);
}

TEST(HalideProcessTest, ChildrenCompileJustInTime) {
  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(Compute());
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 49);
  }
}

TEST(HalideProcessTest, ACrashStaysInTheChild) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) abort();
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
