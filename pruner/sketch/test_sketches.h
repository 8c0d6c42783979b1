// What tests of the rules look at.
#ifndef PRUNER_SKETCH_TEST_SKETCHES_H_
#define PRUNER_SKETCH_TEST_SKETCHES_H_

#include <string>
#include <vector>

#include "pruner/dag/compute_dag.h"
#include "pruner/sketch/sketch.h"

namespace pruner {

// By the built-in rules, for SampleCpuTarget(); empty, and the test fails,
// where there are none.
std::vector<Sketch> Sketches(const ComputeDag& dag);

// The same for SampleGpuTarget().
std::vector<Sketch> SketchesForThreads(const ComputeDag& dag);

// The loops, "?" where the sampler draws.
std::string Structure(const ComputeDag& dag, const Sketch& sketch);

}  // namespace pruner

#endif  // PRUNER_SKETCH_TEST_SKETCHES_H_
