// Random pipelines under random schedules give the same results as without a
// schedule. The cases run in child processes: one that crashes is reported, and
// the others run on.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "halide_ext/tests/fuzz_cases.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/subprocess.h"
#include "pruner/target/device_available.h"
#include "pruner/target/required_part.h"

ABSL_FLAG(uint64_t, seed, 1, "the first pipeline");
ABSL_FLAG(int, pipelines, 200, "how many pipelines, with seeds from --seed on");
ABSL_FLAG(int, fresh_pipelines, 0,
          "how many pipelines more, with seeds drawn from the clock, which are "
          "printed");
ABSL_FLAG(int, schedules, 16,
          "schedules of each pipeline, the default one included");
ABSL_FLAG(int, schedule, -1,
          "this schedule alone; of a pipeline's schedules, 0 is the default "
          "one");
ABSL_FLAG(std::string, save, "",
          "writes the case of --seed and --schedule to this file, for "
          "testdata/crashers, instead of running it");
ABSL_FLAG(bool, opencl, false,
          "schedules for threads, run on OpenCL, where there is a driver");
ABSL_FLAG(bool, cuda, false,
          "schedules for threads, run on CUDA, where there is a device");
ABSL_FLAG(bool, slides, false,
          "only schedules in which a stage slides over a loop");
ABSL_FLAG(bool, any_size, false,
          "sizes are estimates: kernels for any size, run at several");
ABSL_FLAG(bool, in_process, false,
          "run in this process, for a debugger; a crash ends it");

