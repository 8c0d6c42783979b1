#include "halide_ext/build/pinned_ptxas.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {

using ::bazel::tools::cpp::runfiles::Runfiles;

Ptxas PinnedPtxas() {
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::CreateForTest(&error));
  EXPECT_NE(runfiles, nullptr) << error;
  return Ptxas(runfiles->Rlocation("cuda_tools/nvidia/cuda_nvcc/bin/ptxas"));
}

}  // namespace pruner
