#include "pruner/pacm/torch_border.h"

#include <new>
#include <stdexcept>

#include "ATen/Parallel.h"
#include "absl/status/status_matchers.h"
#include "c10/util/Exception.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

TEST(TorchBorderTest, ExceptionsBecomeErrors) {
  EXPECT_THAT(
      CatchTorch("adding",
                 []() -> absl::Status {
                   TORCH_CHECK(false, "shapes differ\nby one");
                   return absl::OkStatus();
                 }),
      StatusIs(absl::StatusCode::kInternal, "LibTorch, adding: shapes differ"));
  EXPECT_THAT(CatchTorch("adding",
                         []() -> absl::Status {
                           throw std::runtime_error("no\nstack");
                         }),
              StatusIs(absl::StatusCode::kInternal, "LibTorch, adding: no"));
  EXPECT_THAT(
      CatchTorch("adding", []() -> absl::Status { throw std::bad_alloc(); }),
      StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("adding")));
  // NOLINTNEXTLINE(bugprone-std-exception-baseclass)
  EXPECT_THAT(CatchTorch("adding", []() -> absl::Status { throw 7; }),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("adding")));
}

TEST(TorchBorderTest, WhatIsReturnedPasses) {
  ABSL_EXPECT_OK(CatchTorch("adding", [] { return absl::OkStatus(); }));
  EXPECT_THAT(CatchTorch("adding", [] { return absl::NotFoundError("it"); }),
              StatusIs(absl::StatusCode::kNotFound, "it"));
}

TEST(TorchThreadsTest, AreAsManyAsWereAskedForWhileItLives) {
  const int before = at::get_num_threads();
  {
    const TorchThreads threads(before + 1);
    EXPECT_EQ(at::get_num_threads(), before + 1);
    const TorchThreads as_they_are(0);
    EXPECT_EQ(at::get_num_threads(), before + 1);
  }
  EXPECT_EQ(at::get_num_threads(), before);
}

}  // namespace
}  // namespace pruner
