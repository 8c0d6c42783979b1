#include "pruner/program/resolve.h"

#include <cstddef>
#include <string>

#include "gtest/gtest.h"
#include "pruner/base/allocation_counter.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/resolver.h"
#include "pruner/program/structure.h"
#include "pruner/schedule/replay.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

constexpr char kTiledMatmul[] =
    "split stage=2 iterator=0 lengths=2,2,4 tail=guard\n"
    "split stage=2 iterator=4 lengths=2,1,32 tail=guard\n"
    "split stage=2 iterator=8 lengths=8 tail=guard\n"
    "reorder stage=2 order=0,4,1,5,8,2,6,9,3,7\n"
    "follow_split stage=3 iterator=0 source_step=0 levels=3 tail=guard\n"
    "follow_split stage=3 iterator=3 source_step=1 levels=3 tail=guard\n"
    "reorder stage=3 order=0,3,1,4,2,5\n"
    "compute_at stage=2 target_stage=3 target_iterator=3\n"
    "fuse stage=3 iterator=0 count=2\n"
    "annotate stage=3 iterator=0 annotation=parallel\n"
    "annotate stage=2 iterator=8 annotation=unroll\n"
    "annotate stage=2 iterator=9 annotation=vectorize\n"
    "annotate stage=3 iterator=4 annotation=vectorize\n";

std::string Text(const ComputeDag& dag, const char* steps,
                 const TargetSpec& target = SampleCpuTarget()) {
  const absl::StatusOr<Program> program =
      Resolve(dag, *ParseSchedule(steps), target);
  return program.ok() ? program->ToString()
                      : std::string(program.status().message());
}

TEST(ResolveTest, MatrixProductInTheTilesOfItsReader) {
  EXPECT_EQ(Text(MatmulReluDag(64, 128, 32), kTiledMatmul),
            "buffer A[64,32] of 4 bytes, the caller's\n"
            "buffer B[32,128] of 4 bytes, the caller's\n"
            "buffer out[64,128] of 4 bytes, the caller's\n"
            "parallel i*16@j*64 (8)\n"
            "  for i*8 (2)\n"
            "    for j*32 (2)\n"
            "      buffer C[8,32] of 4 bytes\n"
            "      for i (8)\n"
            "        unrolled j*16 (2)\n"
            "          vector j (16)\n"
            "            C[stride 1, lines 1] = initial()\n"
            "      for k*8 (4)\n"
            "        for i*4 (2)\n"
            "          for k (8)\n"
            "            unrolled i (4)\n"
            "              unrolled j*16 (2)\n"
            "                vector j (16)\n"
            "                  C[stride 1, lines 1] = update("
            "A[stride 0, lines 1], B[stride 1, lines 1])"
            " float_add:1 float_mul:1\n"
            "      for i (8)\n"
            "        unrolled j*16 (2)\n"
            "          vector j (16)\n"
            "            out[stride 1, lines 1] = pure("
            "C[stride 1, lines 1]) float_compare:1\n");
}

TEST(ResolveTest, WithoutStepsThereAreTheNaiveLoops) {
  EXPECT_EQ(Text(MatmulReluDag(4, 8, 16), ""),
            "buffer A[4,16] of 4 bytes, the caller's\n"
            "buffer B[16,8] of 4 bytes, the caller's\n"
            "buffer C[4,8] of 4 bytes\n"
            "buffer out[4,8] of 4 bytes, the caller's\n"
            "parallel i (4)\n"
            "  vector j (8)\n"
            "    C[stride 1, lines 1] = initial()\n"
            "for i (4)\n"
            "  for j (8)\n"
            "    for k (16)\n"
            "      C[stride 0, lines 1] = update(A[stride 1, lines 1], "
            "B[stride 8, lines 16]) float_add:1 float_mul:1\n"
            "for i (4)\n"
            "  for j (8)\n"
            "    out[stride 1, lines 1] = pure(C[stride 1, lines 1]) "
            "float_compare:1\n");
}

TEST(ResolveTest, ErrorsNameTheStep) {
  const ComputeDag dag = MatmulReluDag(4, 8, 16);
  EXPECT_EQ(Text(dag, "split stage=2 iterator=0 lengths=0 tail=guard\n"),
            "step 0 still has a hole");
  EXPECT_EQ(Text(dag, "fuse stage=2 iterator=2 count=2\n"),
            "step 0: cannot fuse 2 loops from 2 on");
  EXPECT_EQ(Text(dag, "compute_at stage=3 target_stage=2 target_iterator=0\n"),
            "step 0: a stage is computed at a later one");
}

TEST(ResolveTest, AResolverThatIsUsedAgainAllocatesNothing) {
  const ComputeDag dag = MatmulReluDag(64, 128, 32);
  const Schedule schedule = *ParseSchedule(kTiledMatmul);
  const TargetSpec target = SampleCpuTarget();
  const LoopState state = *ReplayStructure(dag, schedule);
  const Structure structure = *MakeStructure(schedule, state);
  const std::vector<int64_t> numbers = NumbersOf(schedule);
  Resolver resolver(target);
  Program program;
  resolver.Resolve(structure, numbers, program);
  const Program first = program;
  const size_t before = CountAllocations();
  resolver.Resolve(structure, numbers, program);
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(program, first);
}

// One structure serves all schedules that differ in numbers.
TEST(ResolveTest, AStructureIsFilledWithOtherNumbers) {
  const ComputeDag dag = MatmulReluDag(64, 128, 32);
  const TargetSpec target = SampleCpuTarget();
  const Schedule schedule = *ParseSchedule(kTiledMatmul);
  const LoopState state = *ReplayStructure(dag, schedule);
  const Structure structure = *MakeStructure(schedule, state);
  Resolver resolver(target);
  Program program;
  for (const int64_t rows : {1, 2, 3, 8}) {
    for (const int64_t columns : {1, 16, 20, 128}) {
      Schedule other = schedule;
      std::get<SplitStep>(other.steps[0]).lengths = {1, 1, rows};
      std::get<SplitStep>(other.steps[1]).lengths = {1, 2, columns};
      resolver.Resolve(structure, NumbersOf(other), program);
      EXPECT_EQ(program, *Resolve(dag, other, target)) << program.ToString();
    }
  }
}

}  // namespace
}  // namespace pruner
