#include "halide_ext/build/pipeline_bytes.h"

#include <cstdint>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"

namespace pruner {
namespace {

using ::absl_testing::IsOk;
using ::absl_testing::StatusIs;

std::string Serialized(const Halide::Pipeline& pipeline) {
  std::vector<uint8_t> bytes;
  Halide::serialize_pipeline(pipeline, bytes);
  return {bytes.begin(), bytes.end()};
}

std::string Matmul() { return Serialized(MatmulReluPipeline(8, 8, 8)); }

auto IsError(const std::string& message) {
  return StatusIs(absl::StatusCode::kInvalidArgument, message);
}

TEST(PipelineBytesTest, AcceptsWhatHalideWrites) {
  for (const Halide::Pipeline& pipeline :
       {MatmulReluPipeline(8, 8, 8), NormPipeline(8, 8, 8),
        SumPipeline(8, 8, 8), WinogradProductPipeline(2, 8, 8),
        ConvBiasReluPipeline({})}) {
    EXPECT_THAT(CheckPipelineBytes(Serialized(pipeline), "f"), IsOk());
  }
}

// With a constant image and a requirement, which fill the last root fields.
TEST(PipelineBytesTest, AcceptsImagesAndRequirements) {
  Halide::Buffer<float> image(4, 4);
  image.fill(1);
  Halide::Var x("x"), y("y");
  Halide::Func out("out");
  out(x, y) = image(x, y);
  Halide::Pipeline pipeline(out);
  pipeline.add_requirement(out.output_buffer().dim(0).extent() > 2);
  EXPECT_THAT(CheckPipelineBytes(Serialized(pipeline), "f"), IsOk());
}

TEST(PipelineBytesTest, KnowsTheVersionOfHalide) {
  EXPECT_EQ(kHalideVersion,
            absl::StrCat(HALIDE_VERSION_MAJOR, ".", HALIDE_VERSION_MINOR, ".",
                         HALIDE_VERSION_PATCH));
}

TEST(PipelineBytesTest, RefusesWhatIsNoPipeline) {
  EXPECT_THAT(CheckPipelineBytes("", "f"),
              IsError("f is empty: write it anew with "
                      "Halide::serialize_pipeline"));
  for (const std::string& bytes :
       {std::string("x"), std::string("Some text of somebody."),
        std::string(1000, '\0'), std::string(1000, '\1'),
        std::string(1000, '\x7f'), std::string(1000, '\xff'),
        Matmul().substr(0, 3), Matmul().substr(0, 100)}) {
    EXPECT_THAT(CheckPipelineBytes(bytes, "f"),
                IsError("f is no Halide pipeline, or it is truncated: it must "
                        "be a file that Halide::serialize_pipeline wrote"));
  }
}

TEST(PipelineBytesTest, RefusesOtherVersions) {
  EXPECT_THAT(
      CheckPipelineBytes(
          absl::StrReplaceAll(Matmul(), {{kHalideVersion, "19.0.0"}}), "f"),
      IsError("f was written by Halide 19.0.0, and this program has Halide "
              "21.0.0: write the file again with that version"));
  EXPECT_THAT(
      CheckPipelineBytes(
          absl::StrReplaceAll(Matmul(), {{kHalideFormat, "18.0.2"}}), "f"),
      IsError("f was written by Halide 21.0.0 with format 18.0.2, and this "
              "program has Halide 21.0.0 with format 18.0.1: write the file "
              "again with that version"));
  EXPECT_THAT(
      CheckPipelineBytes(
          absl::StrReplaceAll(Matmul(), {{kHalideVersion, "21\t.00"}}), "f"),
      IsError("f is no Halide pipeline, or it is truncated: it must "
              "be a file that Halide::serialize_pipeline wrote"));
}

TEST(PipelineBytesTest, RefusesWhatWasCutOff) {
  const std::string bytes = Matmul();
  const size_t kAlignment = 8;
  for (size_t size = 0; size < bytes.size() - kAlignment; ++size)
    EXPECT_FALSE(CheckPipelineBytes(bytes.substr(0, size), "f").ok()) << size;
  EXPECT_THAT(CheckPipelineBytes(bytes.substr(0, bytes.size() / 2), "f"),
              IsError("f is truncated or damaged: write it anew with "
                      "Halide::serialize_pipeline"));
}

// An output that is no Func is one that Halide would pass over.
TEST(PipelineBytesTest, RefusesUnknownOutputs) {
  // The first name in the file, of which there are more.
  std::string bytes = Matmul();
  size_t changed = 0;
  for (size_t at = 0; (at = bytes.find("out", at)) != std::string::npos; ++at) {
    std::string other = bytes;
    other[at] = 'x';
    changed += CheckPipelineBytes(other, "f") ==
               absl::InvalidArgumentError(
                   "f is truncated or damaged: write it anew with "
                   "Halide::serialize_pipeline");
  }
  EXPECT_EQ(changed, 2u);  // the output's name and the Func's
}

// Whatever it says of it, it does not crash.
TEST(PipelineBytesTest, SurvivesEveryChangedByte) {
  const std::string bytes = Matmul();
  int refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xff}) {
      // Of its own size, for tools that watch memory.
      std::vector<char> changed(bytes.begin(), bytes.end());
      changed[i] = static_cast<char>(changed[i] ^ change);
      refused +=
          !CheckPipelineBytes({changed.data(), changed.size()}, "f").ok();
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace pruner
