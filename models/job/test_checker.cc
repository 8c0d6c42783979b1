// Answers as a process that checks networks, but with what it is told to find:
//   test_checker slower | wrong | formulations KEY...
// the keys being those of workloads that are wrong, in hexadecimal.
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "models/job/network_check.pb.h"
#include "pruner/base/os/message_parent.h"

namespace pruner {
namespace {

proto::NetworkCheckReply Answer(int argc, char** argv) {
  proto::NetworkCheckReply reply;
  proto::NetworkCheckResult& result = *reply.mutable_result();
  const absl::string_view what = argv[1];
  result.set_max_rel_error(1e-6);
  result.mutable_tuned()->set_median_seconds(2e-3);
  result.mutable_baseline()->set_median_seconds(1e-3);
  result.set_keeps_default(what == "slower");
  if (what == "wrong") {
    result.set_problem("a kernel is wrong");
    result.set_wrong_kernel("conv");
  }
  for (int i = 2; i < argc; ++i) {
    uint64_t key = 0;
    if (!absl::SimpleHexAtoi(argv[i], &key)) return {};
    auto& formulation = *result.add_formulations();
    formulation.set_workload(key);
    formulation.set_error(0.5);
    formulation.set_problem("it differs");
  }
  return reply;
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  auto parent = pruner::MessageParent::FromEnvironment();
  if (!parent.ok() || argc < 2 || !parent->Receive().ok()) return 1;
  const std::string reply = pruner::Answer(argc, argv).SerializeAsString();
  return parent->Send(reply).ok() ? 0 : 1;
}