namespace pruner {
namespace {

constexpr char kStart[] = "case ";
constexpr char kCompiled[] = "compiled ";
constexpr char kChecked[] = "checked ";
constexpr char kFailure[] = "failure ";

// Every line of a child's output is a start, or that a case was compiled or
// checked, or a failure whose message follows on lines with this in front.
constexpr char kMessage[] = "  ";

// Of a child; the machine may be busy. LLVM takes longer than that for one
// schedule in some thousands (some hundred copies of a reduction to a maximum
// of clamped values, for example), which costs a search the candidate.
constexpr absl::Duration kTimeout = absl::Seconds(250);
constexpr double kMostSlow = 0.002;
constexpr uint64_t kPipelinesPerChild = 5;

FuzzMode Mode() {
  return {.backend = absl::GetFlag(FLAGS_opencl) ? Backend::kOpenCl
                     : absl::GetFlag(FLAGS_cuda) ? Backend::kCuda
                                                 : Backend::kHost,
          .any_size = absl::GetFlag(FLAGS_any_size),
          .slides = absl::GetFlag(FLAGS_slides)};
}

// How Mode() is said.
std::string ModeFlags() {
  return absl::StrCat(absl::GetFlag(FLAGS_opencl) ? " --opencl" : "",
                      absl::GetFlag(FLAGS_cuda) ? " --cuda" : "",
                      absl::GetFlag(FLAGS_any_size) ? " --any_size" : "",
                      absl::GetFlag(FLAGS_slides) ? " --slides" : "");
}

std::string Command(uint64_t seed, int schedule) {
  std::string command =
      absl::StrCat("bazel run //halide_ext/tests:fuzz_test -- --seed=", seed,
                   " --pipelines=1", ModeFlags());
  if (schedule >= 0) absl::StrAppend(&command, " --schedule=", schedule);
  return command;
}

// What main does in a child or with --in_process.
void RunHere(uint64_t seed, uint64_t end) {
  const int only = absl::GetFlag(FLAGS_schedule);
  const int first = std::max(only, 0);
  const int last = only >= 0 ? only : absl::GetFlag(FLAGS_schedules) - 1;
  for (; seed < end; ++seed) {
    RunFuzzCases(
        seed, first, last, Mode(),
        {.on_start =
             [](const FuzzCase& c) {
               std::cout << kStart << c.pipeline_seed << " " << c.schedule
                         << std::endl;
             },
         .on_compiled =
             [](const FuzzCase& c) {
               std::cout << kCompiled << c.pipeline_seed << " " << c.schedule
                         << std::endl;
             },
         .on_checked =
             [](const FuzzCase& c) {
               std::cout << kChecked << c.pipeline_seed << " " << c.schedule
                         << "\n";
             },
         .on_failure =
             [](const FuzzCase& c, const std::string& message) {
               std::cout << kFailure << c.pipeline_seed << " " << c.schedule
                         << "\n";
               for (absl::string_view line : absl::StrSplit(message, '\n'))
                 std::cout << kMessage << line << "\n";
               std::cout << std::flush;
             }});
  }
}

// What main does with --save; the exit code.
int Save() {
  const absl::StatusOr<proto::FuzzCrasher> crasher =
      MakeCrasher({.pipeline_seed = absl::GetFlag(FLAGS_seed),
                   .schedule = absl::GetFlag(FLAGS_schedule)},
                  Mode());
  std::string text;
  absl::Status status = crasher.status();
  if (status.ok() &&
      google::protobuf::TextFormat::PrintToString(*crasher, &text))
    status =
        WriteFileAtomically(ResolveUserPath(absl::GetFlag(FLAGS_save)), text);
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}

// What a child said.
struct Report {
  FuzzCase last;
  bool last_is_compiled = false;
  int cases = 0;
  int slow = 0;  // to compile
  int checked = 0;
  int failures = 0;
};

FuzzCase ParseCase(absl::string_view text) {
  const std::vector<std::string> fields = absl::StrSplit(text, ' ');
  FuzzCase c;
  EXPECT_TRUE(fields.size() == 2 &&
              absl::SimpleAtoi(fields[0], &c.pipeline_seed) &&
              absl::SimpleAtoi(fields[1], &c.schedule))
      << text;
  return c;
}

Report Read(absl::string_view output) {
  Report report;
  std::string failure;
  const auto finish = [&] {
    if (!failure.empty()) ADD_FAILURE() << failure;
    failure.clear();
  };
  for (absl::string_view line : absl::StrSplit(output, '\n')) {
    if (absl::ConsumePrefix(&line, kMessage)) {
      absl::StrAppend(&failure, line, "\n");
      continue;
    }
    finish();
    if (absl::ConsumePrefix(&line, kStart)) {
      report.last = ParseCase(line);
      report.last_is_compiled = false;
      report.cases += report.last.schedule >= 0;
    } else if (absl::StartsWith(line, kCompiled)) {
      report.last_is_compiled = true;
    } else if (absl::StartsWith(line, kChecked)) {
      ++report.checked;
    } else if (absl::ConsumePrefix(&line, kFailure)) {
      const FuzzCase c = ParseCase(line);
      failure = absl::StrCat("pipeline ", c.pipeline_seed, ", schedule ",
                             c.schedule, "; again with\n  ",
                             Command(c.pipeline_seed, c.schedule), "\n");
      ++report.failures;
    }
  }
  finish();
  return report;
}

// Runs pipelines seed..end-1 in a child; returns the first one that did not
// run, as the child ended before.
uint64_t RunChild(uint64_t seed, uint64_t end, Report& total) {
  const std::vector<std::string> argv = {
      "/proc/self/exe",
      "--in_process",
      absl::StrCat("--seed=", seed),
      absl::StrCat("--pipelines=", end - seed),
      absl::StrCat("--opencl=", absl::GetFlag(FLAGS_opencl)),
      absl::StrCat("--cuda=", absl::GetFlag(FLAGS_cuda)),
      absl::StrCat("--any_size=", absl::GetFlag(FLAGS_any_size)),
      absl::StrCat("--slides=", absl::GetFlag(FLAGS_slides)),
      absl::StrCat("--schedules=", absl::GetFlag(FLAGS_schedules)),
      absl::StrCat("--schedule=", absl::GetFlag(FLAGS_schedule))};
  // PoCL 3.1 writes the code of blocks of one or two threads out for each, and
  // fails an assertion of its own for some; of others it makes vectors, which
  // it keeps where aligned stores fault.
  const absl::StatusOr<CommandResult> result = RunCommand(
      argv, {.process = {.environment = {{"HL_NUM_THREADS", "2"},
                                         {"POCL_WORK_GROUP_METHOD", "loops"}}},
             .timeout = kTimeout});
  if (!result.ok()) {
    ADD_FAILURE() << result.status();
    return end;
  }
  const Report report = Read(result->stdout_text);
  total.cases += report.cases;
  total.checked += report.checked;
  total.failures += report.failures;
  if (result->ok()) return end;
  const FuzzCase& at = report.last;
  if (result->timed_out && at.schedule >= 0 && !report.last_is_compiled) {
    std::cout << "slow to compile: " << Command(at.pipeline_seed, at.schedule)
              << "\n";
    ++total.slow;
    return std::max(seed, at.pipeline_seed) + 1;
  }
  ++total.failures;
  ADD_FAILURE() << "pipeline " << at.pipeline_seed << ", schedule "
                << at.schedule << ": "
                << (result->timed_out
                        ? "does not end"
                        : absl::StrCat("exit code ", result->exit_code,
                                       ", signal ", result->signal))
                << "; again with\n  " << Command(at.pipeline_seed, at.schedule)
                << "\n"
                << result->stderr_text;
  return std::max(seed, at.pipeline_seed) + 1;
}

// Runs pipelines begin..end-1.
void RunPipelines(uint64_t begin, uint64_t end) {
  Report total;
  for (uint64_t seed = begin; seed < end;) {
    seed = RunChild(seed, std::min(end, seed + kPipelinesPerChild), total);
  }
  std::cout << total.cases << " cases, of which " << total.checked
            << " had a schedule, " << total.failures << " failures, "
            << total.slow << " slow to compile\n";
  EXPECT_LE(total.slow, 1 + kMostSlow * total.cases);
  EXPECT_TRUE(total.cases > 0 || begin == end);
  // Some pipelines have few schedules, and in most nothing can slide.
  if (!absl::GetFlag(FLAGS_slides)) {
    EXPECT_GE(total.checked, 9 * total.cases / 10);
  }
}

// Other seeds in each run, and none of the small ones that tests and people
// choose.
uint64_t FreshSeed() {
  constexpr int64_t kPipelinesPerSecond = 1000;
  return absl::ToUnixSeconds(RealClock().Now()) * kPipelinesPerSecond;
}

// So many tests share the pipelines, so that Bazel can run them as shards.
constexpr int kParts = 8;

class FuzzTest : public testing::TestWithParam<int> {};

TEST_P(FuzzTest, RandomSchedulesOfRandomPipelinesAreRight) {
  const char* part = Mode().backend == Backend::kCuda ? "cuda" : "opencl";
  if (EndsWithout(part, DeviceAvailable(FuzzTarget(Mode())))) return;
  const uint64_t first = absl::GetFlag(FLAGS_seed);
  const uint64_t pipelines = absl::GetFlag(FLAGS_pipelines);
  RunPipelines(first + pipelines * GetParam() / kParts,
               first + pipelines * (GetParam() + 1) / kParts);
  const uint64_t fresh = absl::GetFlag(FLAGS_fresh_pipelines);
  if (fresh == 0) return;
  const uint64_t drawn = FreshSeed();
  const uint64_t begin = drawn + fresh * GetParam() / kParts;
  const uint64_t end = drawn + fresh * (GetParam() + 1) / kParts;
  std::cout << "fresh seeds: --seed=" << begin << " --pipelines=" << end - begin
            << " --schedules=" << absl::GetFlag(FLAGS_schedules) << ModeFlags()
            << "\n";
  RunPipelines(begin, end);
}

INSTANTIATE_TEST_SUITE_P(Parts, FuzzTest, testing::Range(0, kParts));

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  if (!absl::GetFlag(FLAGS_save).empty()) return pruner::Save();
  if (absl::GetFlag(FLAGS_in_process)) {
    const uint64_t seed = absl::GetFlag(FLAGS_seed);
    pruner::RunHere(seed, seed + absl::GetFlag(FLAGS_pipelines));
    return 0;
  }
  return RUN_ALL_TESTS();
}
