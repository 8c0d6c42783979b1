// Whatever is wrong with what the user gave: exit code 2, one sentence, and
// nothing is touched.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"
#include "pruner/record/record_log.h"
#include "tools/tests/tool_test.h"

namespace pruner {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct BadInput {
  std::string name;
  std::string tool;
  // In both, {} stands for the user's folder.
  std::vector<std::string> args;
  std::vector<std::string> says;  // parts of the sentence
};

// The files below a folder with their contents.
std::map<std::string, std::string> Snapshot(const std::string& folder) {
  std::map<std::string, std::string> files;
  const auto names = ListDirectory(folder);
  EXPECT_TRUE(names.ok()) << names.status();
  for (const std::string& name : *names) {
    const std::string path = absl::StrCat(folder, "/", name);
    if (ListDirectory(path).ok()) {
      files[path] = "";
      files.merge(Snapshot(path));
    } else {
      files[path] = ReadFileOrDie(path);
    }
  }
  return files;
}

void WriteFile(const std::string& path, absl::string_view contents) {
  ASSERT_EQ(WriteFileAtomically(path, contents), absl::OkStatus());
}

// Makes a log without records.
void WriteLog(const std::string& folder, const LogHeader& header) {
  ASSERT_EQ(MakeDirectories(folder), absl::OkStatus());
  ASSERT_EQ(
      RecordLog::Open(absl::StrCat(folder, "/records.log"), header).status(),
      absl::OkStatus());
}

class BadInputTest : public testing::TestWithParam<BadInput> {
 protected:
  void SetUp() override {
    WriteFile(user_.File("regular"), "no folder");
    WriteFile(user_.File("bad.txtpb"), "nonsense { }");
    const TargetSpec host = TestHost();
    WriteLog(user_.File("good"), MakeLogHeader("tiny", host, 1));
    WriteLog(user_.File("other_model"), MakeLogHeader("resnet50", host, 1));
    WriteLog(user_.File("other_batch"), MakeLogHeader("tiny", host, 2));
    TargetSpec other = host;
    other.name = "elsewhere";
    WriteLog(user_.File("other_target"), MakeLogHeader("tiny", other, 1));
    ASSERT_EQ(MakeDirectories(user_.File("foreign")), absl::OkStatus());
    WriteFile(user_.File("foreign/records.log"), "somebody's\nown file\n");
    ASSERT_EQ(MakeDirectories(user_.File("empty")), absl::OkStatus());
    WriteFile(user_.File("empty/records.log"), "");
    ASSERT_EQ(MakeDirectories(user_.File("folder")), absl::OkStatus());
  }

  // With the user's folder for each {}.
  std::vector<std::string> Filled(std::vector<std::string> texts) const {
    for (std::string& text : texts)
      text = absl::StrReplaceAll(text, {{"{}", user_.File("")}});
    return texts;
  }

  Workplace user_;
};

TEST_P(BadInputTest, ExitsWithTwoAndOneSentence) {
  const auto before = Snapshot(user_.File("."));
  const CommandResult result =
      user_.Run(GetParam().tool, Filled(GetParam().args));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.stdout_text, "");
  EXPECT_THAT(result.stderr_text,
              StartsWith(absl::StrCat(GetParam().tool, ": ")));
  EXPECT_EQ(result.stderr_text.find('\n'), result.stderr_text.size() - 1)
      << result.stderr_text;
  for (const std::string& part : Filled(GetParam().says))
    EXPECT_THAT(result.stderr_text, HasSubstr(part));
  EXPECT_TRUE(before == Snapshot(user_.File(".")));
}

BadInput Tune(const std::string& name, const std::vector<std::string>& args,
              const std::vector<std::string>& says) {
  BadInput input = {name, "tune", {"--model=tiny", "--output_dir=out"}, says};
  input.args.insert(input.args.end(), args.begin(), args.end());
  return input;
}

