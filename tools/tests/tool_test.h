// Runs the real programs in tests, as a user does.
#ifndef TOOLS_TESTS_TOOL_TEST_H_
#define TOOLS_TESTS_TOOL_TEST_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "models/job/summary.pb.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/process.h"
#include "pruner/base/os/subprocess.h"
#include "pruner/record/log_contents.h"
#include "pruner/record/measure_record.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// This machine as the programs see it in tests: detected, but with made-up
// rates, as measuring takes time and would have to be done by each program.
TargetSpec TestHost();

// A folder where a user sits: relative paths of the programs start there.
class Workplace {
 public:
  Workplace();

  // The path of a file in it.
  std::string File(absl::string_view name) const { return folder_.File(name); }

  // Runs "tune", "run" or "records" to its end.
  CommandResult Run(const std::string& tool,
                    const std::vector<std::string>& args) const;

  // Starts a tool whose output goes to the files "stdout" and "stderr".
  Process Start(const std::string& tool,
                const std::vector<std::string>& args) const;
  // The same, but what it prints goes to this open file.
  Process Start(const std::string& tool, const std::vector<std::string>& args,
                const FileDescriptor& out) const;

  // Variables of the tools' environment beside the usual.
  std::vector<std::pair<std::string, std::string>> environment;

 private:
  ProcessOptions Options() const;

  TempDirectory folder_;
};

std::string ToolPath(const std::string& tool);

// The end of a pipe that can be written to, but nobody reads.
FileDescriptor PipeWithoutReader();
// A file to which nothing can be written, as the disk is full.
FileDescriptor FullDisk();

// Of existing files; a test that cannot go on without them fails.
std::string ReadFileOrDie(const std::string& path);
LogContents ReadLogOrDie(const std::string& path);
// Its records without those of races.
std::vector<MeasureRecord> TrialsOf(const LogContents& log);
proto::Summary ReadSummaryOrDie(const std::string& output_directory);

// Waits until `condition` holds; false if that takes more than a minute.
template <typename Condition>
bool WaitUntil(const Condition& condition) {
  constexpr absl::Duration kStep = absl::Milliseconds(20);
  for (int i = 0; i < absl::Minutes(1) / kStep; ++i) {
    if (condition()) return true;
    RealClock().SleepFor(kStep);
  }
  return false;
}

// The processes that a process has started and that have not ended.
std::vector<pid_t> ChildrenOf(pid_t parent);
bool IsRunning(pid_t process);

}  // namespace pruner

#endif  // TOOLS_TESTS_TOOL_TEST_H_
