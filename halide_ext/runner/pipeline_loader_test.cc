#include "halide_ext/runner/pipeline_loader.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"
#include "pruner/dag/dag_proto.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;

class PipelineLoaderTest : public testing::Test {
 protected:
  PipelineLoaderTest() {
    options_.command = {"halide_ext/runner/test_worker"};
    // Without LLVM there is little to load, and the test runs beside others.
    options_.max_memory_bytes = int64_t{3} << 30;
  }

  absl::StatusOr<Workload> Load() const {
    return LoadPipelineFile(path_, "w", options_);
  }
  absl::StatusOr<Workload> Load(const std::string& contents) const {
    EXPECT_THAT(WriteFileAtomically(path_, contents), IsOk());
    return Load();
  }

  static std::string Serialized(const Halide::Pipeline& pipeline) {
    std::vector<uint8_t> bytes;
    Halide::serialize_pipeline(pipeline, bytes);
    return {bytes.begin(), bytes.end()};
  }

  auto IsError(const std::string& message) const {
    return StatusIs(absl::StatusCode::kInvalidArgument,
                    AllOf(HasSubstr(path_), HasSubstr(message)));
  }

  const TempDirectory directory_ = TempDirectory::Create().value();
  const std::string path_ = directory_.File("f.hlpipe");
  const Halide::Pipeline matmul_ = MatmulReluPipeline(8, 16, 4);
  PipelineLoaderOptions options_;
};

TEST_F(PipelineLoaderTest, LoadsWhatHalideWrote) {
  Halide::serialize_pipeline(matmul_, path_);
  const absl::StatusOr<Workload> loaded = Load();
  ASSERT_THAT(loaded, IsOk());
  EXPECT_EQ(loaded->name, "w");
  EXPECT_EQ(PrintDag(loaded->dag), PrintDag(MakeWorkload("w", matmul_)->dag));
  EXPECT_THAT(WorkloadPipeline::Load(loaded->pipeline), IsOk());
}

TEST_F(PipelineLoaderTest, LoadsWorkloads) {
  const Workload original = *MakeWorkload("w", matmul_);
  const absl::StatusOr<Workload> loaded = Load(original.pipeline);
  ASSERT_THAT(loaded, IsOk());
  EXPECT_EQ(loaded->pipeline, original.pipeline);
  EXPECT_EQ(PrintDag(loaded->dag), PrintDag(original.dag));
  options_.input_sizes = {{"A", {4, 8}}};
  EXPECT_THAT(Load().status(), IsError("give none beside it"));
}

TEST_F(PipelineLoaderTest, HandsOverSizesOfInputs) {
  Halide::ImageParam image(Halide::Float(32), 1, "image");
  Halide::Var x("x");
  Halide::Func out("out");
  out(x) = Halide::BoundaryConditions::mirror_image(image)(x);
  out.set_estimate(x, 0, 40);
  EXPECT_THAT(Load(Serialized(out)).status(), IsError("as in image=<0>"));
  options_.input_sizes = {{"image", {30}}};
  EXPECT_THAT(Load(), IsOk());
}

TEST_F(PipelineLoaderTest, FilesThatCannotBeRead) {
  EXPECT_THAT(Load().status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(path_)));
  EXPECT_THAT(Load("").status(), IsError("is empty"));
  EXPECT_THAT(Load("#!/bin/sh\nexit 1\n").status(),
              IsError("is no Halide pipeline"));
  std::filesystem::resize_file(path_, kMaxPipelineBytes + 1);
  EXPECT_THAT(Load().status(),
              StatusIs(absl::StatusCode::kOutOfRange,
                       AllOf(HasSubstr(path_), HasSubstr("it has more than "
                                                         "268435456 bytes"))));
  std::filesystem::remove(path_);
  ASSERT_THAT(MakeDirectories(path_), IsOk());
  EXPECT_THAT(Load().status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(path_), HasSubstr("Is a directory"))));
}

TEST_F(PipelineLoaderTest, PipelinesThatCannotBeUsed) {
  EXPECT_THAT(
      Load(absl::StrReplaceAll(Serialized(matmul_), {{"21.0.0", "20.0.1"}}))
          .status(),
      IsError("was written by Halide 20.0.1, and this program has Halide "
              "21.0.0: write the file again with that version"));
  Halide::Var x("x");
  Halide::Func out(Halide::Internal::Function("out"));
  out(x) = x;
  EXPECT_THAT(Load(Serialized(out)).status(),
              IsError("the size of output 'out' in dimension 0 ('x') is not "
                      "known: give it an estimate or bounds"));
}

TEST_F(PipelineLoaderTest, FilesThatWereCutOff) {
  const std::string bytes = Serialized(ConvBiasReluPipeline({}));
  for (int sixteenths = 1; sixteenths < 16; ++sixteenths) {
    EXPECT_THAT(Load(bytes.substr(0, bytes.size() * sixteenths / 16)).status(),
                IsError("truncated"))
        << sixteenths;
  }
}

// Whatever comes of it, this process goes on, and can do with a workload what
// it does with any other.
TEST_F(PipelineLoaderTest, ChangedBits) {
  const std::string bytes = Serialized(matmul_);
  Rng rng(1);
  int crashes = 0, workloads = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    char& byte = changed[rng.Index(bytes.size())];
    byte = static_cast<char>(byte ^ (1 << rng.Index(8)));
    const absl::StatusOr<Workload> loaded = Load(changed);
    if (loaded.ok()) {
      ++workloads;
      EXPECT_THAT(WorkloadPipeline::Load(loaded->pipeline), IsOk());
    } else {
      EXPECT_THAT(loaded.status(), IsError(""));
      crashes += absl::StrContains(loaded.status().message(),
                                   "is damaged: Halide's reader crashed on it "
                                   "(it was ended by signal ");
    }
  }
  EXPECT_GT(crashes, 0);
  EXPECT_GT(workloads, 0);
}

TEST_F(PipelineLoaderTest, WorkersThatDoNotAnswer) {
  const PipelineLoaderOptions good = options_;
  options_.command = {"/bin/sh", "-c", "exec sleep 60"};
  options_.timeout = absl::Milliseconds(50);
  EXPECT_THAT(Load(Serialized(matmul_)).status(),
              IsError("Halide's reader did not come to an end within 50ms"));
  options_ = good;
  options_.command = {"/bin/true"};
  EXPECT_THAT(
      Load().status(),
      StatusIs(absl::StatusCode::kInternal,
               AllOf(HasSubstr(path_), HasSubstr("exited with code 0"))));
}

}  // namespace
}  // namespace pruner
