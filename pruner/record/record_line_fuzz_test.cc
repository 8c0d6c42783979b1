// A record as a line of JSON is refused, or is the same when it is printed and
// read again, and one that logs may hold.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/log/check.h"
#include "absl/strings/string_view.h"
#include "pruner/record/measure_record.h"

namespace pruner {
namespace {

void Check(absl::string_view text) {
  const auto record = ParseRecord(text);
  if (!record.ok()) return;
  const std::string printed = PrintRecord(*record, "a name");
  const auto again = ParseRecord(printed);
  CHECK_OK(again);
  // Not the records: they may hold NaN, which equals nothing.
  CHECK_EQ(PrintRecord(*again, "a name"), printed);
  CHECK(again->schedule == record->schedule);
  CHECK_OK(FromProto(ToProto(*record)));
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
