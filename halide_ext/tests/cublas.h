// NVIDIA's matrix multiplication, where it is installed, to compare with.
#ifndef HALIDE_EXT_TESTS_CUBLAS_H_
#define HALIDE_EXT_TESTS_CUBLAS_H_

#include "absl/status/statusor.h"

namespace pruner {

// Seconds of one fp32 multiplication (no TF32) of two n x n matrices on the
// first CUDA device, the mean of `runs` after one that is not counted. Error:
// no driver; no libcublas.so.13, .12 or .11 where the dynamic linker looks.
absl::StatusOr<double> CublasGemmSeconds(int n, int runs);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_CUBLAS_H_
