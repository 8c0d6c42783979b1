// CUDA code is compiled and assessed without a GPU; running it needs a driver.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "Halide.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace {

using bazel::tools::cpp::runfiles::Runfiles;
using Halide::Func;
using Halide::Target;
using Halide::Var;

Func MakeKernel() {
  Func f("f");
  Var x("x"), y("y"), xi("xi"), yi("yi");
  f(x, y) = Halide::cast<float>(x) * y;
  f.gpu_tile(x, y, xi, yi, 16, 16);
  return f;
}

// Halide keeps a module's PTX in one of its buffers.
std::string Ptx(const Halide::Module& module) {
  for (const Halide::Buffer<>& buffer : module.buffers()) {
    if (buffer.name().find("gpu_source_kernels") != std::string::npos) {
      const char* text = reinterpret_cast<const char*>(buffer.data());
      return std::string(text, strnlen(text, buffer.size_in_bytes()));
    }
  }
  return "";
}

std::string Shell(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char chunk[4096];
  while (const size_t n = fread(chunk, 1, sizeof(chunk), pipe)) {
    output.append(chunk, n);
  }
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << output;
  return output;
}

class PtxasTest : public testing::TestWithParam<std::string> {};

TEST_P(PtxasTest, ReportsRegisters) {
  std::string error;
  std::unique_ptr<Runfiles> runfiles(Runfiles::CreateForTest(&error));
  ASSERT_NE(runfiles, nullptr) << error;
  const std::string ptx = Ptx(MakeKernel().compile_to_module(
      {}, "f", Target("x86-64-linux-cuda-cuda_capability_80-no_runtime")));
  EXPECT_THAT(ptx, testing::HasSubstr(".target sm_80"));
  const std::string path = testing::TempDir() + "/f.ptx";
  std::ofstream(path) << ptx;
  EXPECT_THAT(
      Shell(runfiles->Rlocation("cuda_tools/nvidia/cuda_nvcc/bin/ptxas") +
            " -v -arch=" + GetParam() + " -o " + path + ".cubin " + path),
      testing::ContainsRegex("Used [0-9]+ registers"));
}

INSTANTIATE_TEST_SUITE_P(Architectures, PtxasTest,
                         testing::Values("sm_80", "sm_86", "sm_90"));

TEST(HalideCudaTest, WithoutADriverThrows) {
  const Target target = Halide::get_host_target().with_feature(Target::CUDA);
  if (Halide::host_supports_target_device(target)) {
    GTEST_SKIP() << "there is a GPU";
  }
  EXPECT_THROW(MakeKernel().realize({32, 32}, target), Halide::RuntimeError);
}

}  // namespace
