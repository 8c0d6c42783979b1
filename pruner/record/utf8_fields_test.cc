#include "pruner/record/utf8_fields.h"

#include <string>

#include "gtest/gtest.h"
#include "pruner/record/record.pb.h"

namespace pruner {
namespace {

TEST(MakeStringsValidTest, MendsStringsWhereverTheyAre) {
  proto::LogEntry entry;
  proto::Run& run = *entry.mutable_run();
  run.set_host("h\xff");
  run.set_policy("fine \xc3\xa9");
  proto::Run::Option& option = *run.add_options();
  option.set_name("model");
  option.set_value("\xfe.txtpb");
  MakeStringsValid(entry);
  EXPECT_EQ(run.host(), "h\xef\xbf\xbd");
  EXPECT_EQ(run.policy(), "fine \xc3\xa9");
  EXPECT_EQ(option.value(), "\xef\xbf\xbd.txtpb");

  proto::Workload& workload = *entry.mutable_workload();
  workload.set_pipeline("\xff");
  workload.add_notes("a\xff");
  workload.add_notes("b");
  workload.mutable_dag()->add_stages()->set_name("\xff");
  MakeStringsValid(entry);
  EXPECT_EQ(workload.pipeline(), "\xff");
  EXPECT_EQ(workload.notes(0), "a\xef\xbf\xbd");
  EXPECT_EQ(workload.notes(1), "b");
  EXPECT_EQ(workload.dag().stages(0).name(), "\xef\xbf\xbd");
  EXPECT_TRUE(proto::LogEntry().ParseFromString(entry.SerializeAsString()));
}

}  // namespace
}  // namespace pruner
