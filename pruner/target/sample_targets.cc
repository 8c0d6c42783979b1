#include "pruner/target/sample_targets.h"

#include <cstdint>

#include "pruner/target/detect_host.h"
#include "pruner/target/host_spec.h"
#include "pruner/target/load_target_spec.h"
#include "pruner/target/measure_peaks.h"
#include "pruner/target/target_spec.h"

namespace pruner {

TargetSpec SampleCpuTarget() {
  constexpr int64_t kKiB = 1024;
  constexpr int64_t kMiB = 1024 * kKiB;
  const HostInfo host = {
      .cpu_name = "sample",
      .halide_target =
          "x86-64-linux-avx-avx2-avx512-avx512_skylake-f16c-fma-sse41",
      .registers = {.count = 32, .bytes = 64},
      .cores = 2,
      .cpus = {0, 1},
      .caches = {.l1 = {.size_bytes = 32 * kKiB, .line_bytes = 64},
                 .l2 = {.size_bytes = kMiB, .line_bytes = 64},
                 .llc = {.size_bytes = 32 * kMiB, .line_bytes = 64}}};
  return MakeHostSpec(host, {.fp32_gflops_per_core = 118,
                             .fp32_gflops = 236,
                             .fma_pipes = 1,
                             .l1_gb_per_s = 300,
                             .l2_gb_per_s = 115,
                             .llc_gb_per_s = 180,
                             .dram_gb_per_s = 35,
                             .reliable = true});
}

TargetSpec SampleGpuTarget() { return LoadTargetSpec("a100").value(); }

TargetSpec SampleOpenClTarget() {
  TargetSpec target = SampleGpuTarget();
  target.name = "sample-opencl";
  target.backend = Backend::kOpenCl;
  target.halide_target = "host-opencl";
  return target;
}

}  // namespace pruner
