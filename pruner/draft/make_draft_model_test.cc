#include "pruner/draft/make_draft_model.h"

#include <memory>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/draft/cpu_psa.h"
#include "pruner/draft/psa.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

TEST(MakeDraftModelTest, IsThatOfTheTarget) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const TargetSpec cpu = SampleCpuTarget(), gpu = SampleGpuTarget();
  const Program program = *Resolve(dag, {}, cpu);
  EXPECT_EQ(MakeDraftModel(cpu)->Score(program, cpu),
            CpuPsa().Score(program, cpu));
  EXPECT_EQ(MakeDraftModel(gpu)->Score(program, gpu),
            Psa({.starts = true}).Score(program, gpu));
}

}  // namespace
}  // namespace pruner
