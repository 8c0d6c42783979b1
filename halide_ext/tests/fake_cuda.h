// A stand-in for the CUDA driver that runs nothing and notes what it is asked
// for, so that what is done with a driver can be tested without one. Its device
// memory is the host's. It is built as libcuda.so.1.
#ifndef HALIDE_EXT_TESTS_FAKE_CUDA_H_
#define HALIDE_EXT_TESTS_FAKE_CUDA_H_

#include <cstddef>

namespace pruner {

struct FakeCudaLog {
  int modules = 0;
  int max_registers = 0;  // for the last module
  int launches = 0;       // a millisecond each, by the device's clock
  int threads = 0;        // of a block, in the last launch
  int copies_to_device = 0;
  int copies_to_host = 0;
  int own_contexts = 0;  // made for somebody alone
  // Orders: the errors that the next launch and all allocations return.
  int launch_error = 0;
  int allocation_error = 0;
};

// What the library exports, to be found by dlsym.
inline constexpr char kFakeCudaLogName[] = "fake_cuda_log";
using FakeCudaLogFunction = FakeCudaLog*();

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_FAKE_CUDA_H_
