#include "halide_ext/build/ptxas.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/subprocess.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Reads an item of a line, such as "127 registers" or "376 bytes cmem[0]".
void ReadItem(absl::string_view item, KernelResources& resources) {
  item = absl::StripAsciiWhitespace(item);
  absl::ConsumePrefix(&item, "Used ");
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(item, absl::MaxSplits(' ', 1));
  int64_t number = 0;
  if (!absl::SimpleAtoi(parts.first, &number)) return;
  const absl::string_view what = parts.second;
  if (what == "registers") resources.registers = number;
  if (what == "bytes stack frame") resources.stack_bytes = number;
  if (what == "bytes spill stores") resources.spill_store_bytes = number;
  if (what == "bytes spill loads") resources.spill_load_bytes = number;
  if (what == "bytes smem") resources.shared_bytes = number;
  if (absl::StartsWith(what, "bytes cmem[")) resources.constant_bytes += number;
}

}  // namespace

std::vector<KernelResources> ParsePtxasReport(absl::string_view report) {
  std::vector<KernelResources> kernels;
  for (absl::string_view line : absl::StrSplit(report, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    absl::ConsumePrefix(&line, "ptxas info");
    line = absl::StripLeadingAsciiWhitespace(line);
    absl::ConsumePrefix(&line, ":");
    line = absl::StripLeadingAsciiWhitespace(line);
    if (absl::ConsumePrefix(&line, "Compiling entry function '")) {
      kernels.emplace_back().kernel =
          std::string(line.substr(0, line.find('\'')));
    } else if (!kernels.empty()) {
      for (absl::string_view item : absl::StrSplit(line, ','))
        ReadItem(item, kernels.back());
    }
  }
  return kernels;
}

absl::StatusOr<std::vector<KernelResources>> Ptxas::Assess(
    absl::string_view ptx, const std::string& architecture,
    int64_t max_registers) const {
  ASSIGN_OR_RETURN(const TempDirectory directory, TempDirectory::Create());
  const std::string source = directory.File("kernels.ptx");
  RETURN_IF_ERROR(WriteFileAtomically(source, ptx));
  ASSIGN_OR_RETURN(
      const CommandResult result,
      RunCommand({program_, "-v", absl::StrCat("-arch=", architecture),
                  absl::StrCat("-maxrregcount=", max_registers), "-o",
                  directory.File("kernels.cubin"), source},
                 {.timeout = absl::Seconds(timeout_seconds_)}));
  const std::string report =
      absl::StrCat(result.stdout_text, result.stderr_text);
  if (result.timed_out) {
    return absl::DeadlineExceededError(absl::StrCat(
        "ptxas does not end within ", timeout_seconds_, " seconds"));
  }
  if (!result.ok() && absl::StrContains(report, "option 'gpu-name'")) {
    return absl::UnimplementedError(absl::StrCat(
        "ptxas ('", program_, "') is of a CUDA version that does not know ",
        architecture,
        "; what code for such devices needs of the hardware can be found out "
        "with a ptxas of another version only"));
  }
  if (!result.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("ptxas: ", absl::StripAsciiWhitespace(report)));
  }
  return ParsePtxasReport(report);
}

absl::StatusOr<std::string> Ptxas::Version() const {
  const absl::StatusOr<CommandResult> result = RunCommand(
      {program_, "--version"}, {.timeout = absl::Seconds(timeout_seconds_)});
  if (result.ok() && result->ok())
    return std::string(absl::StripAsciiWhitespace(result->stdout_text));
  return absl::UnavailableError(absl::StrCat(
      "CUDA's assembler, '", program_, "', cannot be run: ",
      result.ok() ? absl::StripAsciiWhitespace(result->stderr_text)
                  : result.status().message(),
      "; it is part of the CUDA toolkit, whose folder of programs is to be in "
      "$PATH"));
}

absl::Status Ptxas::CheckArchitecture(const std::string& architecture) const {
  constexpr absl::string_view kNothing =
      ".version 6.0\n.target sm_30\n.address_size 64\n";
  return Assess(kNothing, architecture).status();
}

}  // namespace pruner
