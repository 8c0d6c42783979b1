// Kernels whose memory is claimed before they write it compute what they would
// otherwise.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/kernel_threads.h"
#include "halide_ext/lower/directive.h"
#include "halide_ext/tests/checked_kernels.h"
#include "pruner/base/os/huge_memory.h"

namespace pruner {
namespace {

constexpr int kRows = 96, kColumns = 128, kDepth = 8;

// As aligned as kernels want them.
class Floats {
 public:
  explicit Floats(size_t size)
      : size_(size), memory_(*HugeMemory::Allocate(size * sizeof(float))) {}

  float* data() const { return static_cast<float*>(memory_.data()); }
  absl::Span<float> span() const { return {data(), size_}; }

 private:
  size_t size_;
  HugeMemory memory_;
};

// The product, and the output after it, once with and once without claims.
class ClaimedMemoryTest : public testing::Test {
 protected:
  ClaimedMemoryTest() {
    SetKernelThreads(3);
    for (const KernelArgument& argument : pipeline_.arguments()) {
      memory_.emplace_back(argument.NumElements());
      int i = 0;
      for (float& value : memory_.back().span())
        value = static_cast<float>(i++ % 7 - 3);
      tensors_.push_back(memory_.back().data());
    }
  }

  std::vector<float> Run(const Kernel& kernel, bool claim_memory) {
    const absl::Span<float> output = memory_.back().span();
    std::fill(output.begin(), output.end(),
              std::numeric_limits<float>::quiet_NaN());
    EXPECT_TRUE(kernel.Run(tensors_, {.claim_memory = claim_memory}).ok());
    return {output.begin(), output.end()};
  }

  void Check(const ScheduleFunction& schedule) {
    const auto kernel = pipeline_.Compile(schedule, CheckedTarget());
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    const std::vector<float> expected =
        Run(*pipeline_.CompileReference(), false);
    EXPECT_EQ(Run(*kernel, false), expected);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(Run(*kernel, true), expected) << i;
  }

  const Workload workload_ =
      *MakeWorkload("matmul", MatmulReluPipeline(kRows, kColumns, kDepth));
  const WorkloadPipeline pipeline_ =
      *WorkloadPipeline::Load(workload_.pipeline);
  std::vector<Floats> memory_;
  std::vector<void*> tensors_;
};

TEST_F(ClaimedMemoryTest, OfParallelLoops) {
  Check([](Halide::Pipeline& pipeline) {
    auto funcs = FuncsOf(pipeline);
    Halide::Func out = funcs.at("out"), product = funcs.at("product");
    out.parallel(out.args()[1]);
    product.compute_root().parallel(product.args()[1]);
    product.update().parallel(product.args()[1]);
    return absl::OkStatus();
  });
}

// Memory that is allocated, and written by one thread before any loop.
TEST_F(ClaimedMemoryTest, OfSerialLoopsBeforeThem) {
  Check([](Halide::Pipeline& pipeline) {
    auto funcs = FuncsOf(pipeline);
    Halide::Func out = funcs.at("out"), product = funcs.at("product");
    out.parallel(out.args()[1]);
    product.compute_root();
    return absl::OkStatus();
  });
}

TEST_F(ClaimedMemoryTest, OfOneThread) {
  Check([](Halide::Pipeline& pipeline) {
    FuncsOf(pipeline).at("product").compute_root();
    return absl::OkStatus();
  });
}

TEST_F(ClaimedMemoryTest, OfTilesWithMemoryOfTheirOwn) {
  Check([](Halide::Pipeline& pipeline) {
    auto funcs = FuncsOf(pipeline);
    Halide::Func out = funcs.at("out"), product = funcs.at("product");
    const Halide::Var rows("rows"), row("row");
    out.split(out.args()[1], rows, row, kRows / 3).parallel(rows);
    product.compute_at(out, rows).store_in(Halide::MemoryType::Heap);
    return absl::OkStatus();
  });
}

// The output itself is summed up: half written when the parallel loop begins.
TEST(ClaimedOutputTest, IsNotClaimedOnceItIsWritten) {
  SetKernelThreads(3);
  Halide::ImageParam a(Halide::Float(32), 1, "a");
  const Halide::Var x("x");
  Halide::Func out("out");
  out(x) = 1.0f;
  out(x) += a(x);
  constexpr int kSize = 1 << 16;
  out.bound(x, 0, kSize);
  a.dim(0).set_bounds(0, kSize);
  const Workload workload = *MakeWorkload("sum", out);
  const WorkloadPipeline pipeline = *WorkloadPipeline::Load(workload.pipeline);
  const Kernel kernel = *pipeline.Compile(
      [](Halide::Pipeline& p) {
        Halide::Func f = p.outputs()[0];
        const Halide::Var outer("outer"), inner("inner");
        f.update().split(f.args()[0], outer, inner, 1024).parallel(outer);
        return absl::OkStatus();
      },
      CheckedTarget());
  Floats input(kSize), output(kSize);
  std::fill(input.span().begin(), input.span().end(), 2.0f);
  ASSERT_TRUE(
      kernel.Run({input.data(), output.data()}, {.claim_memory = true}).ok());
  for (const float value : output.span()) ASSERT_EQ(value, 3.0f);
}

// That there are claims at all.
TEST(ClaimMemoryTest, ZeroesWhatIsClaimed) {
  SetKernelThreads(3);
  Floats memory(1 << 16);
  std::fill(memory.span().begin(), memory.span().end(), 7.0f);
  ClaimMemory({{memory.data(), memory.span().size() * sizeof(float)}});
#if defined(__x86_64__)
  constexpr int kFloatsInALine = 16;
  int kept = 0;
  for (const float value : memory.span()) kept += value == 7.0f;
  // Lines of which two threads have a part.
  EXPECT_LE(kept, 3 * kFloatsInALine);
#endif
}

}  // namespace
}  // namespace pruner
