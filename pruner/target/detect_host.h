// What this machine is, as far as it can be told without measuring.

#ifndef PRUNER_TARGET_DETECT_HOST_H_
#define PRUNER_TARGET_DETECT_HOST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "pruner/target/cpu_topology.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct HostInfo {
  std::string cpu_name;
  std::string halide_target;
  RegisterFile registers;  // the vector registers a thread can name
  int64_t cores = 0;       // physical ones this process may use
  std::vector<int> cpus;   // a hardware thread of each of these
  CpuCaches caches;
  bool cheap_shared_writes = false;  // see TargetSpec
};

// Never fails: what the machine does not tell gets a common value. The cores
// are those this thread may run on now, see UsableCores().
HostInfo DetectHost();

}  // namespace pruner

#endif  // PRUNER_TARGET_DETECT_HOST_H_
