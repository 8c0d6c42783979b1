// A graph file is refused, or is the same when it is read again; what it takes
// to compute it can be said.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "models/graph/graph_text.h"
#include "models/graph/operator_graph.h"

namespace pruner {
namespace {

void Check(absl::string_view text) {
  const auto graph = ParseGraph(text);
  if (!graph.ok()) return;
  const std::string printed = PrintGraph(*graph);
  const auto again = ParseGraph(printed);
  CHECK_OK(again);
  CHECK_EQ(PrintGraph(*again), printed);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
