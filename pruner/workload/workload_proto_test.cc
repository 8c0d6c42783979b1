#include "pruner/workload/workload_proto.h"

#include <string>

#include "absl/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/sample_dags.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

Workload Matmul() {
  return {"matmul",
          std::string("\0pipe\xff", 6),
          MatmulReluDag(4, 8, 16),
          {"B is read as it is"}};
}

TEST(WorkloadTest, HasTheKeyOfItsDag) {
  EXPECT_EQ(Matmul().key, KeyOf(MatmulReluDag(4, 8, 16)));
}

TEST(WorkloadTest, ProtoRoundTrips) {
  Workload workload = Matmul();
  workload.constants = {"B"};
  proto::Workload message;
  ASSERT_TRUE(message.ParseFromString(ToProto(workload).SerializeAsString()));
  const absl::StatusOr<Workload> read = FromProto(message);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->name, workload.name);
  EXPECT_EQ(read->pipeline, workload.pipeline);
  EXPECT_EQ(read->dag.stages(), workload.dag.stages());
  EXPECT_EQ(read->key, workload.key);
  EXPECT_EQ(read->notes, workload.notes);
  EXPECT_EQ(read->constants, workload.constants);
}

TEST(WorkloadTest, OneWithAnotherKeyIsRefused) {
  proto::Workload message = ToProto(Matmul());
  message.set_key(1);
  EXPECT_THAT(FromProto(message),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("workload 'matmul' does not match its key "
                                 "0000000000000001: it is damaged, or was made "
                                 "by another version")));
}

TEST(WorkloadTest, OneWithABadDagIsRefused) {
  proto::Workload message = ToProto(Matmul());
  message.mutable_dag()->clear_stages();
  EXPECT_THAT(FromProto(message), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
