// What the host's processor can do, and the Halide target that says so.

#ifndef PRUNER_TARGET_CPU_FEATURES_H_
#define PRUNER_TARGET_CPU_FEATURES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// x86 instruction sets that the processor has and the operating system enables.
struct X86Features {
  bool sse41 = false;
  bool avx = false;
  bool f16c = false;
  bool fma = false;
  bool avx2 = false;
  bool avxvnni = false;
  bool avx512f = false;
  bool avx512cd = false;
  bool avx512er = false;
  bool avx512pf = false;
  bool avx512vl = false;
  bool avx512bw = false;
  bool avx512dq = false;
  bool avx512ifma = false;
  bool avx512vbmi = false;
  bool avx512vnni = false;
  bool avx512bf16 = false;
  bool amx_tile = false;
};

// All false on other architectures.
X86Features DetectX86Features();

// How a processor introduces itself in /proc/cpuinfo.
struct CpuIdentity {
  std::string name;    // "AMD EPYC 9654 96-Core Processor"
  std::string vendor;  // "AuthenticAMD"; empty where there is none
  int family = 0;
  int model = 0;
};

// What is missing from `cpuinfo` stays empty, the name becomes "unknown CPU".
CpuIdentity ParseCpuInfo(absl::string_view cpuinfo);

// The target Halide 21's get_host_target() would give, for example
// "x86-64-linux-tune_znver4-avx-avx2-...-sse41". Two deliberate differences:
// AMD processors older than Zen are not tuned for, and avx512_sapphirerapids
// needs working AMX tiles.
std::string HalideX86Target(const X86Features& features,
                            const CpuIdentity& identity);

// Whether a core writes lines that others have read about as fast as its own
// (TargetSpec::cheap_shared_writes). What lines alone take
// (//tools/bench:claims) changes with where the system runs virtual cores; it
// is networks that tell: claims gain 2 to 13 % of their time on a Zen 5 and
// lose 2 to 7 % on a Zen 4 and 5 % on a Xeon (docs/cold_constants.md). Nobody
// has looked at others.
bool HasCheapSharedWrites(const CpuIdentity& identity);

// The vector registers one thread can name: 32 of 64 bytes with AVX-512.
RegisterFile X86VectorRegisters(const X86Features& features);

}  // namespace pruner

#endif  // PRUNER_TARGET_CPU_FEATURES_H_
