// A line of genes is refused, or says what it says in one way.
#include <cstddef>
#include <cstdint>

#include "absl/log/check.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "pruner/sketch/candidate.h"

namespace pruner {
namespace {

void Check(absl::string_view text) {
  const auto genes = ParseGenes(text);
  if (!genes.ok()) return;
  for (const int32_t value : genes->values) CHECK_GE(value, 0);
  const auto again = ParseGenes(absl::StrFormat(
      "%s #%08x%s%s", genes->derivation, genes->version,
      genes->values.empty() ? "" : " ", absl::StrJoin(genes->values, " ")));
  CHECK_OK(again);
  CHECK(*again == *genes);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
