#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/dag_proto.h"
#include "pruner/dag/node_analysis.h"
#include "pruner/dag/sample_dags.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ComputeDagTest, CountsFlops) {
  EXPECT_EQ(MatmulReluDag(4, 8, 16).Flops(), 2 * 4 * 8 * 16 + 4 * 8);
  // 231 MFLOP and the epilogue: ResNet-50's 3x3 convolution on 56x56x64.
  EXPECT_EQ(ConvBiasReluDag({}).Flops(),
            2LL * 56 * 56 * 64 * 64 * 9 + 2 * 56 * 56 * 64);
}

TEST(ComputeDagTest, PrintsStagesWithAxesAndReads) {
  EXPECT_EQ(MatmulReluDag(4, 8, 16).ToString(),
            "A[4,16] input f32\n"
            "B[16,8] input f32\n"
            "C[i:4,j:8,k:r16] f32 sum (float_add:1 float_mul:1) A[i,k] B[k,j]\n"
            "out[i:4,j:8] f32 output (float_compare:1) C[i,j]\n");
}

TEST(ComputeDagTest, TextFormRoundTrips) {
  for (const ComputeDag& dag :
       {MatmulReluDag(4, 8, 16), ConvBiasReluDag({.stride = 2}),
        MaxPoolDag(9, 8)}) {
    const absl::StatusOr<ComputeDag> parsed = ParseDag(PrintDag(dag));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->stages(), dag.stages());
  }
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].reads[0].by_initialization = true;
  stages[2].ordered = true;
  stages[2].accumulates = true;
  stages[2].cached = true;
  stages[2].opaque = true;
  stages[2].has_parts = true;
  stages[2].axes[1].selects = true;
  stages[0].contents = 7;
  stages[3].types = {{TypeCode::kUInt, 8}, kBool};
  stages[3].extern_function = "f";
  stages[3].definitions = {
      {.ops =
           {{.kind = OpKind::kRead, .type = kFloat32, .value = 1, .access = 0},
            {.kind = OpKind::kCall,
             .type = kFloat32,
             .operands = {0},
             .function = "exp_f32"}},
       .values = {1, 0},
       .indices = {0},
       .conditions = {1},
       .extents = {5}}};
  stages[3].ops = {.float_math = 1};
  EXPECT_EQ(ParseDag(PrintDag(*ComputeDag::Create(stages)))->stages(), stages);
  EXPECT_FALSE(ParseDag("stages { nonsense: 1 }").ok());
}

// Where nothing is known of a stage, integers are as wide as what it stores.
TEST(ComputeDagTest, IntegerWorkOfStagesWithoutDefinitions) {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].definitions.clear();
  stages[2].ops = {.int_add = 1, .int_mul = 1};
  const auto work = [&] { return ComputeDag::Create(stages)->integer_work(2); };
  EXPECT_EQ(work(), IntegerWork());
  stages[2].types = {{TypeCode::kInt, 16}};
  EXPECT_EQ(work(), (IntegerWork{.operations = 2, .bytes = 4}));
  stages[2].types.clear();
  EXPECT_EQ(work(), IntegerWork());
}

TEST(ComputeDagTest, RefusesWhatReadersCouldNotHandle) {
  std::vector<Stage> stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].reads[0].stage = 3;
  EXPECT_EQ(ComputeDag::Create(stages).status().message(),
            "stage 'C' reads stage 3, which is not computed before it");
  stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].reads[0].indices.pop_back();
  EXPECT_FALSE(ComputeDag::Create(stages).ok());
  stages = MatmulReluDag(4, 8, 16).stages();
  stages[3].axes[0].extent = 5;
  EXPECT_FALSE(ComputeDag::Create(stages).ok());
  stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].reads[0].indices[0].terms[0].axis = 7;
  EXPECT_FALSE(ComputeDag::Create(stages).ok());
  stages = MatmulReluDag(4, 8, 16).stages();
  stages[3].definitions = {
      {.ops = {{.kind = OpKind::kRead, .type = kFloat32, .access = 0}},
       .values = {0}}};
  EXPECT_EQ(ComputeDag::Create(stages).status().message(),
            "stage 'out' has the operations  and says it has float_compare:1");
  stages[3].definitions[0].ops[0].access = 1;
  EXPECT_EQ(ComputeDag::Create(stages).status().message(),
            "stage 'out': operation 0 reads nothing that is there");
  stages = MatmulReluDag(4, 8, 16).stages();
  stages[2].reduction = static_cast<ReductionKind>(9);
  EXPECT_EQ(ComputeDag::Create(stages).status().message(),
            "stage 'C' has a reduction of no known kind");
}

TEST(NodeAnalysisTest, MatmulAndConvolutionHaveDataReuse) {
  const ComputeDag matmul = MatmulReluDag(4, 8, 16);
  EXPECT_TRUE(HasDataReuse(matmul, 2));
  EXPECT_FALSE(HasDataReuse(matmul, 3));
  EXPECT_FALSE(HasDataReuse(matmul, 0));
  const ComputeDag conv = ConvBiasReluDag({});
  EXPECT_TRUE(HasDataReuse(conv, 4));
  EXPECT_FALSE(HasDataReuse(conv, 3));
}

