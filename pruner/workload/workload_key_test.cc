#include "pruner/workload/workload_key.h"

#include <utility>
#include <vector>

#include "absl/status/status_matchers.h"
#include "gtest/gtest.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/sample_dags.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;

TEST(WorkloadKeyTest, TextRoundTrips) {
  const WorkloadKey key = {0xc0ffee};
  EXPECT_EQ(ToString(key), "0000000000c0ffee");
  EXPECT_THAT(ParseWorkloadKey("0000000000c0ffee"), IsOkAndHolds(key));
  for (const char* text : {"", "c0ffee", "0000000000c0ffeg", "0x00000000c0ff",
                           "00000000000c0ffee"}) {
    EXPECT_THAT(ParseWorkloadKey(text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
}

TEST(WorkloadKeyTest, IgnoresNamesOnly) {
  std::vector<Stage> renamed = MatmulReluDag(4, 8, 16).stages();
  renamed[2].name = "other";
  renamed[2].axes[0].name = "row";
  EXPECT_EQ(KeyOf(*ComputeDag::Create(renamed)),
            KeyOf(MatmulReluDag(4, 8, 16)));
  EXPECT_NE(KeyOf(MatmulReluDag(4, 8, 16)), KeyOf(MatmulReluDag(8, 4, 16)));
  std::vector<Stage> other_read = MatmulReluDag(8, 8, 8).stages();
  std::swap(other_read[2].reads[1].indices[0],
            other_read[2].reads[1].indices[1]);
  EXPECT_NE(KeyOf(*ComputeDag::Create(other_read)),
            KeyOf(MatmulReluDag(8, 8, 8)));
}

}  // namespace
}  // namespace pruner
