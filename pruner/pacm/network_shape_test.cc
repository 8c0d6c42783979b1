#include "pruner/pacm/network_shape.h"

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/features/columns.h"
#include "pruner/features/feature_rows.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

TEST(NetworkShapeTest, NamesAreReadBack) {
  for (const NetworkKind kind : {NetworkKind::kPacm, NetworkKind::kTensetMlp}) {
    EXPECT_EQ(*ParseNetworkKind(NetworkKindName(kind)), kind);
  }
  EXPECT_THAT(ParseNetworkKind("tlp"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "there is no network tlp; there are pacm and "
                       "tenset_mlp"));
}

TEST(NetworkShapeTest, WidthsComeFromTheFeatures) {
  const FeatureRows rows = ColumnExtractor(ColumnSet::kPacm).NoRows();
  EXPECT_EQ(
      ShapeFor(NetworkKind::kPacm, rows),
      (NetworkShape{.row_columns = 174, .blocks = 8, .block_columns = 23}));
  EXPECT_EQ(
      ShapeFor(NetworkKind::kTensetMlp, rows),
      (NetworkShape{.kind = NetworkKind::kTensetMlp, .row_columns = 174}));
  EXPECT_EQ(ShapeFor(NetworkKind::kPacm,
                     ColumnExtractor(ColumnSet::kTenset).NoRows()),
            (NetworkShape{.row_columns = 174}));
}

TEST(NetworkShapeTest, WhatNoNetworkReadsIsRefused) {
  ABSL_EXPECT_OK(CheckShape({.row_columns = 3}));
  ABSL_EXPECT_OK(CheckShape({.blocks = 8, .block_columns = 2, .width = 16}));
  ABSL_EXPECT_OK(
      CheckShape({.kind = NetworkKind::kTensetMlp, .row_columns = 1}));
  for (const NetworkShape& shape : {
           NetworkShape{},
           NetworkShape{.row_columns = -1, .blocks = 8, .block_columns = 2},
           NetworkShape{.row_columns = 1, .blocks = 8},
           NetworkShape{.row_columns = 1, .block_columns = 2},
           NetworkShape{.row_columns = 1 << 20},
           NetworkShape{.row_columns = 1, .width = 0},
           NetworkShape{.row_columns = 1, .width = 1 << 20},
           NetworkShape{.blocks = 8, .block_columns = 2, .dataflow_width = 0},
           NetworkShape{.blocks = 8, .block_columns = 2, .dataflow_width = 30},
           NetworkShape{
               .blocks = 8, .block_columns = 2, .dataflow_width = 1 << 20},
           NetworkShape{.kind = NetworkKind::kTensetMlp,
                        .row_columns = 1,
                        .blocks = 8,
                        .block_columns = 2},
           NetworkShape{.kind = NetworkKind::kTensetMlp,
                        .blocks = 8,
                        .block_columns = 2},
       }) {
    EXPECT_THAT(CheckShape(shape),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(NetworkShapeTest, ProgramsMustFit) {
  const NetworkShape shape = {
      .row_columns = 3, .blocks = 8, .block_columns = 2};
  ABSL_EXPECT_OK(CheckColumns(shape, {.columns = 3, .program_columns = 16}));
  EXPECT_THAT(CheckColumns(shape, {.columns = 4, .program_columns = 16}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a network of 3 features cannot read rows of 4"));
  EXPECT_THAT(CheckColumns(shape, {.columns = 3}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("8 dataflow blocks of 2 cannot read programs "
                                 "with 0 features of their own")));
  // What is not read may be anything.
  ABSL_EXPECT_OK(
      CheckColumns({.row_columns = 3}, {.columns = 3, .program_columns = 5}));
  ABSL_EXPECT_OK(CheckColumns({.blocks = 8, .block_columns = 2},
                              {.columns = 9, .program_columns = 16}));
}

}  // namespace
}  // namespace pruner
