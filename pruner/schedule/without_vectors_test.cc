#include "pruner/schedule/without_vectors.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {
namespace {

constexpr char kSteps[] =
    "annotate stage=3 iterator=1 annotation=vectorize\n"
    "rfactor stage=2 axis=2 factor=4 part=inner\n"
    "annotate stage=2 iterator=1 annotation=vectorize\n"
    "annotate stage=3 iterator=0 annotation=parallel\n"
    "annotate stage=3 iterator=1 annotation=vectorize\n";

TEST(WithoutVectorsTest, OnlyStagesOfTheseNamesLoseTheirs) {
  const ComputeDag dag = MatmulReluDag(8, 8, 16);
  const Schedule schedule = ParseSchedule(kSteps).value();
  const auto without = [&](const std::set<std::string>& stages) {
    return PrintSchedule(WithoutVectors(dag, schedule, stages).value());
  };
  EXPECT_EQ(without({}), kSteps);
  EXPECT_EQ(without({"A", "D"}), kSteps);
  EXPECT_EQ(without({"C.rf"}),
            "annotate stage=3 iterator=1 annotation=vectorize\n"
            "rfactor stage=2 axis=2 factor=4 part=inner\n"
            "annotate stage=2 iterator=1 annotation=none\n"
            "annotate stage=3 iterator=0 annotation=parallel\n"
            "annotate stage=3 iterator=1 annotation=vectorize\n");
  // The stage's number was another one before there were partial sums.
  EXPECT_EQ(without({"C", "out"}),
            "annotate stage=3 iterator=1 annotation=none\n"
            "rfactor stage=2 axis=2 factor=4 part=inner\n"
            "annotate stage=2 iterator=1 annotation=vectorize\n"
            "annotate stage=3 iterator=0 annotation=parallel\n"
            "annotate stage=3 iterator=1 annotation=none\n");
}

TEST(WithoutVectorsTest, StepsThatDoNotFitAreAnError) {
  const Schedule schedule =
      ParseSchedule("annotate stage=9 iterator=1 annotation=vectorize\n")
          .value();
  EXPECT_EQ(
      WithoutVectors(MatmulReluDag(8, 8, 16), schedule, {"C"}).status().code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace pruner
