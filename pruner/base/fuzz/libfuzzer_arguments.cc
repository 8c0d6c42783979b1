// What a Bazel test knows and libFuzzer does not: where its outputs go.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/log_severity.h"
#include "absl/log/check.h"
#include "absl/log/globals.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

// libFuzzer writes the inputs it keeps into the first of its folders, so the
// seeds must not be that: theirs comes last, and a new one before it if the
// user named none. Who names a file wants to see that input only.
std::vector<std::string> WithFolders(
    const std::vector<std::string>& arguments) {
  std::vector<std::string> options, named;
  std::string seeds;
  for (const std::string& argument : arguments) {
    absl::string_view value = argument;
    if (absl::ConsumePrefix(&value, "--seeds=")) {
      seeds = std::string(value);
    } else if (options.empty() || absl::StartsWith(argument, "-")) {
      options.push_back(argument);
    } else {
      named.push_back(ResolveUserPath(argument));
    }
  }
  if (named.empty()) {
    static const auto kKept = TempDirectory::Create();
    CHECK_OK(kKept);
    named.push_back(kKept->path());
  }
  if (ListDirectory(named[0]).ok()) named.push_back(seeds);
  options.insert(options.end(), named.begin(), named.end());
  return options;
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  // What is wrong with an input is of no interest.
  absl::SetMinLogLevel(absl::LogSeverityAtLeast::kFatal);
  // libFuzzer keeps what it gets.
  static std::vector<std::string> arguments =
      pruner::WithFolders({*argv, *argv + *argc});
  static std::vector<char*> pointers;
  // bazel-testlogs/…/test.outputs has the input that fails.
  if (const auto outputs = pruner::GetEnv("TEST_UNDECLARED_OUTPUTS_DIR"))
    arguments.push_back(absl::StrCat("-artifact_prefix=", *outputs, "/"));
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  *argc = static_cast<int>(pointers.size());
  *argv = pointers.data();
  return 0;
}
