#include "pruner/target/detect_host.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/target/cpu_features.h"
#include "pruner/target/cpu_topology.h"

namespace pruner {

HostInfo DetectHost() {
  const std::vector<int> cpus = AvailableCpus();
  const CpuIdentity identity =
      ParseCpuInfo(ReadFile("/proc/cpuinfo").value_or(""));
  HostInfo host;
  host.cpu_name = identity.name;
  host.cpus = UsableCores("", cpus);
  host.cores = static_cast<int64_t>(host.cpus.size());
  host.caches = DetectCaches("", cpus, SysconfCaches());
#if defined(__x86_64__)
  const X86Features features = DetectX86Features();
  host.halide_target = HalideX86Target(features, identity);
  host.registers = X86VectorRegisters(features);
  host.cheap_shared_writes = HasCheapSharedWrites(identity);
#elif defined(__aarch64__)
  // NEON is part of the base architecture.
  host.halide_target = "arm-64-linux";
  host.registers = {.count = 32, .bytes = 16};
#else
#error "Host detection knows x86-64 and AArch64 only."
#endif
  return host;
}

}  // namespace pruner
