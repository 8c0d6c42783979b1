#include "halide_ext/build/sample_host_target.h"

#include "Halide.h"
#include "pruner/target/sample_targets.h"

namespace pruner {

TargetSpec SampleHostTarget() {
  TargetSpec target = SampleCpuTarget();
  target.halide_target = Halide::get_host_target().to_string();
  return target;
}

}  // namespace pruner
