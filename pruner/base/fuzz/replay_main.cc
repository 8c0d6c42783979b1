// The main of a fuzz test without libFuzzer: tries the seeds and random changes
// of them. What an input that ends the process was is in failing_input among
// the test's outputs (bazel-testlogs/…/test.outputs).
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/base/log_severity.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/log/check.h"
#include "absl/log/globals.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/fuzz/mutate.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/rng.h"

ABSL_FLAG(std::string, seeds, "", "a folder of inputs");
ABSL_FLAG(int, runs, 3000, "how many random changes of them");
ABSL_FLAG(size_t, max_bytes, 4096, "of an input that was changed");

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace pruner {
namespace {

// For the handler of signals, which may not allocate.
std::string* failing_path;
std::string* current_input;

extern "C" void SaveInput(int signal) {
  const int file =
      open(failing_path->c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (write(file, current_input->data(), current_input->size()) < 0)
    std::perror("failing_input");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void SaveInputOnFailure() {
  failing_path = new std::string(absl::StrCat(
      GetEnv("TEST_UNDECLARED_OUTPUTS_DIR").value_or("."), "/failing_input"));
  current_input = new std::string();
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM})
    std::signal(signal, &SaveInput);
}

void Try(const std::string& input) {
  *current_input = input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()),
                         input.size());
}

std::vector<std::string> ReadSeeds(const std::string& folder) {
  const auto names = ListDirectory(folder);
  CHECK_OK(names);
  std::vector<std::string> seeds;
  for (const std::string& name : *names) {
    const auto seed = ReadFile(absl::StrCat(folder, "/", name));
    CHECK_OK(seed);
    seeds.push_back(*seed);
  }
  CHECK(!seeds.empty()) << folder << " is empty";
  return seeds;
}

void Replay() {
  // What is wrong with an input is of no interest.
  absl::SetMinLogLevel(absl::LogSeverityAtLeast::kFatal);
  SaveInputOnFailure();
  const std::vector<std::string> seeds = ReadSeeds(absl::GetFlag(FLAGS_seeds));
  Try("");
  for (const std::string& seed : seeds) Try(seed);
  Rng rng(1);
  const int runs = absl::GetFlag(FLAGS_runs);
  for (int i = 0; i < runs; ++i)
    Try(Mutate(seeds, absl::GetFlag(FLAGS_max_bytes), rng));
  std::printf("%zu seeds, %d changes of them\n", seeds.size(), runs);
}

}  // namespace
}  // namespace pruner

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  pruner::Replay();
  return 0;
}
