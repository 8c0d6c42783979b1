// A target as text is refused, or is valid and the same when it is read again.
#include <cstddef>
#include <cstdint>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "pruner/target/target_key.h"
#include "pruner/target/target_spec.h"

namespace pruner {
namespace {

void Check(absl::string_view text) {
  const auto target = ParseTargetSpec(text, "input");
  if (!target.ok()) return;
  CHECK_OK(ValidateTargetSpec(*target, "input"));
  const auto again = ParseTargetSpec(TargetSpecToText(*target), "printed");
  CHECK_OK(again);
  CHECK(*again == *target);
  const TargetKey key = TargetKeyOf(*target);
  CHECK(TargetKeyOf(*again) == key);
  const auto read_key = ParseTargetKey(ToString(key));
  CHECK_OK(read_key);
  CHECK(*read_key == key);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
