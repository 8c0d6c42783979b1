#include "pruner/features/dataflow_blocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/program/program.h"
#include "pruner/program/resolve.h"
#include "pruner/schedule/sample_schedules.h"
#include "pruner/schedule/schedule_text.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

using Block = std::map<std::string, float>;

// The columns by name, without what they all begin with.
std::vector<Block> Named(const DataflowBlocks& blocks) {
  std::vector<Block> named;
  for (const auto& block : blocks) {
    Block& columns = named.emplace_back();
    for (int c = 0; c < kDataflowColumns; ++c)
      columns[DataflowColumnNames()[c].substr(5)] = block[c];
  }
  return named;
}

float Log(double value) { return static_cast<float>(std::log2(value + 1)); }

// Of places and ways of access, which have one column each: those that are 1.
std::string Kind(const Block& block) {
  std::string kind;
  for (const char* name :
       {"in_memory", "near", "in_registers", "read", "write", "read_write"}) {
    if (block.at(name) == 1)
      kind += std::string(kind.empty() ? "" : " ") + name;
  }
  return kind;
}

std::vector<std::string> Kinds(const std::vector<Block>& blocks) {
  std::vector<std::string> kinds;
  for (const Block& block : blocks) kinds.push_back(Kind(block));
  return kinds;
}

const char* const kPattern[] = {
    "in_registers write", "in_memory read",
    "near write",         "in_memory read",
    "near write",         "near read",
    "near read",          "in_registers read_write"};

bool IsNothing(const DataflowBlocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const auto& block) {
    return std::all_of(block.begin(), block.end(),
                       [](float value) { return value == 0; });
  });
}

TEST(DataflowBlocksTest, ColumnsHaveNames) {
  const std::vector<std::string>& names = DataflowColumnNames();
  EXPECT_EQ(names.size(), static_cast<size_t>(kDataflowColumns));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(),
            names.size());
}

// 128 x 128 for each of 64 blocks, eight steps of the reduction at a time.
TEST(DataflowBlocksTest, OfAStagedProduct) {
  const ComputeDag dag = MatmulReluDag(1024, 1024, 1024);
  const Program program =
      *Resolve(dag, *ParseSchedule(kSampleStagedMatmul), SampleGpuTarget());
  DataflowExtractor extractor;
  const std::vector<Block> blocks = Named(extractor.Extract(program));
  EXPECT_THAT(Kinds(blocks), testing::ElementsAreArray(kPattern));
  const double product = 1024.0 * 1024 * 1024, copied = 8388608;
  EXPECT_EQ(blocks[0].at("operations"), 0);
  EXPECT_EQ(blocks[0].at("bytes"), Log(4 * 1024 * 1024));
  for (const int read : {1, 3}) {
    EXPECT_EQ(blocks[read].at("operations"), 0);
    EXPECT_EQ(blocks[read].at("bytes"), Log(4 * copied));
    EXPECT_EQ(blocks[read].at("unique_bytes"), Log(4 * 1024 * 1024));
    EXPECT_EQ(blocks[read].at("allocated_bytes"), 0);
    EXPECT_EQ(blocks[read + 1].at("bytes"), Log(4 * copied));
    EXPECT_EQ(blocks[read + 1].at("unique_bytes"), Log(4 * 1024));
    EXPECT_EQ(blocks[read + 1].at("allocated_bytes"), Log(4 * 1024));
  }
  for (const int use : {5, 6, 7}) {
    EXPECT_EQ(blocks[use].at("operations"), Log(2 * product));
    EXPECT_EQ(blocks[use].at("bytes"), Log(4 * product));
  }
  EXPECT_EQ(blocks[5].at("allocated_bytes"), Log(4 * 1024));
  EXPECT_EQ(blocks[6].at("unique_bytes"), Log(4 * 1024));
}

