// A DAG as text is refused, or is the same when it is read again, and can be
// printed for people and counted.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/dag/dag_proto.h"

namespace pruner {
namespace {

void Check(absl::string_view text) {
  const auto dag = ParseDag(text);
  if (!dag.ok()) return;
  const std::string printed = PrintDag(*dag);
  const auto again = ParseDag(printed);
  CHECK_OK(again);
  CHECK_EQ(PrintDag(*again), printed);
  CHECK_EQ(again->ToString(), dag->ToString());
  CHECK_GE(dag->Flops(), 0);
  CHECK_GE(dag->IntegerOps(), 0);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
