// OpenCL through whatever driver this machine has (PoCL runs it on the CPU).
#include "Halide.h"
#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "pruner/target/required_part.h"

namespace {

TEST(HalideOpenClTest, Runs) {
  const Halide::Target target =
      Halide::get_host_target().with_feature(Halide::Target::OpenCL);
  const absl::Status available =
      Halide::host_supports_target_device(target)
          ? absl::OkStatus()
          : absl::UnavailableError("there is no OpenCL device");
  if (pruner::EndsWithout("opencl", available)) return;
  Halide::Func f("f");
  Halide::Var x("x"), y("y"), xi("xi"), yi("yi");
  f(x, y) = x + 100 * y;
  f.gpu_tile(x, y, xi, yi, 8, 8);
  Halide::Buffer<int> out = f.realize({64, 64}, target);
  out.copy_to_host();
  EXPECT_EQ(out(3, 4), 403);
}

}  // namespace
