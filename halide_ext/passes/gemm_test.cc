// The pass on whole kernels: what ptxas says of them, and what they compute.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/passes/promote_registers.h"
#include "halide_ext/passes/sample_gemm.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/subprocess.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"
#include "pruner/target/sample_targets.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {
namespace {

using ::bazel::tools::cpp::runfiles::Runfiles;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What ptxas says of a kernel, per thread.
struct KernelUse {
  int registers = -1;
  int stack_bytes = -1;
  int spill_bytes = -1;
  std::string ptx;
};

// The number in front of `unit` in `text`, or -1.
int NumberBefore(const std::string& text, const std::string& unit) {
  const size_t end = text.find(unit);
  if (end == std::string::npos) return -1;
  const size_t start = text.find_last_not_of("0123456789", end - 1) + 1;
  return start == end ? -1 : std::stoi(text.substr(start, end - start));
}

KernelUse Assess(Gemm& gemm) {
  const TempDirectory directory = TempDirectory::Create().value();
  const std::string path = directory.File("gemm.ptx");
  gemm.pipeline.compile_to(
      {{Halide::OutputFileType::device_code, path}},
      gemm.pipeline.infer_arguments(), "gemm",
      Halide::Target("x86-64-linux-cuda-cuda_capability_80"));
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::CreateForTest(&error));
  EXPECT_NE(runfiles, nullptr) << error;
  const CommandResult result =
      RunCommand({runfiles->Rlocation("cuda_tools/nvidia/cuda_nvcc/bin/ptxas"),
                  "-v", "-arch=sm_80", "-o", directory.File("gemm.cubin"),
                  path})
          .value();
  EXPECT_TRUE(result.ok()) << result.stderr_text;
  const std::string text = result.stdout_text + result.stderr_text;
  return {.registers = NumberBefore(text, " registers"),
          .stack_bytes = NumberBefore(text, " bytes stack frame"),
          .spill_bytes = NumberBefore(text, " bytes spill stores") +
                         NumberBefore(text, " bytes spill loads"),
          .ptx = ReadFile(path).value()};
}

std::string ReasonsOf(const PromotionReport& report) {
  std::string reasons;
  for (const Refusal& refusal : report.refusals) {
    absl::StrAppend(&reasons, refusal.allocation, ": ", refusal.reason, "\n");
  }
  return reasons;
}

struct PtxCase {
  std::string name;
  GemmTile row = {};
  GemmTile column = {};
  bool vectorize = false;
  bool needs_pass = true;
};

class GemmPtxTest : public ::testing::TestWithParam<PtxCase> {
 protected:
  GemmOptions Options() const {
    return {.row = GetParam().row,
            .column = GetParam().column,
            .vectorize = GetParam().vectorize};
  }
};

TEST_P(GemmPtxTest, AccumulatesInRegisters) {
  Gemm gemm = MakeGemm(Options());
  PromotionReport report;
  AddPromoteRegisters(gemm.pipeline, &report);
  const KernelUse use = Assess(gemm);
  EXPECT_EQ(use.stack_bytes, 0);
  EXPECT_EQ(use.spill_bytes, 0);
  EXPECT_GT(use.registers, 0);
  EXPECT_LE(use.registers, 255);
  EXPECT_THAT(use.ptx, HasSubstr(".target sm_80"));
  EXPECT_FALSE(absl::StrContains(use.ptx, ".local"));
  EXPECT_THAT(report.refusals, IsEmpty()) << ReasonsOf(report);
  ASSERT_THAT(report.promotions, SizeIs(1));
  const GemmTile& row = GetParam().row;
  const GemmTile& column = GetParam().column;
  EXPECT_EQ(report.promotions[0].elements_before, row.Block() * column.Block());
  EXPECT_EQ(report.promotions[0].elements,
            row.vthreads * row.inner * column.vthreads * column.inner);
  RecordProperty("registers", use.registers);
}

INSTANTIATE_TEST_SUITE_P(
    Tiles, GemmPtxTest,
    ::testing::Values(
        PtxCase{.name = "V2x2"},
        PtxCase{.name = "V2x2Vectors", .vectorize = true, .needs_pass = false},
        PtxCase{.name = "V1x1",
                .row = {.vthreads = 1},
                .column = {.vthreads = 1},
                .needs_pass = false},
        PtxCase{
            .name = "V2x1", .row = {.vthreads = 2}, .column = {.vthreads = 1}},
        PtxCase{.name = "V4x2",
                .row = {.vthreads = 4, .inner = 2},
                .column = {.vthreads = 2, .inner = 4}},
        PtxCase{.name = "V4x2Vectors",
                .row = {.vthreads = 4, .inner = 2},
                .column = {.vthreads = 2, .inner = 4},
                .vectorize = true,
                .needs_pass = false}),
    [](const auto& info) { return info.param.name; });

