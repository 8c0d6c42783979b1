#include "pruner/base/hash.h"

#include <cstdint>

#include "absl/strings/string_view.h"
#include "xxhash.h"

namespace pruner {

uint64_t Fingerprint(absl::string_view data) {
  return XXH64(data.data(), data.size(), /*seed=*/0);
}

}  // namespace pruner
