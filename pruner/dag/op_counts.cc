#include "pruner/dag/op_counts.h"

#include "absl/strings/str_cat.h"

namespace pruner {

int64_t OpCounts::Total() const {
  int64_t total = 0;
  VisitFields(*this, [&](const char*, int64_t count) { total += count; });
  return total;
}

std::string ToString(const OpCounts& counts) {
  std::string text;
  OpCounts::VisitFields(counts, [&](const char* name, int64_t count) {
    if (count != 0)
      absl::StrAppend(&text, text.empty() ? "" : " ", name, ":", count);
  });
  return text;
}

}  // namespace pruner
