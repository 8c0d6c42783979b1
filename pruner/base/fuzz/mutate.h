// Random changes of an input, for fuzz tests without libFuzzer.
#ifndef PRUNER_BASE_FUZZ_MUTATE_H_
#define PRUNER_BASE_FUZZ_MUTATE_H_

#include <cstddef>
#include <string>

#include "absl/types/span.h"
#include "pruner/base/rng.h"

namespace pruner {

// One of the seeds with a few changes: bytes flipped, replaced, left out,
// repeated, or taken from another seed. At most `max_bytes` of it.
std::string Mutate(absl::Span<const std::string> seeds, size_t max_bytes,
                   Rng& rng);

}  // namespace pruner

#endif  // PRUNER_BASE_FUZZ_MUTATE_H_
