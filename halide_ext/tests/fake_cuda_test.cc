// What kernels do with a CUDA driver, by one that runs nothing.
#include "halide_ext/tests/fake_cuda.h"

#include <dlfcn.h>

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/sample_kernels.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

FakeCudaLog& Log() {
  void* const library = dlopen("libcuda.so.1", RTLD_LAZY);
  EXPECT_NE(library, nullptr) << dlerror();
  return *reinterpret_cast<FakeCudaLogFunction*>(
      dlsym(library, kFakeCudaLogName))();
}

// A kernel of 256 threads with its tensors.
struct Loaded {
  explicit Loaded(const GemmTile& tile = {}, int size = 1024) {
    const SampleKernel sample = GemmKernel({.rows = size,
                                            .columns = size,
                                            .depth = 64,
                                            .row = tile,
                                            .column = tile});
    kernel = std::make_unique<Kernel>(
        *sample.pipeline.Compile(sample.schedule, SampleGpuTarget()));
    for (const KernelArgument& argument : sample.pipeline.arguments()) {
      hosts.emplace_back(argument.NumElements() + 16, 3.0f);
      auto address = reinterpret_cast<uintptr_t>(hosts.back().data());
      address = (address + 63) / 64 * 64;
      tensors.push_back(std::make_unique<KernelTensor>(
          argument, reinterpret_cast<void*>(address)));
      pointers.push_back(tensors.back().get());
    }
  }

  std::unique_ptr<Kernel> kernel;
  std::vector<std::vector<float>> hosts;
  std::vector<std::unique_ptr<KernelTensor>> tensors;
  std::vector<KernelTensor*> pointers;
};

TEST(FakeCudaTest, LoadsOnceAndCopiesOnce) {
  Log() = {};
  Loaded gemm;
  for (int i = 0; i < 3; ++i) {
    const absl::Status status = gemm.kernel->Run(gemm.pointers);
    ASSERT_TRUE(status.ok()) << status;
  }
  EXPECT_EQ(Log().own_contexts, 0) << "the primary context is used";
  EXPECT_EQ(Log().modules, 1);
  EXPECT_EQ(Log().launches, 3);
  EXPECT_EQ(Log().threads, 256);
  EXPECT_EQ(Log().copies_to_device, 3);
  EXPECT_EQ(Log().copies_to_host, 0);
  ASSERT_TRUE(gemm.pointers[2]->ReadToHost().ok());
  EXPECT_EQ(Log().copies_to_host, 1);
}

// 256 threads may use all that there are for one; 1024 threads a quarter of
// 65536.
TEST(FakeCudaTest, RegistersAreWhatABlockLeaves) {
  Log() = {};
  Loaded few;
  ASSERT_TRUE(few.kernel->Run(few.pointers).ok());
  EXPECT_EQ(Log().max_registers, 255);
  Loaded many({.threads = 32, .vthreads = 1, .inner = 2});
  ASSERT_TRUE(many.kernel->Run(many.pointers).ok());
  EXPECT_EQ(Log().threads, 1024);
  EXPECT_EQ(Log().max_registers, 64);
}

TEST(FakeCudaTest, TimeIsTheDevices) {
  Log() = {};
  Loaded gemm;
  const absl::StatusOr<double> seconds = gemm.kernel->Time(gemm.pointers, 7);
  ASSERT_TRUE(seconds.ok()) << seconds.status();
  EXPECT_EQ(Log().launches, 7);
  EXPECT_NEAR(*seconds, 1e-3, 1e-9);
}

TEST(FakeCudaTest, WhatTheDriverRefusesIsAnError) {
  Log() = {};
  Loaded gemm;
  constexpr int kLaunchOutOfResources = 701;
  Log().launch_error = kLaunchOutOfResources;
  EXPECT_THAT(std::string(gemm.kernel->Run(gemm.pointers).message()),
              HasSubstr("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"));
  EXPECT_TRUE(gemm.kernel->Run(gemm.pointers).ok());
  // Larger than what was freed, which is used again.
  Loaded other({}, 2048);
  constexpr int kOutOfMemory = 2;
  Log().allocation_error = kOutOfMemory;
  EXPECT_THAT(std::string(other.kernel->Run(other.pointers).message()),
              HasSubstr("CUDA_ERROR_OUT_OF_MEMORY"));
}

}  // namespace
}  // namespace pruner
