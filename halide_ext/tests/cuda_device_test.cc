// Kernels on a real CUDA device: what they compute, and how fast. Without one,
// every test is skipped. The program needs nothing beside it but libHalide.so
// (and libcublas.so, to compare with), so that it can be taken to a machine
// that has a GPU.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/checked_kernels.h"
#include "halide_ext/tests/cublas.h"
#include "halide_ext/tests/sample_kernels.h"
#include "pruner/base/clock.h"
#include "pruner/base/rng.h"
#include "pruner/sample/schedule_sampler.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

class CudaDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override { EndsWithout("cuda", DeviceAvailable(target_)); }

  // Code for compute capability 8.0 runs on everything newer.
  const TargetSpec target_ = SampleGpuTarget();
};

void ExpectRight(const SampleKernel& sample, const TargetSpec& target) {
  const absl::StatusOr<Kernel> kernel =
      sample.pipeline.Compile(sample.schedule, target);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  const auto expected =
      RunChecked(sample.pipeline, *sample.pipeline.CompileReference());
  const auto actual = RunChecked(sample.pipeline, *kernel);
  ASSERT_TRUE(actual.ok()) << actual.status();
  EXPECT_EQ(*actual, *expected);
}

TEST_F(CudaDeviceTest, GemmIsRight) {
  for (const bool vectorize : {false, true}) {
    ExpectRight(
        GemmKernel(
            {.rows = 200, .columns = 256, .depth = 64, .vectorize = vectorize}),
        target_);
  }
}

TEST_F(CudaDeviceTest, ConvolutionIsRight) {
  for (const bool fused_threads : {false, true}) {
    for (const bool vectorize : {false, true}) {
      ExpectRight(
          ConvKernel({.size = 30,
                      .in_channels = 16,
                      .channel = {.threads = 8, .vthreads = 2, .inner = 4},
                      .x = {.threads = 7, .vthreads = 2, .inner = 2},
                      .y = {.threads = 4, .vthreads = 2, .inner = 1},
                      .fused_threads = fused_threads,
                      .vectorize = vectorize}),
          target_);
    }
  }
}

// A kernel with tensors that stay on the device; inputs are small integers.
struct Loaded {
  Loaded(const SampleKernel& sample, const TargetSpec& target)
      : Loaded(*sample.pipeline.Compile(sample.schedule, target),
               sample.pipeline.arguments()) {}
  Loaded(Kernel compiled, const std::vector<KernelArgument>& arguments)
      : kernel(std::move(compiled)) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      std::vector<float>& host =
          hosts.emplace_back(arguments[i].NumElements() + 16);
      for (size_t e = 0; e < host.size(); ++e)
        host[e] = static_cast<float>((e * 7 + i + e / 4096) % 5) - 2;
      auto address = reinterpret_cast<uintptr_t>(host.data());
      address = (address + 63) / 64 * 64;
      tensors.push_back(std::make_unique<KernelTensor>(
          arguments[i], reinterpret_cast<void*>(address)));
      pointers.push_back(tensors.back().get());
    }
  }
  const float* Host(int i) const {
    return static_cast<const float*>(pointers[i]->host());
  }

  Kernel kernel;
  std::vector<std::vector<float>> hosts;
  std::vector<std::unique_ptr<KernelTensor>> tensors;
  std::vector<KernelTensor*> pointers;
};

// Many runs in a row take at most as long by the device's clock as by ours.
TEST_F(CudaDeviceTest, EventsMeasureTheDevice) {
  Loaded gemm(GemmKernel({}), target_);
  ASSERT_TRUE(gemm.kernel.Time(gemm.pointers, 1).ok());
  constexpr int kRuns = 200;
  Clock& clock = RealClock();
  const absl::Duration start = clock.Elapsed();
  const absl::StatusOr<double> seconds = gemm.kernel.Time(gemm.pointers, kRuns);
  const double wall = absl::ToDoubleSeconds(clock.Elapsed() - start);
  ASSERT_TRUE(seconds.ok()) << seconds.status();
  EXPECT_LE(*seconds * kRuns, wall * 1.01);
  EXPECT_GE(*seconds * kRuns, wall * 0.5);
}

constexpr int kSize = 4096;

GemmOptions RandomGemm(Rng& rng) {
  const auto tile = [&rng] {
    return GemmTile{.threads = 8 << rng.Uniform(0, 2),
                    .vthreads = 1 << rng.Uniform(0, 2),
                    .inner = 2 << rng.Uniform(0, 2)};
  };
  for (;;) {
    GemmOptions options = {.rows = kSize,
                           .columns = kSize,
                           .depth = kSize,
                           .row = tile(),
                           .column = tile(),
                           .depth_tile = 8 << rng.Uniform(0, 2),
                           .vectorize = rng.Chance(0.5)};
    const GemmTile& row = options.row;
    const GemmTile& column = options.column;
    const int threads = row.threads * column.threads;
    const int accumulators =
        row.vthreads * row.inner * column.vthreads * column.inner;
    const int shared = 4 * options.depth_tile * (row.Block() + column.Block());
    if (threads >= 128 && threads <= 512 && accumulators >= 16 &&
        accumulators <= 128 && shared <= 49152) {
      return options;
    }
  }
}

