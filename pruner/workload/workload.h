// What is tuned and measured: a computation, as a serialized Halide pipeline
// with all sizes set, and its analysis.
#ifndef PRUNER_WORKLOAD_WORKLOAD_H_
#define PRUNER_WORKLOAD_WORKLOAD_H_

#include <string>
#include <utility>
#include <vector>

#include "pruner/dag/compute_dag.h"
#include "pruner/workload/workload_key.h"

namespace pruner {

struct Workload {
  // Computes the key.
  Workload(std::string name, std::string pipeline, ComputeDag dag,
           std::vector<std::string> notes = {})
      : name(std::move(name)),
        pipeline(std::move(pipeline)),
        dag(std::move(dag)),
        key(KeyOf(this->dag)),
        notes(std::move(notes)) {}

  std::string name;      // for messages
  std::string pipeline;  // as halide_ext/build serializes it
  ComputeDag dag;
  WorkloadKey key;  // of `dag`
  // For the user: a sentence about each part that is not tuned.
  std::vector<std::string> notes;
  // Inputs that are the same whenever the pipeline runs, as a network's weights
  // are; by name.
  std::vector<std::string> constants;
};

}  // namespace pruner

#endif  // PRUNER_WORKLOAD_WORKLOAD_H_
