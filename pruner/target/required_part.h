// For tests that need a part of the machine which not every machine has, such
// as a driver.
#ifndef PRUNER_TARGET_REQUIRED_PART_H_
#define PRUNER_TARGET_REQUIRED_PART_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace pruner {

// True if the test ends here, as it lacks the part: it is skipped with what
// `available` says. Where the environment variable PRUNER_REQUIRE, names
// separated by commas, has the part ("opencl", "cuda"), it fails instead, so
// that nothing goes untested where the part is meant to be. Call it in SetUp,
// after which no body runs, or in the body, and return if it is true.
bool EndsWithout(absl::string_view part, const absl::Status& available);

}  // namespace pruner

#endif  // PRUNER_TARGET_REQUIRED_PART_H_
