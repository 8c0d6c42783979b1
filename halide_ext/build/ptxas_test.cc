#include "halide_ext/build/ptxas.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/build/pinned_ptxas.h"

namespace pruner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(ParsePtxasReportTest, ReadsEveryKernel) {
  const std::vector<KernelResources> kernels = ParsePtxasReport(
      R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_80'
ptxas info    : Function properties for first
    65536 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 130 registers, used 1 barriers, 4096 bytes smem, 376 bytes cmem[0], 24 bytes cmem[2]
ptxas info    : Compile time = 1.000 ms
ptxas info    : Compiling entry function 'second' for 'sm_80'
ptxas info    : Function properties for second
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
)");
  ASSERT_THAT(kernels, SizeIs(2));
  EXPECT_EQ(kernels[0].kernel, "first");
  EXPECT_EQ(kernels[0].registers, 130);
  EXPECT_EQ(kernels[0].stack_bytes, 65536);
  EXPECT_EQ(kernels[0].spill_store_bytes, 12);
  EXPECT_EQ(kernels[0].spill_load_bytes, 16);
  EXPECT_EQ(kernels[0].shared_bytes, 4096);
  EXPECT_EQ(kernels[0].constant_bytes, 400);
  EXPECT_FALSE(kernels[0].InRegisters());
  EXPECT_EQ(kernels[1].kernel, "second");
  EXPECT_EQ(kernels[1].registers, 8);
  EXPECT_TRUE(kernels[1].InRegisters());
}

constexpr char kHead[] = ".version 7.0\n.target sm_70\n.address_size 64\n";

TEST(PtxasTest, AssessesKernels) {
  const auto kernels = PinnedPtxas().Assess(
      std::string(kHead) +
          ".visible .entry twice() { .shared .align 4 .b8 s[256]; .reg .b32 "
          "%r1;"
          " mov.u32 %r1, s; st.shared.u32 [s], %r1; ret; }",
      "sm_70");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_THAT(*kernels, SizeIs(1));
  EXPECT_EQ((*kernels)[0].kernel, "twice");
  EXPECT_EQ((*kernels)[0].shared_bytes, 256);
  EXPECT_GT((*kernels)[0].registers, 0);
}

TEST(PtxasTest, ErrorsAreVerbatim) {
  const absl::Status status =
      PinnedPtxas()
          .Assess(std::string(kHead) + ".visible .entry f() { nonsense; }",
                  "sm_80")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("ptxas: "));
  EXPECT_THAT(std::string(status.message()), HasSubstr("line 4"));
}

TEST(PtxasTest, TooMuchSharedMemoryIsAnError) {
  EXPECT_THAT(
      std::string(
          PinnedPtxas()
              .Assess(std::string(kHead) +
                          ".visible .entry big() { .shared .align 4 .b8 "
                          "s[65536]; .reg .b32 %r1; ld.shared.u32 %r1, "
                          "[s]; st.shared.u32 [s+4], %r1; ret; }",
                      "sm_80")
              .status()
              .message()),
      HasSubstr("too much shared data"));
}

TEST(PtxasTest, OldArchitecturesAreSaidToBeUnknown) {
  EXPECT_EQ(PinnedPtxas().CheckArchitecture("sm_70"), absl::OkStatus());
  for (const absl::Status& status :
       {PinnedPtxas().CheckArchitecture("sm_35"),
        PinnedPtxas().Assess(kHead, "sm_37").status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("is of a CUDA version that does not know sm_3"));
  }
}

TEST(PtxasTest, SaysItsVersion) {
  const auto version = PinnedPtxas().Version();
  ASSERT_TRUE(version.ok()) << version.status();
  EXPECT_THAT(*version, HasSubstr("Cuda compilation tools, release 1"));
}

TEST(PtxasTest, WithoutTheProgramNothingIsAssessed) {
  EXPECT_FALSE(Ptxas("/nowhere/ptxas").Assess(kHead, "sm_80").ok());
  const absl::Status status = Ptxas("/nowhere/ptxas").Version().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("'/nowhere/ptxas', cannot be run"), HasSubstr("$PATH")));
}

}  // namespace
}  // namespace pruner
