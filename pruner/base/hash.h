// A stable 64-bit hash, for keys that are stored or compared between runs.
#ifndef PRUNER_BASE_HASH_H_
#define PRUNER_BASE_HASH_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace pruner {

// The XXH64 hash of `data` with seed 0: the same on every machine and in every
// version of this program (absl::Hash differs from process to process). It does
// not guard against somebody who looks for collisions.
uint64_t Fingerprint(absl::string_view data);

}  // namespace pruner

#endif  // PRUNER_BASE_HASH_H_
