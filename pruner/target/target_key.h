// The name by which logs know a target.
#ifndef PRUNER_TARGET_TARGET_KEY_H_
#define PRUNER_TARGET_TARGET_KEY_H_

#include <compare>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/target/target_spec.h"

namespace pruner {

struct TargetKey {
  uint64_t value = 0;

  auto operator<=>(const TargetKey&) const = default;
};

// 16 hexadecimal digits.
std::string ToString(TargetKey key);
// InvalidArgument if it is not of that form.
absl::StatusOr<TargetKey> ParseTargetKey(absl::string_view text);

// Equal where timings are comparable. The measured rates do not count: they
// differ a little each time a host is measured, and the host remains the same.
// Nor does a field that is 0 or empty: one that is new in a later version
// leaves the keys of the targets that do not use it alone.
TargetKey TargetKeyOf(const TargetSpec& target);

}  // namespace pruner

#endif  // PRUNER_TARGET_TARGET_KEY_H_