// A few elements of the product, in double.
void ExpectProduct(const Loaded& gemm) {
  Rng rng(2);
  for (int check = 0; check < 64; ++check) {
    const int64_t row = rng.Uniform(0, kSize - 1);
    const int64_t column = rng.Uniform(0, kSize - 1);
    double sum = 0;
    for (int64_t k = 0; k < kSize; ++k)
      sum += gemm.Host(0)[row * kSize + k] * gemm.Host(1)[k * kSize + column];
    EXPECT_EQ(gemm.Host(2)[row * kSize + column], std::max(sum, 0.0));
  }
}

constexpr double kGigaOperations = 2e-9 * kSize * kSize * kSize;

void PrintRate(const std::string& what, double seconds) {
  std::printf("%-44s %8.0f GFLOP/s\n", what.c_str(), kGigaOperations / seconds);
}

// Checks a product and returns its seconds.
double CheckAndTime(Loaded& gemm) {
  constexpr double kNever = 1e9;
  if (absl::Status status = gemm.kernel.Run(gemm.pointers); !status.ok()) {
    ADD_FAILURE() << status;
    return kNever;
  }
  EXPECT_TRUE(gemm.pointers[2]->ReadToHost().ok());
  ExpectProduct(gemm);
  const absl::StatusOr<double> seconds = gemm.kernel.Time(gemm.pointers, 20);
  EXPECT_TRUE(seconds.ok()) << seconds.status();
  return seconds.value_or(kNever);
}

// Whether a block of the kernel takes more registers than there are: how many a
// thread takes is known when the driver has compiled it.
bool IsTooLarge(const absl::Status& status) {
  return absl::StrContains(status.message(),
                           "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
}

// Beside cuBLAS, where that is installed.
void Compare(double best, double expected_part) {
  PrintRate("best", best);
  const absl::StatusOr<double> cublas = CublasGemmSeconds(kSize, 20);
  if (!cublas.ok()) {
    std::printf("%s\n", std::string(cublas.status().message()).c_str());
    return;
  }
  PrintRate("cuBLAS", *cublas);
  std::printf("best, of cuBLAS: %.0f %%\n", 100 * *cublas / best);
  EXPECT_GT(*cublas / best, expected_part);
}

TEST_F(CudaDeviceTest, BestOfRandomTilesAgainstCublas) {
  Rng rng(1);
  double best = 1e9;
  for (int i = 0; i < 24; ++i) {
    GemmOptions options = {.rows = kSize, .columns = kSize, .depth = kSize};
    if (i > 0) options = RandomGemm(rng);
    Loaded gemm(GemmKernel(options), target_);
    const double seconds = CheckAndTime(gemm);
    best = std::min(best, seconds);
    const GemmTile& r = options.row;
    const GemmTile& c = options.column;
    PrintRate(absl::StrFormat("%d*%d*%d x %d*%d*%d, depth %d%s", r.vthreads,
                              r.threads, r.inner, c.vthreads, c.threads,
                              c.inner, options.depth_tile,
                              options.vectorize ? ", vectors" : ""),
              seconds);
  }
  Compare(best, 0.3);
}

TEST_F(CudaDeviceTest, BestOfSampledSchedulesAgainstCublas) {
  const Workload workload =
      *MakeWorkload("gemm", MatmulReluPipeline(kSize, kSize, kSize));
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const SketchContext context = {.dag = workload.dag, .target = target_};
  ScheduleSampler sampler =
      *ScheduleSampler::Create(context, *GenerateSketches(context));
  Rng rng(1);
  constexpr int kKernels = 32;
  double best = 1e9;
  int ran = 0, too_large = 0, refused = 0;
  for (int draws = 0; draws < 100000 && ran < kKernels; ++draws) {
    const absl::StatusOr<Draw> draw = sampler.Sample(rng);
    ASSERT_TRUE(draw.ok()) << draw.status();
    const auto* schedule = std::get_if<Schedule>(&*draw);
    if (schedule == nullptr) continue;
    absl::StatusOr<Kernel> kernel = pipeline.Compile(*schedule, target_);
    refused += kernel.ok() ? 0 : 1;
    if (!kernel.ok()) continue;
    Loaded gemm(*std::move(kernel), pipeline.arguments());
    if (IsTooLarge(gemm.kernel.Run(gemm.pointers))) {
      ++too_large;
      continue;
    }
    ++ran;
    // Most are slow; what is not among the fast ones is checked, no more.
    const absl::StatusOr<double> once = gemm.kernel.Time(gemm.pointers, 1);
    ASSERT_TRUE(once.ok()) << once.status();
    if (*once < 3 * best) {
      best = std::min(best, CheckAndTime(gemm));
    } else {
      EXPECT_TRUE(gemm.pointers[2]->ReadToHost().ok());
      ExpectProduct(gemm);
    }
  }
  EXPECT_EQ(ran, kKernels);
  std::printf(
      "%d sampled schedules run, %d take too many registers, %d do not "
      "compile\n",
      ran, too_large, refused);
  Compare(best, 0.1);
}

}  // namespace
}  // namespace pruner
