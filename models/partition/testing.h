// For the tests of partitioning.
#ifndef MODELS_PARTITION_TESTING_H_
#define MODELS_PARTITION_TESTING_H_

#include <cstdint>
#include <map>
#include <vector>

#include "models/graph/interpreter.h"
#include "models/graph/operator_graph.h"
#include "models/partition/activation_plan.h"
#include "models/partition/partition.h"

namespace pruner {

// A random graph of some twenty nodes with branches, shared and unread tensors,
// views, chains without an anchor, tensors read twice and several outputs,
// views of inputs among them.
OperatorGraph RandomGraph(uint64_t seed);

// Runs the instances in order, each by itself by the interpreter, its result
// stored where the plan says: in an arena of numbers, or in the buffer of an
// output. Returns the outputs.
std::vector<Array> RunPartitioned(const OperatorGraph& graph,
                                  const PartitionResult& partition,
                                  const ActivationPlan& plan,
                                  const std::vector<Array>& inputs);

}  // namespace pruner

#endif  // MODELS_PARTITION_TESTING_H_
