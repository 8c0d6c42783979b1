// What can be told of bytes that Halide should have serialized before Halide
// reads them. Its reader trusts its input: it checks no offset, so that a
// damaged file makes it read anywhere, and it goes on, with a warning, when
// another version of Halide wrote the file.
#ifndef HALIDE_EXT_BUILD_PIPELINE_BYTES_H_
#define HALIDE_EXT_BUILD_PIPELINE_BYTES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace pruner {

// What the Halide that we link writes into its files: its version, and that of
// the format, which changes less often.
inline constexpr absl::string_view kHalideVersion = "21.0.0";
inline constexpr absl::string_view kHalideFormat = "18.0.1";

// The most bytes a file may have. Loading it takes about ten times as much.
inline constexpr int64_t kMaxPipelineBytes = int64_t{256} << 20;

// Whether `bytes` are the outline of a pipeline as Halide::serialize_pipeline
// of our version writes it: the names, how many Funcs there are, and where. Of
// what these contain nothing is said. Errors, INVALID_ARGUMENT: empty; no
// pipeline; another version's; cut off or damaged. `file` is for their text.
absl::Status CheckPipelineBytes(absl::string_view bytes,
                                absl::string_view file);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_PIPELINE_BYTES_H_
