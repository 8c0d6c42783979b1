// What a task computes, as ten flags: columns of the papers' networks
// (docs/algorithms.md B4).
#ifndef PRUNER_FEATURES_TASK_FLAGS_H_
#define PRUNER_FEATURES_TASK_FLAGS_H_

#include <array>

#include "pruner/dag/compute_dag.h"

namespace pruner {

inline constexpr int kTaskFlags = 10;

// In the order of the flags. The last one is always off.
inline constexpr const char* kTaskFlagNames[kTaskFlags] = {
    "max",       "min",   "add",     "conv2d",       "winograd",
    "depthwise", "dense", "softmax", "batch_matmul", "unused"};

// The authors look for words in the text that TVM prints of a DAG; here the
// same is told from what the stages do, whatever they are called:
//  - max, min: some value is one;
//  - add: two tensors are added, one may be a bias;
//  - conv2d, depthwise: a product over windows, or over the channels of an
//    image, with channels summed up or not; winograd: one of transformed tiles;
//  - dense, batch_matmul: other products, of two matrices or of many pairs;
//  - softmax: exponentials are summed up.
std::array<bool, kTaskFlags> TaskFlagsOf(const ComputeDag& dag);

}  // namespace pruner

#endif  // PRUNER_FEATURES_TASK_FLAGS_H_