TEST(DataflowBlocksTest, OperationsTwiceAsTheAuthorsHaveThem) {
  const ComputeDag dag = MatmulReluDag(1024, 1024, 1024);
  const Program program =
      *Resolve(dag, *ParseSchedule(kSampleStagedMatmul), SampleGpuTarget());
  const std::vector<Block> ours = Named(DataflowExtractor().Extract(program));
  std::vector<Block> compat =
      Named(DataflowExtractor({.compat_operations = true}).Extract(program));
  const double product = 1024.0 * 1024 * 1024;
  EXPECT_EQ(compat[7].at("operations"), Log(2 * product * product));
  for (int b = 0; b < kDataflowBlocks; ++b)
    compat[b]["operations"] = ours[b].at("operations");
  EXPECT_EQ(compat, ours);
}

// By hand: tiles of 4 rows and 32 columns in the loop of the reduction, 2048 of
// them.
TEST(DataflowBlocksTest, OfATiledProduct) {
  const ComputeDag dag = MatmulReluDag(64, 64, 64);
  const Program program =
      *Resolve(dag, *ParseSchedule(kSampleTiledMatmul), SampleCpuTarget());
  DataflowExtractor extractor;
  const std::vector<Block> blocks = Named(extractor.Extract(program));
  EXPECT_THAT(Kinds(blocks), testing::ElementsAreArray(kPattern));
  const Block& rows = blocks[1];
  EXPECT_EQ(rows.at("bytes"), Log(2048 * 4 * 4));
  EXPECT_EQ(rows.at("unique_bytes"), Log(64 * 64 * 4));
  EXPECT_EQ(rows.at("lines"), Log(2048 * 4));
  EXPECT_EQ(rows.at("unique_lines"), Log(64 * 4));
  EXPECT_EQ(rows.at("reuse_loop"), 1);
  EXPECT_EQ(rows.at("reuse_distance_iterations"), Log(64));
  EXPECT_EQ(rows.at("reuse_distance_bytes"),
            Log((4 * 64 + 64 * 32 + 4 * 32) * 4));
  EXPECT_EQ(rows.at("reuse_count"), Log(2));
  EXPECT_EQ(rows.at("stride"), Log(1));
  EXPECT_EQ(rows.at("operations"), 0);
  EXPECT_EQ(rows.at("allocated_bytes"), 0);
  EXPECT_EQ(blocks[2].at("bytes"), rows.at("bytes"));
  EXPECT_EQ(blocks[2].at("allocated_bytes"), Log(4 * 4));
  const Block& columns = blocks[3];
  EXPECT_EQ(columns.at("bytes"), Log(2048 * 32 * 4));
  EXPECT_EQ(columns.at("lines"), Log(2048 * 2));
  EXPECT_EQ(columns.at("reuse_distance_iterations"), Log(64 * 2));
  EXPECT_EQ(columns.at("reuse_count"), Log(16));
  EXPECT_EQ(columns.at("stride"), Log(64));
  const double product = 64.0 * 64 * 64;
  EXPECT_EQ(blocks[5].at("allocated_bytes"), Log(32 * 4));
  EXPECT_EQ(blocks[6].at("allocated_bytes"), Log(4 * 4));
  EXPECT_EQ(blocks[7].at("operations"), Log(2 * product));
  EXPECT_EQ(blocks[7].at("allocated_bytes"), Log(4 * 32 * 4));
}

TEST(DataflowBlocksTest, WithoutAPatternThereIsNothing) {
  DataflowExtractor extractor;
  const ComputeDag matmul = MatmulReluDag(64, 64, 64);
  // Not tiled.
  EXPECT_TRUE(
      IsNothing(extractor.Extract(*Resolve(matmul, {}, SampleCpuTarget()))));
  EXPECT_FALSE(IsNothing(extractor.Extract(*Resolve(
      matmul, *ParseSchedule(kSampleTiledMatmul), SampleCpuTarget()))));
  // Nothing is multiplied.
  const ComputeDag pool = MaxPoolDag(8, 4);
  EXPECT_TRUE(
      IsNothing(extractor.Extract(*Resolve(pool, {}, SampleCpuTarget()))));
}

}  // namespace
}  // namespace pruner