// Where accumulators are few, or vectors, LLVM finds the registers by itself.
TEST_P(GemmPtxTest, WithoutThePassEachThreadMayHaveTheTile) {
  Gemm gemm = MakeGemm(Options());
  const KernelUse use = Assess(gemm);
  const int tile_bytes = 4 * GetParam().row.Block() * GetParam().column.Block();
  EXPECT_EQ(use.stack_bytes, GetParam().needs_pass ? tile_bytes : 0);
  EXPECT_EQ(absl::StrContains(use.ptx, ".local"), GetParam().needs_pass);
  RecordProperty("registers", use.registers);
  RecordProperty("stack_bytes", use.stack_bytes);
  RecordProperty("spill_bytes", use.spill_bytes);
}

// Halide compiles this without a word, and the threads read elements that only
// others have computed.
TEST(GemmTest, ReadingAnotherThreadsElementIsReported) {
  Gemm gemm = MakeGemm({.reads_neighbour = true});
  PromotionReport report;
  AddPromoteRegisters(gemm.pipeline, &report);
  EXPECT_GT(Assess(gemm).stack_bytes, 0);
  EXPECT_THAT(report.promotions, IsEmpty());
  ASSERT_THAT(report.refusals, SizeIs(1));
  EXPECT_EQ(report.refusals[0].kind, RefusalKind::kSharedByThreads);
  EXPECT_THAT(report.refusals[0].allocation, HasSubstr("c"));
  EXPECT_THAT(report.refusals[0].reason,
              HasSubstr("use the same element, but each has a copy"));
}

struct RunCase {
  std::string name;
  GemmOptions options;
};

class GemmRunTest : public ::testing::TestWithParam<RunCase> {};

// Small integers, so that sums are exact in whatever order.
void Fill(Halide::Buffer<float>& buffer, int seed) {
  buffer.for_each_element([&](int x, int y) {
    buffer(x, y) = static_cast<float>((x * 7 + y * 13 + x * y + seed) % 5 - 2);
  });
  buffer.set_host_dirty();
}

TEST_P(GemmRunTest, IsRight) {
  const Halide::Target target =
      Halide::get_host_target().with_feature(Halide::Target::OpenCL);
  if (EndsWithout("opencl", DeviceAvailable(SampleOpenClTarget()))) return;
  const GemmOptions& options = GetParam().options;
  Gemm gemm = MakeGemm(options);
  PromotionReport report;
  AddPromoteRegisters(gemm.pipeline, &report);
  Halide::Buffer<float> a(options.depth, options.PaddedRows());
  Halide::Buffer<float> b(options.PaddedColumns(), options.depth);
  Fill(a, 1);
  Fill(b, 2);
  gemm.a.set(a);
  gemm.b.set(b);
  Halide::Buffer<float> out(options.columns, options.rows);
  gemm.pipeline.realize(out, target);
  out.copy_to_host();
  EXPECT_THAT(report.promotions, SizeIs(1)) << ReasonsOf(report);
  for (int y = 0; y < options.rows; ++y) {
    for (int x = 0; x < options.columns; ++x) {
      float sum = 0;
      for (int k = 0; k < options.depth; ++k) sum += a(k, y) * b(x, k);
      ASSERT_EQ(out(x, y), std::max(sum, 0.0f)) << "at " << x << ", " << y;
    }
  }
}

constexpr GemmTile kSmall = {.threads = 4, .vthreads = 2, .inner = 4};
constexpr GemmTile kManyVthreads = {.threads = 4, .vthreads = 4, .inner = 2};
constexpr GemmTile kOneVthread = {.threads = 8, .vthreads = 1, .inner = 4};

INSTANTIATE_TEST_SUITE_P(Tiles, GemmRunTest,
                         ::testing::Values(RunCase{"V2x2",
                                                   {.rows = 64,
                                                    .columns = 96,
                                                    .depth = 32,
                                                    .row = kSmall,
                                                    .column = kSmall}},
                                           RunCase{"V4x1Vectors",
                                                   {.rows = 64,
                                                    .columns = 64,
                                                    .depth = 48,
                                                    .row = kManyVthreads,
                                                    .column = kOneVthread,
                                                    .vectorize = true}},
                                           RunCase{"PartialTiles",
                                                   {.rows = 56,
                                                    .columns = 64,
                                                    .depth = 32,
                                                    .row = kSmall,
                                                    .column = kSmall}}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
