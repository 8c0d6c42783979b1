// The border to Halide: what it throws becomes a status.
#ifndef HALIDE_EXT_BUILD_GUARDED_H_
#define HALIDE_EXT_BUILD_GUARDED_H_

#include <functional>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace pruner {

// Runs `body`; INVALID_ARGUMENT with Halide's words if that throws.
template <typename Result>
absl::StatusOr<Result> Guarded(
    const std::function<absl::StatusOr<Result>()>& body) {
  try {
    return body();
  } catch (const Halide::Error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("Halide: ", absl::StripAsciiWhitespace(error.what())));
  }
}

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_GUARDED_H_
