#include "pruner/sketch/test_sketches.h"

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "pruner/schedule/replay.h"
#include "pruner/sketch/sketch_generator.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

std::vector<Sketch> SketchesFor(const ComputeDag& dag,
                                const TargetSpec& target) {
  const absl::StatusOr<std::vector<Sketch>> sketches =
      GenerateSketches({.dag = dag, .target = target});
  EXPECT_TRUE(sketches.ok()) << sketches.status();
  return sketches.value_or(std::vector<Sketch>());
}

}  // namespace

std::vector<Sketch> Sketches(const ComputeDag& dag) {
  return SketchesFor(dag, SampleCpuTarget());
}

std::vector<Sketch> SketchesForThreads(const ComputeDag& dag) {
  return SketchesFor(dag, SampleGpuTarget());
}

std::string Structure(const ComputeDag& dag, const Sketch& sketch) {
  return ReplayStructure(dag, sketch.schedule)->ToString();
}

}  // namespace pruner
