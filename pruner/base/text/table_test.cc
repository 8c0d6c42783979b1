#include "pruner/base/text/table.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

TEST(TableTest, AlignsColumns) {
  Table table({{"task", Table::Align::kLeft}, {"trials"}, {"time"}});
  table.AddRow({"conv2d_3x3", "128", "17.4 ms"});
  table.AddRow({"gemm", "2000", "1.02 ms"});
  EXPECT_EQ(table.ToString(),
            "task        trials     time\n"
            "----------  ------  -------\n"
            "conv2d_3x3     128  17.4 ms\n"
            "gemm          2000  1.02 ms\n");
}

TEST(TableTest, LinesHaveNoSpacesAtTheEnd) {
  Table table({{"a"}, {"note", Table::Align::kLeft}});
  table.AddRow({"1", ""});
  table.AddRow({"2", "long text"});
  EXPECT_EQ(table.ToString(),
            "a  note\n"
            "-  ---------\n"
            "1\n"
            "2  long text\n");
}

TEST(TableTest, CountsCharactersNotBytes) {
  Table table({{"größe"}, {"x"}});
  table.AddRow({"14²×64", "1"});
  EXPECT_EQ(table.ToString(),
            " größe  x\n"
            "------  -\n"
            "14²×64  1\n");
}

TEST(TableTest, MayHaveNoRows) {
  EXPECT_EQ(Table({{"a"}, {"bc"}}).ToString(), "a  bc\n-  --\n");
}

TEST(TableDeathTest, RowsHaveACellForEachColumn) {
  Table table({{"a"}, {"b"}});
  EXPECT_DEATH(table.AddRow({"1"}), "columns_.size");
}

}  // namespace
}  // namespace pruner
