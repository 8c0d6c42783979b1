#include "pruner/target/cpu_features.h"

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace pruner {
namespace {

// AMD's Zen generation as Halide 21 derives it; 0 for all other processors.
int ZenGeneration(const CpuIdentity& cpu) {
  if (cpu.vendor != "AuthenticAMD") return 0;
  const auto model_in = [&](int first, int last) {
    return first <= cpu.model && cpu.model <= last;
  };
  switch (cpu.family) {
    case 0x17:
      if (model_in(0x30, 0x3f) || cpu.model == 0x71) return 2;
      return model_in(0x00, 0x0f) ? 1 : 0;
    case 0x19:
      if (model_in(0x10, 0x1f) || model_in(0x60, 0x7f) ||
          model_in(0xa0, 0xaf)) {
        return 4;
      }
      return model_in(0x00, 0x0f) || model_in(0x20, 0x5f) ? 3 : 0;
    case 0x1a:
      return 5;
    default:
      return 0;
  }
}

}  // namespace

X86Features DetectX86Features() {
  X86Features features;
#if defined(__x86_64__)
  features.sse41 = __builtin_cpu_supports("sse4.1");
  features.avx = __builtin_cpu_supports("avx");
  features.f16c = __builtin_cpu_supports("f16c");
  features.fma = __builtin_cpu_supports("fma");
  features.avx2 = __builtin_cpu_supports("avx2");
  features.avxvnni = __builtin_cpu_supports("avxvnni");
  features.avx512f = __builtin_cpu_supports("avx512f");
  features.avx512cd = __builtin_cpu_supports("avx512cd");
#ifndef __clang__  // which has forgotten the one processor that has these
  features.avx512er = __builtin_cpu_supports("avx512er");
  features.avx512pf = __builtin_cpu_supports("avx512pf");
#endif
  features.avx512vl = __builtin_cpu_supports("avx512vl");
  features.avx512bw = __builtin_cpu_supports("avx512bw");
  features.avx512dq = __builtin_cpu_supports("avx512dq");
  features.avx512ifma = __builtin_cpu_supports("avx512ifma");
  features.avx512vbmi = __builtin_cpu_supports("avx512vbmi");
  features.avx512vnni = __builtin_cpu_supports("avx512vnni");
  features.avx512bf16 = __builtin_cpu_supports("avx512bf16");
  features.amx_tile = __builtin_cpu_supports("amx-tile");
#endif
  return features;
}

CpuIdentity ParseCpuInfo(absl::string_view cpuinfo) {
  CpuIdentity cpu;
  // All processors of a machine are alike here: the first one's lines count.
  for (absl::string_view line : absl::StrSplit(cpuinfo, '\n')) {
    const std::vector<absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (parts.size() != 2) {
      if (cpu.name.empty()) continue;
      break;
    }
    const absl::string_view key = absl::StripAsciiWhitespace(parts[0]);
    const absl::string_view value = absl::StripAsciiWhitespace(parts[1]);
    if (key == "model name") cpu.name = std::string(value);
    if (key == "vendor_id") cpu.vendor = std::string(value);
    if (key == "cpu family" && !absl::SimpleAtoi(value, &cpu.family)) {
      cpu.family = 0;
    }
    if (key == "model" && !absl::SimpleAtoi(value, &cpu.model)) cpu.model = 0;
    // ARM processors have no name there, but these two codes.
    if (key == "CPU implementer") cpu.name = absl::StrCat("ARM ", value);
    if (key == "CPU part") absl::StrAppend(&cpu.name, " ", value);
  }
  if (cpu.name.empty()) cpu.name = "unknown CPU";
  return cpu;
}

std::string HalideX86Target(const X86Features& features,
                            const CpuIdentity& identity) {
  const X86Features& f = features;
  const int zen = ZenGeneration(identity);
  const bool avx512 = f.avx512f && f.avx512cd;
  const bool skylake = avx512 && f.avx512vl && f.avx512bw && f.avx512dq;
  const bool cannonlake = skylake && f.avx512ifma && f.avx512vbmi;
  const bool zen4 = cannonlake && f.avx512vnni && f.avx512bf16;
  const bool zen5 = zen4 && f.avxvnni && zen >= 5;
  const bool sapphire_rapids = zen4 && f.avxvnni && f.amx_tile;

  struct Feature {
    bool present;
    absl::string_view name;
  };
  // In the alphabetical order in which Halide prints them.
  const Feature table[] = {
      {f.avx, "avx"},
      {f.avx2, "avx2"},
      {avx512, "avx512"},
      {cannonlake, "avx512_cannonlake"},
      {avx512 && f.avx512er && f.avx512pf, "avx512_knl"},
      {sapphire_rapids, "avx512_sapphirerapids"},
      {skylake, "avx512_skylake"},
      {zen4, "avx512_zen4"},
      {zen5, "avx512_zen5"},
      {cannonlake && f.avxvnni, "avxvnni"},
      {f.f16c, "f16c"},
      {f.fma, "fma"},
      {f.sse41, "sse41"},
  };
  std::string target = "x86-64-linux";
  if (zen > 0) absl::StrAppend(&target, "-tune_znver", zen);
  for (const Feature& feature : table) {
    if (feature.present) absl::StrAppend(&target, "-", feature.name);
  }
  return target;
}

bool HasCheapSharedWrites(const CpuIdentity& identity) {
  return ZenGeneration(identity) < 5;
}

RegisterFile X86VectorRegisters(const X86Features& features) {
  if (features.avx512f) return {.count = 32, .bytes = 64};
  if (features.avx) return {.count = 16, .bytes = 32};
  return {.count = 16, .bytes = 16};
}

}  // namespace pruner
