#include "halide_ext/plugin/cpu_target.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
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

// A machine that runs the same instructions, but for extensions.
bool IsOfKind(const Halide::Target& a, const Halide::Target& b) {
  return a.os == b.os && a.arch == b.arch && a.bits == b.bits;
}

absl::Status CheckNoDevice(const Halide::Target& target) {
  if (!target.has_gpu_feature()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      "the target ", target.to_string(),
      " has a device, and Pruner's plugin schedules for CPUs: leave the "
      "device's features out"));
}

}  // namespace

absl::StatusOr<TargetSpec> CpuTargetOf(const Halide::Target& target,
                                       int parallelism) {
  RETURN_IF_ERROR(CheckNoDevice(target));
  HostInfo host = DetectHost();
  if (!IsOfKind(target, Halide::get_host_target())) {
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

absl::StatusOr<TargetSpec> CpuTargetFromFile(const std::string& file,
                                             const Halide::Target& target,
                                             int parallelism) {
  RETURN_IF_ERROR(CheckNoDevice(target));
  ASSIGN_OR_RETURN(const std::string text, ReadFile(file, kMaxTargetSpecBytes));
  ASSIGN_OR_RETURN(TargetSpec spec, ParseTargetSpec(text, file));
  const bool fits = spec.backend == Backend::kHost &&
                    IsOfKind(target, Halide::Target(spec.halide_target)) &&
                    spec.registers.bytes == RegistersOf(target).bytes;
  if (!fits) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, " describes a machine for ", spec.halide_target,
                     ", and the pipeline is for ", target.to_string()));
  }
  spec.halide_target = target.to_string();
  if (parallelism > 0) spec.units.cores = parallelism;
  return spec;
}

bool MayRunHere(const Halide::Target& target) {
  const Halide::Target here = Halide::get_host_target();
  if (target.has_gpu_feature() || !IsOfKind(target, here)) return false;
  for (const auto feature :
       {Halide::Target::SSE41, Halide::Target::AVX, Halide::Target::AVX2,
        Halide::Target::FMA, Halide::Target::FMA4, Halide::Target::F16C,
        Halide::Target::AVX512, Halide::Target::AVX512_KNL,
        Halide::Target::AVX512_Skylake, Halide::Target::AVX512_Cannonlake,
        Halide::Target::AVX512_Zen4, Halide::Target::AVX512_Zen5,
        Halide::Target::AVX512_SapphireRapids, Halide::Target::AVXVNNI,
        Halide::Target::AVX10_1, Halide::Target::ARMDotProd,
        Halide::Target::ARMFp16, Halide::Target::SVE, Halide::Target::SVE2}) {
    if (target.has_feature(feature) && !here.has_feature(feature)) return false;
  }
  return true;
}

TargetSpec RunnableHere(TargetSpec target) {
  Halide::Target halide_target(target.halide_target);
  for (const auto feature :
       {Halide::Target::NoRuntime, Halide::Target::CPlusPlusMangling,
        Halide::Target::Debug, Halide::Target::Profile,
        Halide::Target::ProfileByTimer}) {
    halide_target.set_feature(feature, false);
  }
  target.halide_target = halide_target.to_string();
  return target;
}

}  // namespace pruner