INSTANTIATE_TEST_SUITE_P(
    Tune, BadInputTest,
    testing::Values(
        BadInput{"NoModel", "tune", {"--output_dir=out"}, {"--model="}},
        Tune("UnknownModel", {"--model=resnet51"},
             {"\"resnet51\"", "resnet50, tiny", ".txtpb"}),
        Tune("NoModelFile", {"--model=none.txtpb"}, {"{}none.txtpb"}),
        Tune("BrokenModelFile", {"--model=bad.txtpb"},
             {"{}bad.txtpb", "line 1", "nonsense"}),
        Tune("BatchOfAFile", {"--model=bad.txtpb", "--batch=2"},
             {"batch 2", "bad.txtpb"}),
        Tune("UnknownFlag", {"--trails=3"}, {"--trails", "--trials"}),
        Tune("ValueMissing", {"--trials"}, {"--trials=…"}),
        Tune("Positional", {"tiny"}, {"'tiny' is no flag"}),
        Tune("NoTrials", {"--trials=0"}, {"--trials=0", "1 and 10000000"}),
        Tune("TrialsNoNumber", {"--trials=abc"}, {"--trials=abc"}),
        Tune("NoBatch", {"--batch=0"}, {"--batch=0", "1 and 4096"}),
        Tune("TooManyThreads", {"--threads=1000"},
             {"--threads=1000", "cores of"}),
        Tune("NegativeThreads", {"--threads=-1"}, {"--threads=-1"}),
        Tune("NegativeTime", {"--time_limit=-1s"}, {"--time_limit=-1s", "10m"}),
        Tune("TimeWithoutUnit", {"--time_limit=60"},
             {"--time_limit=60", "10m"}),
        Tune("UnknownPolicy", {"--policy=nonsense"},
             {"'nonsense'", "--policy", "mutate, random"}),
        Tune("UnknownTarget", {"--target=nonsense"},
             {"\"nonsense\"", "host", "a100"}),
        Tune("NoTargetFile", {"--target=none.txtpb"}, {"{}none.txtpb"}),
        Tune("DeviceAbsent", {"--target=a100"}, {"--target=a100"}),
        Tune("UnknownAutoscheduler", {"--compare=nonsense"},
             {"--compare=nonsense", "adams2019, li2018, mullapudi2016"}),
        Tune("OutputIsAFile", {"--output_dir=regular"},
             {"--output_dir={}regular"}),
        Tune("OutputBelowAFile", {"--output_dir=regular/below"},
             {"--output_dir={}regular/below"}),
        Tune("LogOfAnotherModel", {"--output_dir=other_model"},
             {"other_model/records.log", "'resnet50'", "'tiny'", "--fresh"}),
        Tune("LogOfAnotherBatch", {"--output_dir=other_batch"},
             {"other_batch/records.log", "batch 2", "batch 1", "--fresh"}),
        Tune("LogOfAnotherTarget", {"--output_dir=other_target"},
             {"other_target/records.log", "'elsewhere'", "--fresh"}),
        Tune("ForeignLog", {"--output_dir=foreign"},
             {"{}foreign/records.log", "not a record file"})),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Run, BadInputTest,
    testing::Values(
        BadInput{"NoDir", "run", {}, {"--dir="}},
        BadInput{"UnknownFlag", "run", {"--directory=good"}, {"--directory"}},
        BadInput{"NoFolder", "run", {"--dir=none"}, {"{}none/records.log"}},
        BadInput{"NoLog", "run", {"--dir=folder"}, {"{}folder/records.log"}},
        BadInput{"EmptyLog", "run", {"--dir=empty"}, {"{}empty/records.log"}},
        BadInput{"ForeignLog", "run", {"--dir=foreign"}, {"{}foreign/rec"}},
        BadInput{
            "LogOfAnotherTarget", "run", {"--dir=other_target"}, {"elsewhere"}},
        BadInput{
            "NoSeconds", "run", {"--dir=good", "--seconds=0"}, {"--seconds=0"}},
        BadInput{"NoInputFile",
                 "run",
                 {"--dir=good", "--input=none"},
                 {"--input", "{}none"}},
        BadInput{"InputTooSmall",
                 "run",
                 {"--dir=good", "--input=regular"},
                 {"--input={}regular has 9 bytes", "3072"}},
        BadInput{"OutputNowhere",
                 "run",
                 {"--dir=good", "--output=none/out"},
                 {"--output={}none/out"}}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Records, BadInputTest,
    testing::Values(
        BadInput{"NoLog", "records", {}, {"--log="}},
        BadInput{"NoFolder", "records", {"--log=none"}, {"{}none"}},
        BadInput{"FolderWithoutLog", "records", {"--log=folder"}, {"{}folder"}},
        BadInput{"ForeignFile", "records", {"--log=regular"}, {"{}regular"}},
        BadInput{"UnknownShow",
                 "records",
                 {"--log=good", "--show=nonsense"},
                 {"--show=nonsense", "summary, all, best"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
