// A model that others exported: tuned, and run beside what ONNX Runtime makes
// of it.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;

class OnnxTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string name : {"small.onnx", "small.input.f32"})
      ASSERT_EQ(WriteFileAtomically(user_.File(name), TestData(name)),
                absl::OkStatus());
  }

  static std::string TestData(const std::string& name) {
    return ReadFile("testdata/onnx/" + name).value();
  }

  static std::vector<float> Floats(const std::string& bytes) {
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), bytes.size());
    return floats;
  }

  CommandResult Tune(const std::vector<std::string>& more) {
    std::vector<std::string> args = {"--model=small.onnx", "--output_dir=out",
                                     "--trials=4", "--cost_model=gbdt",
                                     "--race=0"};
    args.insert(args.end(), more.begin(), more.end());
    return user_.Run("tune", args);
  }

  Workplace user_;
};

TEST_F(OnnxTest, ComputesWhatOnnxRuntimeDoes) {
  const CommandResult tuned = Tune({"--input_shape=x:1x3x16x16"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.stderr_text;
  // The file is the model's only copy of its weights.
  const CommandResult run =
      user_.Run("run", {"--dir=out", "--seconds=0.01",
                        "--input=small.input.f32", "--output=y.f32"});
  ASSERT_EQ(run.exit_code, 0) << run.stderr_text;
  EXPECT_THAT(run.stdout_text, HasSubstr("verified: "));
  EXPECT_THAT(run.stdout_text, HasSubstr("memory: constants "));
  const std::vector<float> got = Floats(ReadFile(user_.File("y.f32")).value());
  const std::vector<float> expected = Floats(TestData("small.output.f32"));
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], 1e-5) << i;
}

TEST_F(OnnxTest, AnOpenShapeIsAskedFor) {
  const CommandResult result = Tune({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.stderr_text,
              HasSubstr("input \"x\" is {batch, 3, 16, 16} in the model; give "
                        "its shape, as --input_shape=x:1x3x16x16"));
  EXPECT_FALSE(FileExists(user_.File("out/records.log")));
}

TEST_F(OnnxTest, WrongShapesAndFilesAreNamed) {
  EXPECT_THAT(Tune({"--input_shape=x:1x4x16x16"}).stderr_text,
              HasSubstr("\"x\""));
  EXPECT_THAT(Tune({"--input_shape=x"}).stderr_text,
              HasSubstr("--input_shape=x: "));
  const std::string cut = TestData("small.onnx").substr(0, 1000);
  ASSERT_EQ(WriteFileAtomically(user_.File("small.onnx"), cut),
            absl::OkStatus());
  const CommandResult result = Tune({"--input_shape=x:1x3x16x16"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.stderr_text, HasSubstr("small.onnx"));
}

}  // namespace
}  // namespace pruner
