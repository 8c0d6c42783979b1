// KernelResources as workers send them.
#ifndef HALIDE_EXT_RUNNER_KERNEL_RESOURCES_PROTO_H_
#define HALIDE_EXT_RUNNER_KERNEL_RESOURCES_PROTO_H_

#include "halide_ext/build/ptxas.h"
#include "halide_ext/runner/worker.pb.h"

namespace pruner {

inline proto::WorkerReply::KernelResources ToProto(
    const KernelResources& kernel) {
  proto::WorkerReply::KernelResources message;
  message.set_kernel(kernel.kernel);
  message.set_registers(kernel.registers);
  message.set_stack_bytes(kernel.stack_bytes);
  message.set_spill_store_bytes(kernel.spill_store_bytes);
  message.set_spill_load_bytes(kernel.spill_load_bytes);
  message.set_shared_bytes(kernel.shared_bytes);
  message.set_constant_bytes(kernel.constant_bytes);
  return message;
}

inline KernelResources FromProto(
    const proto::WorkerReply::KernelResources& message) {
  return {.kernel = message.kernel(),
          .registers = message.registers(),
          .stack_bytes = message.stack_bytes(),
          .spill_store_bytes = message.spill_store_bytes(),
          .spill_load_bytes = message.spill_load_bytes(),
          .shared_bytes = message.shared_bytes(),
          .constant_bytes = message.constant_bytes()};
}

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_KERNEL_RESOURCES_PROTO_H_