TEST(NodeAnalysisTest, PoolingReadsEachElementForEachChannelOnce) {
  EXPECT_FALSE(HasDataReuse(MaxPoolDag(9, 8), 1));
}

TEST(NodeAnalysisTest, ChannelsOfAPixelShareWhatTheyRead) {
  const ComputeDag channels = ChannelsDag(3, 64);
  EXPECT_THAT(SharingAxes(channels, 2), ElementsAre(0));
  EXPECT_THAT(SharingAxes(channels, 3), ElementsAre(0));
  EXPECT_THAT(SharingAxes(channels, 0), IsEmpty());
  EXPECT_THAT(SeparateAxes(channels, 2), ElementsAre(1));
  // As many copies of a body as that, nobody unrolls.
  EXPECT_THAT(SharingAxes(ChannelsDag(16, 64), 3), IsEmpty());
  // Of rows and columns each element is read once.
  EXPECT_THAT(SharingAxes(StencilsDag(2, 3), 2), IsEmpty());
}

TEST(NodeAnalysisTest, AxesShareWhatIsReadThroughStagesOfOneReader) {
  std::vector<Stage> stages = ChannelsDag(3, 64).stages();
  stages[3].reads.pop_back();
  EXPECT_THAT(SharingAxes(*ComputeDag::Create(stages), 3), ElementsAre(0));
  stages[2].reads.pop_back();
  EXPECT_THAT(SharingAxes(*ComputeDag::Create(stages), 3), IsEmpty());
  EXPECT_THAT(SeparateAxes(*ComputeDag::Create(stages), 3), ElementsAre(0, 1));
}

// 3^40 ways lead to the image.
TEST(NodeAnalysisTest, AxesOfLongChainsAreLookedAtOnce) {
  std::vector<Stage> stages = ChannelsDag(3, 64).stages();
  stages[2].reads.pop_back();
  stages[3].reads.pop_back();
  constexpr int kMore = 40;
  for (int i = 0; i < kMore; ++i) {
    stages.push_back(stages[3]);
    Stage& stage = stages.back();
    stages[stages.size() - 2].is_output = false;
    stage.name = absl::StrCat("s", i);
    for (Access& read : stage.reads) {
      read.stage = static_cast<int>(stages.size()) - 2;
      read.indices[2].clamped = true;
    }
  }
  EXPECT_THAT(SharingAxes(*ComputeDag::Create(stages), 3 + kMore), IsEmpty());
}

// Registers hold what three channels have in common.
TEST(NodeAnalysisTest, ShortAxesAreNoReasonForTiles) {
  const auto with_two_masks = [](int64_t channels) {
    std::vector<Stage> stages = ChannelsDag(channels, 64).stages();
    stages[0].shape = stages[1].shape;
    stages[0].axes.clear();
    stages[2].reads[0].indices = stages[2].reads[1].indices;
    return *ComputeDag::Create(stages);
  };
  EXPECT_FALSE(HasDataReuse(with_two_masks(3), 2));
  EXPECT_TRUE(HasDataReuse(with_two_masks(16), 2));
}

TEST(NodeAnalysisTest, EpilogueIsTheFusibleConsumer) {
  EXPECT_EQ(FusibleConsumer(MatmulReluDag(4, 8, 16), 2), std::optional<int>(3));
  EXPECT_EQ(FusibleConsumer(ConvBiasReluDag({}), 4), std::optional<int>(5));
  // The convolution reads the padding window by window.
  EXPECT_EQ(FusibleConsumer(ConvBiasReluDag({}), 3), std::nullopt);
  EXPECT_EQ(FusibleConsumer(MatmulReluDag(4, 8, 16), 3), std::nullopt);
}

TEST(NodeAnalysisTest, StrictInliningRefusesSelectsTransposesAndReductions) {
  const ComputeDag matmul = MatmulReluDag(4, 4, 16);
  EXPECT_TRUE(IsStrictlyInlinable(matmul, 3));
  EXPECT_FALSE(IsStrictlyInlinable(matmul, 2));
  EXPECT_FALSE(IsStrictlyInlinable(ConvBiasReluDag({}), 3));
  std::vector<Stage> transposed = matmul.stages();
  std::swap(transposed[3].reads[0].indices[0],
            transposed[3].reads[0].indices[1]);
  EXPECT_FALSE(IsStrictlyInlinable(*ComputeDag::Create(transposed), 3));
}

