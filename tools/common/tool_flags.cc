#include "tools/common/tool_flags.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/base/log_severity.h"
#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/log/globals.h"
#include "absl/log/initialize.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "pruner/base/os/program_start.h"
#include "pruner/base/status_macros.h"
#include "tools/common/tool_output.h"

namespace pruner {
namespace {

using Flags = std::map<std::string, absl::CommandLineFlag*>;

Flags FlagsOf(absl::string_view sources) {
  Flags flags;
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    if (absl::StrContains(flag->Filename(), sources)) flags.emplace(name, flag);
  }
  return flags;
}

std::string Names(const Flags& flags) {
  std::string names;
  for (const auto& [name, flag] : flags) absl::StrAppend(&names, " --", name);
  return names;
}

absl::Status Set(absl::CommandLineFlag& flag, absl::string_view value) {
  std::string error;
  if (flag.ParseFrom(value, &error)) return absl::OkStatus();
  const char* kind = flag.IsOfType<bool>()          ? "true or false"
                     : flag.IsOfType<std::string>() ? "text"
                     : flag.IsOfType<double>()      ? "a number"
                     : flag.IsOfType<absl::Duration>()
                         ? "a duration such as 90s, 10m, 1h30m or inf"
                         : "a whole number in range";
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag.Name(), "=", value, " is not ", kind));
}

// Sets one flag from args[i], and args[i + 1] where the value stands apart;
// returns how many arguments it took.
absl::StatusOr<int> SetFrom(const std::vector<std::string>& args, size_t i,
                            const Flags& flags) {
  absl::string_view text = args[i];
  if (!absl::ConsumePrefix(&text, "--")) absl::ConsumePrefix(&text, "-");
  const size_t equals = text.find('=');
  const std::string name(text.substr(0, equals));
  auto flag = flags.find(name);
  if (flag == flags.end() && absl::StartsWith(name, "no")) {
    flag = flags.find(name.substr(2));
    if (flag != flags.end() && flag->second->IsOfType<bool>() &&
        equals == absl::string_view::npos) {
      RETURN_IF_ERROR(Set(*flag->second, "false"));
      return 1;
    }
    flag = flags.end();
  }
  if (flag == flags.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no flag --", name, "; the flags are", Names(flags)));
  }
  if (equals != absl::string_view::npos) {
    RETURN_IF_ERROR(Set(*flag->second, text.substr(equals + 1)));
    return 1;
  }
  if (flag->second->IsOfType<bool>()) {
    RETURN_IF_ERROR(Set(*flag->second, "true"));
    return 1;
  }
  if (i + 1 == args.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", name, " needs a value: --", name, "=…"));
  }
  RETURN_IF_ERROR(Set(*flag->second, args[i + 1]));
  return 2;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ParseToolFlags(
    const std::vector<std::string>& args, absl::string_view sources) {
  const Flags flags = FlagsOf(sources);
  std::vector<std::string> positional;
  for (size_t i = 0; i < args.size();) {
    if (args[i].size() < 2 || args[i][0] != '-') {
      positional.push_back(args[i++]);
      continue;
    }
    ASSIGN_OR_RETURN(const int taken, SetFrom(args, i, flags));
    i += taken;
  }
  return positional;
}

std::string FlagHelp(absl::string_view sources) {
  std::string text;
  for (const auto& [name, flag] : FlagsOf(sources)) {
    const std::string value = flag->DefaultValue();
    absl::StrAppend(&text, "  --", name, "  ",
                    absl::StrReplaceAll(flag->Help(), {{"\n", "\n      "}}));
    absl::StrAppend(&text, " (default: ", value.empty() ? "none" : value,
                    ")\n");
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> GivenFlags(
    absl::string_view sources) {
  std::vector<std::pair<std::string, std::string>> given;
  for (const auto& [name, flag] : FlagsOf(sources)) {
    if (flag->CurrentValue() != flag->DefaultValue())
      given.emplace_back(name, flag->CurrentValue());
  }
  return given;
}

std::optional<int> InitTool(int argc, char** argv, absl::string_view usage,
                            absl::string_view sources) {
  PrepareProgram();
  absl::SetStderrThreshold(absl::LogSeverityAtLeast::kWarning);
  absl::InitializeLog();
  const std::vector<std::string> args(argv + 1, argv + argc);
  const auto asks_for_help = [](const std::string& a) {
    return a == "--help" || a == "-h" || a == "-help" || a == "help";
  };
  const absl::string_view path = argv[0];
  const absl::string_view tool = path.substr(path.rfind('/') + 1);
  if (std::any_of(args.begin(), args.end(), asks_for_help)) {
    const absl::Status printed =
        Print(absl::StrCat(usage, "\n\nFlags:\n", FlagHelp(sources)));
    return printed.ok() ? kExitOk : ReportError(tool, printed);
  }
  const absl::StatusOr<std::vector<std::string>> positional =
      ParseToolFlags(args, sources);
  if (!positional.ok()) return ReportError(tool, positional.status());
  if (!positional->empty()) {
    return ReportError(
        tool, absl::InvalidArgumentError(
                  absl::StrCat("'", positional->front(),
                               "' is no flag: write --name=value, or --help")));
  }
  return std::nullopt;
}

int ReportError(absl::string_view tool, const absl::Status& status) {
  PrintNote(tool, status.message());
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kUnimplemented:
      return kExitBadInput;
    default:
      return kExitFailure;
  }
}

}  // namespace pruner
