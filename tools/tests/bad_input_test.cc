// Whatever is wrong with what the user gave: exit code 2, one sentence, and
// nothing is touched.
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/runtime/tuned_network.h"
#include "models/zoo/zoo.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"
#include "pruner/record/record_log.h"
#include "pruner/target/target_spec.h"
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

// The files below a folder with their contents, or why they have none.
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
      const auto contents = ReadFile(path);
      files[path] = contents.ok() ? *contents : contents.status().ToString();
    }
  }
  return files;
}

void WriteFile(const std::string& path, absl::string_view contents) {
  ASSERT_EQ(WriteFileAtomically(path, contents), absl::OkStatus());
}

// Makes a log of a run without records.
void WriteLog(const std::string& folder, const TargetSpec& target) {
  ASSERT_EQ(MakeDirectories(folder), absl::OkStatus());
  auto opened = RecordLog::Open(absl::StrCat(folder, "/records.log"));
  ASSERT_EQ(opened.status(), absl::OkStatus());
  const RunInfo info = {.options = {{"model", "tiny"}, {"batch", "1"}}};
  ASSERT_EQ(opened->log.BeginRun(info, target).status(), absl::OkStatus());
}

// A log whose first entry says that it is of format 99.
void WriteNewerLog(const std::string& folder) {
  ASSERT_EQ(MakeDirectories(folder), absl::OkStatus());
  auto file = RecordFileWriter::Open(absl::StrCat(folder, "/records.log"));
  ASSERT_EQ(file.status(), absl::OkStatus());
  ASSERT_EQ(file->writer.Append("\x1a\x02\x08\x63"), absl::OkStatus());
}

// Writes a tuned network that has no kernels yet.
void WriteTuned(const std::string& folder, const TargetSpec& target) {
  ASSERT_EQ(MakeDirectories(folder), absl::OkStatus());
  const auto graph = LoadModel("tiny", {});
  ASSERT_EQ(graph.status(), absl::OkStatus());
  const TunedNetwork network = {
      .model = "tiny", .graph = *graph, .target = target, .kernels = {}};
  WriteFile(absl::StrCat(folder, "/tiny.tuned"),
            SerializeTunedNetwork(network, {}));
}