TEST(ComputeDagTest, SizesThatCannotBeCountedAreRefused) {
  std::vector<Stage> stages = MatmulReluDag(8, 8, 8).stages();
  for (Stage& stage : stages) {
    for (int64_t& extent : stage.shape) extent = int64_t{1} << 31;
    for (Axis& axis : stage.axes) axis.extent = int64_t{1} << 31;
  }
  EXPECT_EQ(ComputeDag::Create({stages[0]}).status().message(),
            "stage 'A' has 4.61169e+18 elements, more than 1e+15");
  for (Stage& stage : stages) {
    for (int64_t& extent : stage.shape) extent = 1 << 20;
    for (Axis& axis : stage.axes) axis.extent = 1 << 20;
  }
  EXPECT_EQ(ComputeDag::Create(stages).status().message(),
            "stage 'C' has 2.30584e+18 operations, more than 1e+15");
  stages = MatmulReluDag(8, 8, 8).stages();
  stages[2].ops.int_add = stages[2].ops.int_mul =
      std::numeric_limits<int64_t>::max();
  EXPECT_EQ(ComputeDag::Create(stages).status().message(),
            "stage 'C' has 9.44473e+21 operations, more than 1e+15");
  stages[2].ops.int_add = stages[2].ops.int_mul = -1;
  EXPECT_EQ(ComputeDag::Create(stages).status().message(),
            "stage 'C' says it has fewer operations than none");
}

TEST(NodeAnalysisTest, FewResultsOfLongReductions) {
  EXPECT_TRUE(HasMoreReductionParallelism(MatmulReluDag(1, 8, 512), 2, 2));
  // Enough results for two cores, if not for sixty.
  const ComputeDag wide = MatmulReluDag(8, 16, 512);
  EXPECT_FALSE(HasMoreReductionParallelism(wide, 2, 2));
  EXPECT_TRUE(HasMoreReductionParallelism(wide, 2, 60));
  // More results than summands.
  EXPECT_FALSE(HasMoreReductionParallelism(MatmulReluDag(4, 8, 16), 2, 60));
  EXPECT_FALSE(HasMoreReductionParallelism(wide, 0, 2));
}

TEST(NodeAnalysisTest, ReductionsAlongMemory) {
  // The sum of a row's squares.
  std::vector<Stage> stages = MatmulReluDag(16, 1, 64).stages();
  stages[2].reads[1] = stages[2].reads[0];
  const ComputeDag rows = *ComputeDag::Create(stages);
  EXPECT_TRUE(ReducesContiguousElements(rows, 2));
  // Of a pooling the channels run along memory.
  EXPECT_FALSE(ReducesContiguousElements(MaxPoolDag(9, 16), 1));
  // Elements that are used again are tiled instead.
  EXPECT_FALSE(ReducesContiguousElements(MatmulReluDag(16, 16, 64), 2));
}

TEST(NodeAnalysisTest, FactorsOfOneColumnAreReadOnce) {
  // doubled -> product -> relu.
  const auto product = [](int64_t columns) {
    std::vector<Stage> stages = MatmulReluDag(16, columns, 64).stages();
    Stage doubled = stages[3];
    doubled.name = "doubled";
    doubled.is_output = false;
    doubled.shape = stages[0].shape;
    for (int d = 0; d < doubled.SpatialRank(); ++d)
      doubled.axes[d].extent = doubled.shape[d];
    doubled.reads[0].stage = 0;
    stages.insert(stages.begin() + 2, doubled);
    stages[3].reads[0].stage = 2;
    stages[4].reads[0].stage = 3;
    return *ComputeDag::Create(stages);
  };
  EXPECT_TRUE(IsReducedOnce(product(1), 2));
  EXPECT_FALSE(IsReducedOnce(product(2), 2));
  // What reads it is no reduction.
  EXPECT_FALSE(IsReducedOnce(product(1), 3));
}

// dear -> [scaled ->] product, which reduces, and -> shown, which does not.
TEST(NodeAnalysisTest, TranscendentalsAreDearInReductions) {
  std::vector<Stage> stages = MatmulReluDag(8, 8, 8).stages();
  Stage dear = stages[3];
  dear.name = "dear";
  dear.is_output = false;
  dear.definitions.clear();
  dear.ops = {};
  dear.ops.float_math = 1;
  dear.reads[0].stage = 0;
  Stage scaled = dear;
  scaled.name = "scaled";
  scaled.ops = {};
  scaled.reads[0].stage = 2;
  stages.insert(stages.begin() + 2, {dear, scaled});
  stages[4].reads[0].stage = 3;
  stages[5].reads[0].stage = 4;
  const ComputeDag dag = *ComputeDag::Create(stages);
  const auto all = [](int) { return true; };
  const auto none = [](int) { return false; };
  EXPECT_TRUE(IsDearInReduction(dag, 2, all));
  EXPECT_FALSE(IsDearInReduction(dag, 2, none));
  EXPECT_FALSE(IsDearInReduction(dag, 3, all));  // computes nothing dear
  stages[4].reads[0].stage = 2;
  const ComputeDag direct = *ComputeDag::Create(stages);
  EXPECT_TRUE(IsDearInReduction(direct, 2, none));
}

}  // namespace
}  // namespace pruner
