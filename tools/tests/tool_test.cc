#include "tools/tests/tool_test.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "absl/log/check.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "models/job/summary.h"
#include "pruner/base/os/environment.h"
#include "pruner/target/host_spec.h"

namespace pruner {
namespace {

constexpr int kWriteAnew = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;

// Where the programs of this test keep the description of the machine.
std::string CacheHome() {
  return absl::StrCat(GetEnv("TEST_TMPDIR").value_or("/tmp"), "/cache");
}

struct ProcessState {
  pid_t parent = 0;
  bool running = false;  // no zombie
};

// Nothing if there is no such process.
ProcessState StateOf(pid_t process) {
  const absl::StatusOr<std::string> stat =
      ReadFile(absl::StrCat("/proc/", process, "/stat"));
  if (!stat.ok()) return {};
  // "pid (name) state parent …", and a name may hold anything.
  const size_t name_end = stat->rfind(')');
  if (name_end == std::string::npos) return {};
  const std::vector<std::string> fields =
      absl::StrSplit(stat->substr(name_end + 1), ' ', absl::SkipEmpty());
  ProcessState state;
  if (fields.size() < 2 || !absl::SimpleAtoi(fields[1], &state.parent))
    return {};
  state.running = fields[0] != "Z" && fields[0] != "X";
  return state;
}

}  // namespace

TargetSpec TestHost() {
  const auto made_up = [](const HostInfo&) {
    return MeasuredPeaks{.fp32_gflops_per_core = 100,
                         .fp32_gflops = 200,
                         .fma_pipes = 1,
                         .l1_gb_per_s = 300,
                         .l2_gb_per_s = 100,
                         .llc_gb_per_s = 150,
                         .dram_gb_per_s = 30,
                         .reliable = true};
  };
  absl::StatusOr<TargetSpec> host =
      HostTargetSpec({.cache_directory = absl::StrCat(CacheHome(), "/pruner"),
                      .note = [](absl::string_view) {},
                      .measure = made_up});
  CHECK_OK(host.status());
  return *host;
}

Workplace::Workplace() : folder_(TempDirectory::Create().value()) {
  TestHost();  // is in the cache now
}

ProcessOptions Workplace::Options() const {
  ProcessOptions options;
  options.environment = {{"BUILD_WORKING_DIRECTORY", folder_.path()},
                         {"XDG_CACHE_HOME", CacheHome()}};
  options.environment.insert(options.environment.end(), environment.begin(),
                             environment.end());
  return options;
}

CommandResult Workplace::Run(const std::string& tool,
                             const std::vector<std::string>& args) const {
  std::vector<std::string> argv = {ToolPath(tool)};
  argv.insert(argv.end(), args.begin(), args.end());
  const absl::StatusOr<CommandResult> result =
      RunCommand(argv, {.process = Options(), .timeout = absl::Minutes(4)});
  CHECK_OK(result.status());
  EXPECT_FALSE(result->timed_out);
  return *result;
}

Process Workplace::Start(const std::string& tool,
                         const std::vector<std::string>& args) const {
  return Start(tool, args,
               FileDescriptor(open(File("stdout").c_str(), kWriteAnew, 0600)));
}

Process Workplace::Start(const std::string& tool,
                         const std::vector<std::string>& args,
                         const FileDescriptor& out) const {
  std::vector<std::string> argv = {ToolPath(tool)};
  argv.insert(argv.end(), args.begin(), args.end());
  const FileDescriptor err(open(File("stderr").c_str(), kWriteAnew, 0600));
  CHECK(out.open() && err.open());
  absl::StatusOr<Process> process =
      Process::Start(argv, Options(), {{out.get(), 1}, {err.get(), 2}});
  CHECK_OK(process.status());
  return *std::move(process);
}

std::string ToolPath(const std::string& tool) {
  return absl::StrCat("tools/", tool, "/", tool);
}

FileDescriptor PipeWithoutReader() {
  int ends[2];
  CHECK_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  return FileDescriptor(ends[1]);
}

FileDescriptor FullDisk() {
  return FileDescriptor(open("/dev/full", O_WRONLY | O_CLOEXEC));
}

std::string ReadFileOrDie(const std::string& path) {
  const absl::StatusOr<std::string> contents = ReadFile(path);
  CHECK_OK(contents.status());
  return *contents;
}

LogContents ReadLogOrDie(const std::string& path) {
  const absl::StatusOr<LogContents> log = ReadRecordLog(path);
  CHECK_OK(log.status());
  return *log;
}

std::vector<MeasureRecord> TrialsOf(const LogContents& log) {
  std::vector<MeasureRecord> trials = log.records;
  std::erase_if(trials,
                [](const MeasureRecord& record) { return record.race; });
  return trials;
}

proto::Summary ReadSummaryOrDie(const std::string& output_directory) {
  const absl::StatusOr<proto::Summary> summary = SummaryFromJson(
      ReadFileOrDie(absl::StrCat(output_directory, "/summary.json")));
  CHECK_OK(summary.status());
  return *summary;
}

std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  const auto entries = ListDirectory("/proc");
  CHECK_OK(entries.status());
  for (const std::string& entry : *entries) {
    pid_t process = 0;
    if (!absl::SimpleAtoi(entry, &process)) continue;
    const ProcessState state = StateOf(process);
    if (state.running && state.parent == parent) children.push_back(process);
  }
  return children;
}

bool IsRunning(pid_t process) { return StateOf(process).running; }

}  // namespace pruner
