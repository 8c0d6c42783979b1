#include "pruner/features/footprints.h"

#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// The access of a stage's body to the buffer of stage `buffer`.
int AccessOf(const Program& program, int stage, int buffer) {
  const Statement& body = program.statements[program.stages[stage].body];
  for (int a = body.first_access; a < body.first_access + body.num_accesses;
       ++a) {
    if (program.buffers[program.accesses[a].buffer].stage == buffer) return a;
  }
  return -1;
}

// C[i,j] += A[i,k] * B[k,j] as it is written: i, j, k, of 64, 256 and 512.
TEST(FootprintsTest, OfAMatrixProduct) {
  const ComputeDag dag = MatmulReluDag(64, 256, 512);
  const Program program = *Resolve(dag, {}, SampleCpuTarget());
  Footprints footprints;
  footprints.Compute(program);
  const int body = program.stages[2].body;
  ASSERT_EQ(footprints.LoopsAround(body).size(), 3u) << program.ToString();

  const auto a = footprints.Of(AccessOf(program, 2, 0));
  ASSERT_EQ(a.size(), 4u);
  EXPECT_EQ(a[0].elements, 1);
  // k moves A by one element, j not at all, i by rows.
  EXPECT_EQ(a[1].elements, 512);
  EXPECT_EQ(a[1].stride, 1);
  EXPECT_EQ(a[1].run, 512);
  EXPECT_EQ(a[2].elements, 512);
  EXPECT_EQ(a[2].stride, 0);
  EXPECT_EQ(a[3].elements, 64 * 512);
  EXPECT_EQ(a[3].stride, 512);
  EXPECT_EQ(a[3].run, 64 * 512);

  // k moves B by rows, of each of which one number is read; with j it is all.
  const auto b = footprints.Of(AccessOf(program, 2, 1));
  EXPECT_EQ(b[1].elements, 512);
  EXPECT_EQ(b[1].stride, 256);
  EXPECT_EQ(b[1].run, 1);
  EXPECT_EQ(b[2].elements, 512 * 256);
  EXPECT_EQ(b[2].stride, 1);
  EXPECT_EQ(b[2].run, 512 * 256);
  EXPECT_EQ(b[3].stride, 0);

  const auto loops = footprints.LoopsAround(body);
  EXPECT_EQ(footprints.BytesIn(loops[0]), 4 * (512 + 512 + 1));
  EXPECT_EQ(footprints.BytesIn(loops[1]), 4 * (512 + 512 * 256 + 256));
}

// C[i,j] += A[i,k] * B[?(i),j]: one row of B for each of C, whichever it is;
// where nobody knows what says which, it may be any.
TEST(FootprintsTest, OfRowsThatDataNames) {
  std::vector<Stage> stages = MatmulReluDag(64, 256, 512).stages();
  IndexExpr& row = stages[2].reads[1].indices[0];
  row = {.terms = {{.axis = 0}}, .opaque = true};
  Footprints footprints;
  const auto of_rows = [&](auto member) {
    const ComputeDag dag = *ComputeDag::Create(stages);
    const Program program = *Resolve(dag, {}, SampleCpuTarget());
    footprints.Compute(program);
    std::vector<double> all;
    for (const Footprint& f : footprints.Of(AccessOf(program, 2, 1)))
      all.push_back(f.*member);
    return all;
  };
  EXPECT_EQ(of_rows(&Footprint::elements),
            (std::vector<double>{1, 1, 256, 64 * 256}));
  EXPECT_EQ(of_rows(&Footprint::is_scattered),
            (std::vector<double>{false, false, false, true}));
  row.terms.clear();
  EXPECT_EQ(of_rows(&Footprint::elements),
            (std::vector<double>{512, 512, 512 * 256, 512 * 256}));
}

// Neighbouring windows of a convolution overlap: a box counts once.
TEST(FootprintsTest, OfAConvolution) {
  const ComputeDag dag = ConvBiasReluDag(
      {.size = 8, .in_channels = 4, .out_channels = 16, .kernel = 3});
  const Program program = *Resolve(dag, {}, SampleCpuTarget());
  Footprints footprints;
  footprints.Compute(program);
  const int conv = 4, pad = 3;
  const auto of_pad = footprints.Of(AccessOf(program, conv, pad));
  EXPECT_EQ(of_pad.back().elements, 10 * 10 * 4) << program.ToString();
  EXPECT_EQ(of_pad[0].elements, 1);
  // A window: the reduction's loops are the innermost.
  EXPECT_EQ(of_pad[3].elements, 3 * 3 * 4);
}

// What loops step over is not touched.
TEST(FootprintsTest, OfStrides) {
  const ComputeDag dag = ConvBiasReluDag({.size = 8,
                                          .in_channels = 4,
                                          .out_channels = 16,
                                          .kernel = 1,
                                          .stride = 2});
  const Program program = *Resolve(dag, {}, SampleCpuTarget());
  Footprints footprints;
  footprints.Compute(program);
  const auto of_pad = footprints.Of(AccessOf(program, 4, 3));
  EXPECT_EQ(of_pad.back().elements, 4 * 4 * 4) << program.ToString();
}

TEST(FootprintsTest, OfTilesThatAReaderNeeds) {
  const ComputeDag dag = MatmulReluDag(64, 256, 512);
  const Program program = *Resolve(
      dag,
      *ParseSchedule("split stage=3 iterator=0 lengths=16 tail=guard\n"
                     "split stage=3 iterator=2 lengths=32 tail=guard\n"
                     "reorder stage=3 order=0,2,1,3\n"
                     "compute_at stage=2 target_stage=3 target_iterator=1\n"),
      SampleCpuTarget());
  Footprints footprints;
  footprints.Compute(program);
  // Tiles of 16 rows: then tiles of 32 columns, then all rows.
  const auto a = footprints.Of(AccessOf(program, 2, 0));
  ASSERT_EQ(a.size(), 6u) << program.ToString();
  EXPECT_EQ(a[3].elements, 16 * 512);
  EXPECT_EQ(a[4].elements, 16 * 512);
  EXPECT_EQ(a[4].stride, 0);
  EXPECT_EQ(a[5].elements, 64 * 512);
  const auto b = footprints.Of(AccessOf(program, 2, 1));
  EXPECT_EQ(b[3].elements, 512 * 32);
  EXPECT_EQ(b[3].run, 32);
  EXPECT_EQ(b[4].elements, 512 * 256);
  // What is accumulated is one tile, again and again.
  const auto c = footprints.Of(AccessOf(program, 2, 2));
  EXPECT_EQ(c[3].elements, 16 * 32);
  EXPECT_EQ(c[5].elements, 16 * 32);
}

}  // namespace
}  // namespace pruner
