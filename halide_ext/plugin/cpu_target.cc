#include "halide_ext/plugin/cpu_target.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/target/detect_host.h"
#include "pruner/target/host_spec.h"
#include "pruner/target/measure_peaks.h"

namespace pruner {
namespace {

// Of a machine that nobody looked at; Halide's autoschedulers take as many.
constexpr int kUnknownCores = 16;

// What the vectors of the target lie in.
RegisterFile RegistersOf(const Halide::Target& target) {
  RegisterFile registers = {.count = 16, .bytes = 16};
  registers.bytes = target.natural_vector_size<uint8_t>();
  const bool is_avx512 = target.has_feature(Halide::Target::AVX512) ||
                         target.has_feature(Halide::Target::AVX512_Skylake);
  const bool is_arm64 = target.arch == Halide::Target::ARM && target.bits == 64;
  if (is_avx512 || is_arm64) registers.count = 32;
  return registers;
}

// A core of some 3 GHz with two FMA pipes, and memory as it is common.
MeasuredPeaks CommonPeaks(const RegisterFile& registers, int64_t cores) {
  constexpr double kGhz = 3;
  constexpr int kPipes = 2;
  const double bytes = static_cast<double>(registers.bytes);
  const double gflops = kGhz * kPipes * 2 * bytes / 4;
  const auto all = static_cast<double>(cores);
  return {.fp32_gflops_per_core = gflops,
          .fp32_gflops = gflops * all,
          .fma_pipes = kPipes,
          .l1_gb_per_s = kGhz * bytes,
          .l2_gb_per_s = kGhz * bytes / 2,
          .llc_gb_per_s = 15 * all,
          .dram_gb_per_s = 20 + 2 * all,
          .reliable = true};
}

}  // namespace

absl::StatusOr<TargetSpec> CpuTargetOf(const Halide::Target& target,
                                       int parallelism) {
  if (target.has_gpu_feature()) {
    return absl::UnimplementedError(absl::StrCat(
        "the target ", target.to_string(),
        " has a device, and Pruner's plugin schedules for CPUs: leave the "
        "device's features out"));
  }
  HostInfo host = DetectHost();
  const Halide::Target here = Halide::get_host_target();
  const bool may_run_here = target.os == here.os && target.arch == here.arch &&
                            target.bits == here.bits;
  if (!may_run_here) {
    host.cpu_name = "unknown";
    host.cores = kUnknownCores;
    host.cheap_shared_writes = false;
    host.caches = {.l1 = {.size_bytes = 32 << 10, .line_bytes = 64},
                   .l2 = {.size_bytes = 512 << 10, .line_bytes = 64},
                   .llc = {.size_bytes = 16 << 20, .line_bytes = 64}};
  }
  if (parallelism > 0) host.cores = parallelism;
  host.halide_target = target.to_string();
  host.registers = RegistersOf(target);
  TargetSpec spec = MakeHostSpec(host, CommonPeaks(host.registers, host.cores));
  spec.name = absl::StrCat(spec.name, "-unmeasured");
  return spec;
}

}  // namespace pruner
