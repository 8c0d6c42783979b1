#include "pruner/target/cpu_features.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

constexpr char kZen4[] =
    "processor\t: 0\n"
    "vendor_id\t: AuthenticAMD\n"
    "cpu family\t: 25\n"
    "model\t\t: 17\n"
    "model name\t: AMD EPYC: 9654\n"
    "flags\t\t: fpu\n"
    "\n"
    "processor\t: 1\n"
    "model name\t: another\n";

X86Features Avx2() {
  X86Features features;
  features.sse41 = features.avx = features.f16c = true;
  features.fma = features.avx2 = true;
  return features;
}

X86Features Skylake() {
  X86Features features = Avx2();
  features.avx512f = features.avx512cd = features.avx512vl = true;
  features.avx512bw = features.avx512dq = true;
  return features;
}

X86Features Zen4() {
  X86Features features = Skylake();
  features.avx512ifma = features.avx512vbmi = true;
  features.avx512vnni = features.avx512bf16 = true;
  return features;
}

TEST(ParseCpuInfoTest, ReadsTheFirstProcessor) {
  const CpuIdentity cpu = ParseCpuInfo(kZen4);
  EXPECT_EQ(cpu.name, "AMD EPYC: 9654");
  EXPECT_EQ(cpu.vendor, "AuthenticAMD");
  EXPECT_EQ(cpu.family, 25);
  EXPECT_EQ(cpu.model, 17);
}

TEST(ParseCpuInfoTest, NamesArmProcessorsByTheirCodes) {
  EXPECT_EQ(ParseCpuInfo("processor\t: 0\n"
                         "CPU implementer\t: 0x41\n"
                         "CPU architecture: 8\n"
                         "CPU part\t: 0xd0c\n")
                .name,
            "ARM 0x41 0xd0c");
}

TEST(ParseCpuInfoTest, SurvivesAnEmptyFile) {
  EXPECT_EQ(ParseCpuInfo("").name, "unknown CPU");
}

TEST(HalideX86TargetTest, NamesFeaturesAsHalideDoes) {
  EXPECT_EQ(HalideX86Target({}, {}), "x86-64-linux");
  EXPECT_EQ(HalideX86Target(Avx2(), {}),
            "x86-64-linux-avx-avx2-f16c-fma-sse41");
  EXPECT_EQ(HalideX86Target(Skylake(), {}),
            "x86-64-linux-avx-avx2-avx512-avx512_skylake-f16c-fma-sse41");
}

// Printed by Halide 21's get_host_target() on such a machine.
TEST(HalideX86TargetTest, Zen4) {
  EXPECT_EQ(HalideX86Target(Zen4(), ParseCpuInfo(kZen4)),
            "x86-64-linux-tune_znver4-avx-avx2-avx512-avx512_cannonlake-"
            "avx512_skylake-avx512_zen4-f16c-fma-sse41");
}

TEST(HalideX86TargetTest, SapphireRapidsNeedsItsTiles) {
  X86Features features = Zen4();
  features.avxvnni = true;
  EXPECT_EQ(HalideX86Target(features, {}),
            "x86-64-linux-avx-avx2-avx512-avx512_cannonlake-avx512_skylake-"
            "avx512_zen4-avxvnni-f16c-fma-sse41");
  features.amx_tile = true;
  EXPECT_EQ(HalideX86Target(features, {}),
            "x86-64-linux-avx-avx2-avx512-avx512_cannonlake-"
            "avx512_sapphirerapids-avx512_skylake-avx512_zen4-avxvnni-f16c-"
            "fma-sse41");
}

TEST(HasCheapSharedWritesTest, AllButZen5) {
  EXPECT_TRUE(HasCheapSharedWrites({}));
  EXPECT_TRUE(HasCheapSharedWrites(ParseCpuInfo(kZen4)));
  EXPECT_TRUE(HasCheapSharedWrites(
      {.name = "", .vendor = "GenuineIntel", .family = 6, .model = 0xcf}));
  EXPECT_FALSE(HasCheapSharedWrites(
      {.name = "", .vendor = "AuthenticAMD", .family = 0x1a, .model = 0x02}));
}

TEST(HalideX86TargetTest, TunesForEveryZen) {
  const auto tuned = [](int family, int model) {
    return HalideX86Target({}, {.name = "",
                                .vendor = "AuthenticAMD",
                                .family = family,
                                .model = model});
  };
  EXPECT_EQ(tuned(0x17, 0x01), "x86-64-linux-tune_znver1");
  EXPECT_EQ(tuned(0x17, 0x31), "x86-64-linux-tune_znver2");
  EXPECT_EQ(tuned(0x19, 0x01), "x86-64-linux-tune_znver3");
  EXPECT_EQ(tuned(0x19, 0x61), "x86-64-linux-tune_znver4");
  EXPECT_EQ(tuned(0x1a, 0x02), "x86-64-linux-tune_znver5");
  EXPECT_EQ(tuned(0x15, 0x02), "x86-64-linux");
}

TEST(X86VectorRegistersTest, FollowTheWidestInstructionSet) {
  EXPECT_EQ(X86VectorRegisters({}), (RegisterFile{.count = 16, .bytes = 16}));
  EXPECT_EQ(X86VectorRegisters(Avx2()),
            (RegisterFile{.count = 16, .bytes = 32}));
  EXPECT_EQ(X86VectorRegisters(Skylake()),
            (RegisterFile{.count = 32, .bytes = 64}));
}

}  // namespace
}  // namespace pruner
