#include "pruner/target/required_part.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"

namespace pruner {
namespace {

bool IsRequired(absl::string_view part) {
  const std::string parts = GetEnv("PRUNER_REQUIRE").value_or("");
  return absl::c_linear_search(absl::StrSplit(parts, ','), part);
}

// Where the part comes from.
absl::string_view Hint(absl::string_view part) {
  return part == "opencl" ? "; the Debian packages pocl-opencl-icd and "
                            "ocl-icd-libopencl1 bring an OpenCL device"
                          : "";
}

// A function of its own, for the macros return from it.
void End(absl::string_view part, const absl::Status& available) {
  if (IsRequired(part)) {
    FAIL() << "PRUNER_REQUIRE names " << part << ", but " << available.message()
           << Hint(part);
  }
  GTEST_SKIP() << available.message() << Hint(part);
}

}  // namespace

bool EndsWithout(absl::string_view part, const absl::Status& available) {
  if (!available.ok()) End(part, available);
  return !available.ok();
}

}  // namespace pruner
