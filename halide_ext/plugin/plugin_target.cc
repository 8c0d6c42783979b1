#include "halide_ext/plugin/plugin_target.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"
#include "pruner/target/detect_host.h"
#include "pruner/target/host_spec.h"
#include "pruner/target/load_target_spec.h"
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

// As Halide chooses among several.
absl::StatusOr<Backend> BackendOf(const Halide::Target& target) {
  if (!target.has_gpu_feature()) return Backend::kHost;
  if (target.has_feature(Halide::Target::Metal) ||
      !target.features_any_of({Halide::Target::CUDA, Halide::Target::OpenCL})) {
    return absl::UnimplementedError(absl::StrCat(
        "Pruner's plugin schedules for CPUs, CUDA and OpenCL, and the target ",
        target.to_string(), " has another device: leave its features out"));
  }
  return target.has_feature(Halide::Target::OpenCL) ? Backend::kOpenCl
                                                    : Backend::kCuda;
}

// A packaged device of that compute capability or an older one.
const char* CudaDeviceOf(const Halide::Target& target) {
  const int capability = target.get_cuda_capability_lower_bound();
  const bool is_named = target.features_any_of(
      {Halide::Target::CUDACapability30, Halide::Target::CUDACapability32,
       Halide::Target::CUDACapability35, Halide::Target::CUDACapability50,
       Halide::Target::CUDACapability61, Halide::Target::CUDACapability70,
       Halide::Target::CUDACapability75, Halide::Target::CUDACapability80,
       Halide::Target::CUDACapability86});
  if (!is_named || capability >= 80) return "a100";
  if (capability >= 75) return "t4";
  return capability >= 70 ? "v100" : "k80";
}

absl::StatusOr<TargetSpec> DeviceTarget(const Halide::Target& target,
                                        Backend backend) {
  ASSIGN_OR_RETURN(TargetSpec spec, LoadTargetSpec(backend == Backend::kCuda
                                                       ? CudaDeviceOf(target)
                                                       : "a100"));
  spec.halide_target = target.to_string();
  if (backend == Backend::kCuda) return spec;
  // OpenCL 1.2, table 4.3: local memory of at least 32 KB. Groups of 256 are
  // the smallest maximum among the desktop devices there are.
  spec.name = "opencl-unmeasured";
  spec.backend = Backend::kOpenCl;
  spec.limits.threads_per_block = 256;
  spec.limits.shared_bytes_per_block = 32 << 10;
  return spec;
}

TargetSpec CpuTarget(const Halide::Target& target, int parallelism) {
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

absl::StatusOr<TargetSpec> LoadSpec(const std::string& name_or_file) {
  const std::vector<std::string> known = KnownTargets();
  const bool is_packaged =
      name_or_file != "host" &&
      std::find(known.begin(), known.end(), name_or_file) != known.end();
  if (is_packaged) return LoadTargetSpec(name_or_file);
  ASSIGN_OR_RETURN(const std::string text,
                   ReadFile(name_or_file, kMaxTargetSpecBytes));
  return ParseTargetSpec(text, name_or_file);
}

bool Fits(const TargetSpec& spec, const Halide::Target& target,
          Backend backend) {
  if (spec.backend != backend) return false;
  if (backend != Backend::kHost) return true;
  return IsOfKind(target, Halide::Target(spec.halide_target)) &&
         spec.registers.bytes == RegistersOf(target).bytes;
}

}  // namespace

absl::StatusOr<TargetSpec> PluginTarget(const Halide::Target& target,
                                        int parallelism) {
  ASSIGN_OR_RETURN(const Backend backend, BackendOf(target));
  if (backend != Backend::kHost) return DeviceTarget(target, backend);
  return CpuTarget(target, parallelism);
}

absl::StatusOr<TargetSpec> PluginTargetFrom(const std::string& name_or_file,
                                            const Halide::Target& target,
                                            int parallelism) {
  ASSIGN_OR_RETURN(const Backend backend, BackendOf(target));
  ASSIGN_OR_RETURN(TargetSpec spec, LoadSpec(name_or_file));
  if (!Fits(spec, target, backend)) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_or_file, " describes a machine for ", spec.halide_target,
        ", and the pipeline is for ", target.to_string()));
  }
  spec.halide_target = target.to_string();
  if (backend == Backend::kHost && parallelism > 0)
    spec.units.cores = parallelism;
  return spec;
}

TargetSpec WithoutPasses(TargetSpec target) {
  if (target.backend == Backend::kHost) return target;
  // Accumulators of virtual threads, and what Halide does with vectors in
  // kernels, are what the passes are for.
  target.limits.vthreads = 1;
  target.limits.vectorize_elements = 1;
  return target;
}

bool MayRunHere(const Halide::Target& target) {
  const Halide::Target here = Halide::get_host_target();
  if (!IsOfKind(target, here)) return false;
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
