// How large the kernels of a pipeline are: blocks, threads, shared memory.
#ifndef HALIDE_EXT_PASSES_KERNEL_SHAPE_H_
#define HALIDE_EXT_PASSES_KERNEL_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

// 0 stands for what is not constant.
struct LaunchExtents {
  int64_t x = 1;
  int64_t y = 1;
  int64_t z = 1;

  int64_t Product() const { return x * y * z; }
};

struct KernelShape {
  std::string name = {};  // of the outermost loop over blocks
  LaunchExtents blocks = {};
  LaunchExtents threads = {};  // of a block
  int64_t shared_bytes = 0;    // of a block
  bool fixed_shared = true;    // if not, there is more that is no constant
};

// Has `pipeline` describe its kernels whenever it is compiled, in the order of
// the program; each compilation appends to `shapes`, which must outlive the
// last one.
void AddKernelShapes(Halide::Pipeline& pipeline,
                     std::vector<KernelShape>* shapes);

// Those of a statement as custom lowering passes get it.
std::vector<KernelShape> KernelShapesOf(const Halide::Internal::Stmt& stmt);

}  // namespace pruner

#endif  // HALIDE_EXT_PASSES_KERNEL_SHAPE_H_