class BadInputTest : public testing::TestWithParam<BadInput> {
 protected:
  void SetUp() override {
    WriteFile(user_.File("regular"), "no folder");
    WriteFile(user_.File("large"), std::string(4096, '\0'));
    WriteFile(user_.File("bad.txtpb"), "nonsense { }");
    WriteFile(user_.File("escape.txtpb"),
              R"(name: "net" nodes { name: "a\033[2Jb" inputs: "c" relu {} })");
    WriteLog(user_.File("good"), TestHost());
    WriteTuned(user_.File("good"), TestHost());
    TargetSpec other = TestHost();
    other.name = "elsewhere";
    WriteTuned(user_.File("other_target"), other);
    TargetSpec machine = TestHost();
    machine.halide_target = "arm-64-linux";
    WriteFile(user_.File("arm.txtpb"), TargetSpecToText(machine));
    machine.halide_target = "nonsense-target";
    WriteFile(user_.File("nonsense.txtpb"), TargetSpecToText(machine));
    machine = TestHost();
    machine.units.cores = 100000;
    WriteFile(user_.File("cores.txtpb"), TargetSpecToText(machine));
    WriteFile(user_.File("cut.hlpipe"), "no pipeline");
    ASSERT_EQ(MakeDirectories(user_.File("format1")), absl::OkStatus());
    WriteFile(user_.File("format1/records.log"),
              ReadFileOrDie("testdata/logs/tiny.log"));
    WriteNewerLog(user_.File("newer"));
    ASSERT_EQ(MakeDirectories(user_.File("foreign")), absl::OkStatus());
    WriteFile(user_.File("foreign/records.log"), "somebody's\nown file\n");
    ASSERT_EQ(MakeDirectories(user_.File("empty")), absl::OkStatus());
    WriteFile(user_.File("empty/records.log"), "");
    ASSERT_EQ(MakeDirectories(user_.File("folder")), absl::OkStatus());
    WriteEndless();
    ASSERT_EQ(MakeDirectories(user_.File("exported")), absl::OkStatus());
    WriteFile(user_.File("exported/input.f32"), "a user's own");
  }

  // What cannot be read to its end: pipes without a writer, a device.
  void WriteEndless() {
    ASSERT_EQ(MakeDirectories(user_.File("piped")), absl::OkStatus());
    for (const char* name :
         {"pipe.txtpb", "piped/records.log", "piped/tiny.tuned"})
      ASSERT_EQ(mkfifo(user_.File(name).c_str(), 0600), 0);
    ASSERT_EQ(symlink("/dev/zero", user_.File("zero.txtpb").c_str()), 0);
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
        Tune("ModelAndPipeline", {"--pipeline=cut.hlpipe"},
             {"--model", "--pipeline"}),
        Tune("ModelTwice", {"--model=tiny,tiny"}, {"--model=tiny,tiny"}),
        BadInput{"NoPipelineFile",
                 "tune",
                 {"--pipeline=none", "--output_dir=out"},
                 {"{}none"}},
        BadInput{"NoPipeline",
                 "tune",
                 {"--pipeline=cut.hlpipe", "--output_dir=out"},
                 {"{}cut.hlpipe", "no Halide pipeline"}},
        BadInput{
            "InputSizes",
            "tune",
            {"--pipeline=cut.hlpipe", "--input_sizes=x", "--output_dir=out"},
            {"--input_sizes=x"}},
        Tune("UnknownModel", {"--model=resnet51"},
             {"\"resnet51\"", "resnet50, tiny", ".txtpb"}),
        Tune("NoModelFile", {"--model=none.txtpb"}, {"{}none.txtpb"}),
        Tune("BrokenModelFile", {"--model=bad.txtpb"},
             {"{}bad.txtpb", "line 1", "nonsense"}),
        Tune("ControlCharacters", {"--model=escape.txtpb"},
             {"node \"a\\x1b[2Jb\" reads \"c\""}),
        Tune("PipeForAModel", {"--model=pipe.txtpb"},
             {"{}pipe.txtpb is a pipe, not a file"}),
        Tune("EndlessModel", {"--model=zero.txtpb"},
             {"{}zero.txtpb is a device, not a file"}),
        Tune("PipeForATarget", {"--target=pipe.txtpb"},
             {"{}pipe.txtpb is a pipe, not a file"}),
        Tune("EndlessTarget", {"--target=zero.txtpb"},
             {"{}zero.txtpb is a device, not a file"}),
        Tune("PipeForALog", {"--output_dir=piped"},
             {"{}piped/records.log is a pipe, not a file"}),
        Tune("BatchOfAFile", {"--model=bad.txtpb", "--batch=2"},
             {"batch 2", "bad.txtpb"}),
        Tune("UnknownFlag", {"--trails=3"}, {"--trails", "--trials"}),
        Tune("ValueMissing", {"--trials"}, {"--trials=…"}),
        Tune("Positional", {"tiny"}, {"'tiny' is no flag"}),
        Tune("NegativeTrials", {"--trials=-1"},
             {"--trials=-1", "0 and 10000000"}),
        Tune("NothingToCompare", {"--trials=0", "--compare=adams2019"},
             {"--compare", "--trials=0"}),
        Tune("TrialsNoNumber", {"--trials=abc"}, {"--trials=abc"}),
        Tune("NegativeRace", {"--race=-1"}, {"--race=-1", "0 and 100"}),
        Tune("NoFormulation", {"--formulations=nonsense"},
             {"--formulations=nonsense", "direct, winograd_f2"}),
        Tune("NoError", {"--max_error=0"}, {"--max_error=0", "1e-3"}),
        Tune("NoTimeToRun", {"--run_timeout=-1s"},
             {"--run_timeout=-1s", "not positive"}),
        Tune("NoBatch", {"--batch=0"}, {"--batch=0", "1 and 4096"}),
        Tune("TooManyThreads", {"--threads=1000"},
             {"--threads=1000", "cores of"}),
        Tune("AnotherMachine", {"--target={}arm.txtpb"},
             {"arm.txtpb", "\"arm-64-linux\"", "another machine"}),
        Tune("AnotherMachineWithoutTrials",
             {"--target={}arm.txtpb", "--trials=0"}, {"another machine"}),
        Tune("NoMachine", {"--target={}nonsense.txtpb"},
             {"\"nonsense-target\"", "nothing that Halide knows"}),
        Tune("MoreCoresThanCpus", {"--target={}cores.txtpb"},
             {"units.cores", "100000", "fewer threads"}),
        Tune("SeedBeyondJson", {"--seed=9007199254740993"},
             {"--seed=9007199254740993", "up to 9007199254740992"}),
        Tune("NegativeThreads", {"--threads=-1"}, {"--threads=-1"}),
        Tune("NegativeTime", {"--time_limit=-1s"}, {"--time_limit=-1s", "10m"}),
        Tune("NoTimeToCompile", {"--compile_timeout=0s"},
             {"--compile_timeout=0", "not positive"}),
        Tune("TimeWithoutUnit", {"--time_limit=60"},
             {"--time_limit=60", "10m"}),
        Tune("UnknownPolicy", {"--policy=nonsense"},
             {"'nonsense'", "--policy", "mutate, random"}),
        Tune("UnknownCostModel", {"--cost_model=nonsense"},
             {"'nonsense'", "--cost_model", "gbdt, mlp, pacm, none"}),
        Tune("UnknownAdaption", {"--adapt=nonsense"},
             {"'nonsense'", "--adapt", "moa, finetune, none"}),
        Tune("PretrainedTrees",
             {"--cost_model=gbdt", "--pretrained={}tiny.txtpb"},
             {"--pretrained", "pacm and mlp"}),
        Tune("ShippedForAnother", {"--cost_model=mlp", "--pretrained=cpu"},
             {"--pretrained=cpu is for --cost_model=pacm"}),
        Tune("NoPretrainedNetwork",
             {"--cost_model=mlp", "--pretrained={}missing"},
             {"--pretrained={}missing", "no such file"}),
        Tune("NothingToGuideEvolution", {"--policy=ansor", "--cost_model=none"},
             {"--policy=ansor", "--cost_model cannot be none"}),
        Tune("UnknownScheduler", {"--scheduler=nonsense"},
             {"'nonsense'", "--scheduler", "round_robin, gradient"}),
        Tune("NegativePatience", {"--scheduler=gradient", "--patience=-1"},
             {"--patience=-1", "0 and 10000000"}),
        Tune("PatienceOfAllInTurn",
             {"--scheduler=round_robin", "--patience=50"},
             {"--patience", "--scheduler=gradient"}),
        Tune("ObjectiveOfAllInTurn",
             {"--scheduler=round_robin", "--objective=geometric_mean"},
             {"--objective", "--scheduler=gradient"}),
        Tune("UnknownObjective",
             {"--scheduler=gradient", "--objective=nonsense"},
             {"'nonsense'", "--objective", "total_time, geometric_mean"}),
        Tune("TooManyLimits",
             {"--scheduler=gradient", "--latency_limits=8ms,3ms"},
             {"--latency_limits", "2 for 1"}),
        Tune("LimitWithoutUnit", {"--scheduler=gradient", "--latency_limits=8"},
             {"--latency_limits", "8ms"}),
        Tune("UnknownSampling", {"--sampling=nonsense"},
             {"'nonsense'", "--sampling", "hardware, ansor"}),
        Tune("UnknownInit", {"--init=nonsense"},
             {"'nonsense'", "--init", "auto, hardware_aware, random"}),
        Tune("InitOfAPolicyWithoutFirstBatch",
             {"--init=hardware_aware", "--policy=random"},
             {"--init=hardware_aware", "--policy=random", "no first batch"}),
        Tune("InitWithoutSearch", {"--init=hardware_aware", "--trials=0"},
             {"--init=hardware_aware", "--trials=0"}),
        Tune("UnknownMeasurePolicy", {"--measure_policy=cold"},
             {"--measure_policy=cold", "warm, llc, memory, or auto"}),
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
        // The log is of two threads, maybe of this very kind of machine.
        Tune("Format1OfAnotherTarget", {"--output_dir=format1", "--threads=1"},
             {"format1/records.log", "'amd-epyc-2c'", "--fresh"}),
        Tune("NewerLog", {"--output_dir=newer"},
             {"{}newer/records.log", "format 99", "--fresh"}),
        Tune("ForeignLog", {"--output_dir=foreign"},
             {"{}foreign/records.log", "not a record file"})),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Run, BadInputTest,
    testing::Values(
        BadInput{"NoDir", "run", {}, {"--dir="}},
        BadInput{"UnknownFlag", "run", {"--directory=good"}, {"--directory"}},
        BadInput{"NoFolder", "run", {"--dir=none"}, {"{}none"}},
        BadInput{"NoTunedNetwork",
                 "run",
                 {"--dir=format1"},
                 {"no tuned network in {}format1"}},
        BadInput{"OtherTarget",
                 "run",
                 {"--dir=other_target"},
                 {"elsewhere", "--target=host"}},
        BadInput{"OtherKernels",
                 "run",
                 {"--dir=good"},
                 {"another computation", "tune again"}},
        BadInput{"OtherModel",
                 "run",
                 {"--dir=good", "--model=other"},
                 {"--model=other", "there is tiny"}},
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
        BadInput{"InputTooLarge",
                 "run",
                 {"--dir=good", "--input=large"},
                 {"--input={}large has more than the 3072 bytes"}},
        BadInput{"PipeForAnInput",
                 "run",
                 {"--dir=good", "--input=pipe.txtpb"},
                 {"--input: {}pipe.txtpb is a pipe, not a file"}},
        BadInput{"EndlessInput",
                 "run",
                 {"--dir=good", "--input=zero.txtpb"},
                 {"--input: {}zero.txtpb is a device, not a file"}},
        BadInput{"PipeForATunedNetwork",
                 "run",
                 {"--dir=piped"},
                 {"{}piped/tiny.tuned is a pipe, not a file"}},
        BadInput{"ExportOverOtherFiles",
                 "run",
                 {"--dir=good", "--export=exported"},
                 {"--export={}exported", "{}exported/input.f32 is not of an"}},
        BadInput{"OutputNowhere",
                 "run",
                 {"--dir=good", "--output=none/out"},
                 {"--output={}none/out"}},
        BadInput{"ExportNowhere",
                 "run",
                 {"--dir=good", "--export=regular/files"},
                 {"--export={}regular/files"}}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Records, BadInputTest,
    testing::Values(
        BadInput{"NoLog", "records", {}, {"--log="}},
        BadInput{"NoFolder", "records", {"--log=none"}, {"{}none"}},
        BadInput{"FolderWithoutLog", "records", {"--log=folder"}, {"{}folder"}},
        BadInput{"ForeignFile", "records", {"--log=regular"}, {"{}regular"}},
        BadInput{"PipeForALog",
                 "records",
                 {"--log=piped"},
                 {"{}piped/records.log is a pipe, not a file"}},
        BadInput{"EndlessLog",
                 "records",
                 {"--log=zero.txtpb"},
                 {"{}zero.txtpb is a device, not a file"}},
        BadInput{"UnknownShow",
                 "records",
                 {"--log=good", "--show=nonsense"},
                 {"--show=nonsense", "summary, all, best, runs"}}),
    [](const auto& info) { return info.param.name; });

BadInput Collect(const std::string& name, const std::vector<std::string>& args,
                 const std::vector<std::string>& says) {
  BadInput input = {name, "collect", {"--output_dir=out"}, says};
  input.args.insert(input.args.end(), args.begin(), args.end());
  return input;
}

INSTANTIATE_TEST_SUITE_P(
    Collect, BadInputTest,
    testing::Values(
        Collect("NoSubject", {}, {"--model=", "--operators="}),
        Collect("NoFolder", {"--model=tiny", "--output_dir="},
                {"--output_dir"}),
        Collect("UnknownModel", {"--model=nonsense"}, {"nonsense", "tiny"}),
        Collect("ModelTwice", {"--model=tiny,tiny"}, {"--model=tiny,tiny"}),
        Collect("UnknownOperator", {"--operators=nonsense"},
                {"--operators", "nonsense", "GMM"}),
        Collect("BatchOfOperators", {"--operators=gmm", "--batch=3"},
                {"--batch=3", "16"}),
        Collect("NoPrograms", {"--model=tiny", "--programs=0"},
                {"--programs=0"}),
        Collect("Again", {"--model=tiny", "--again=-1"}, {"--again=-1"}),
        Collect("Sampling", {"--model=tiny", "--sampling=nonsense"},
                {"--sampling", "hardware", "ansor"}),
        Collect("MeasurePolicy", {"--model=tiny", "--measure_policy=nonsense"},
                {"--measure_policy=nonsense"}),
        Collect("Formulations", {"--model=tiny", "--formulations=nonsense"},
                {"--formulations=nonsense"}),
        Collect("ForeignLog", {"--model=tiny", "--output_dir=foreign"},
                {"{}foreign/records.log"}),
        Collect("TunedBefore", {"--model=tiny", "--output_dir=good"},
                {"{}good/records.log", "--policy", "--fresh"}),
        Collect("FolderIsAFile", {"--model=tiny", "--output_dir=regular"},
                {"--output_dir", "{}regular"})),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Evaluate, BadInputTest,
    testing::Values(
        BadInput{"NoData", "evaluate", {}, {"--data="}},
        BadInput{"NoSuchLog", "evaluate", {"--data=none"}, {"{}none"}},
        BadInput{"ForeignFile", "evaluate", {"--data=foreign"}, {"{}foreign"}},
        BadInput{"Empty", "evaluate", {"--data=empty"}, {"{}empty"}},
        BadInput{"Format1", "evaluate", {"--data=format1"}, {"format 1"}},
        BadInput{"NoRecords",
                 "evaluate",
                 {"--data=good"},
                 {"{}good/records.log", "no program"}},
        BadInput{"Scorer",
                 "evaluate",
                 {"--data=good", "--scorer=nonsense"},
                 {"--scorer", "draft, fitted, gbdt, mlp, pacm, random"}},
        BadInput{"Penalty",
                 "evaluate",
                 {"--data=good", "--without=loads,nonsense"},
                 {"--without", "nonsense", "read_conflicts"}},
        BadInput{"AblationOfTrees",
                 "evaluate",
                 {"--data=good", "--scorer=gbdt", "--ablation"},
                 {"--ablation", "--scorer=draft"}},
        BadInput{"DraftOfNone",
                 "evaluate",
                 {"--data=good", "--drafts=50,0"},
                 {"--drafts=0"}},
        BadInput{"DraftOfWords",
                 "evaluate",
                 {"--data=good", "--drafts=nonsense"},
                 {"--drafts", "nonsense"}},
        BadInput{"TrainShare",
                 "evaluate",
                 {"--data=good", "--train_share=1.5"},
                 {"--train_share=1.5"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pruner
