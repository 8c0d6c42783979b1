// A worker whose candidates misbehave when told to: by the limit of their first
// AutoUnrollStep.
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "halide_ext/runner/fault.h"
#include "halide_ext/runner/worker.h"
#include "pruner/base/os/environment.h"

namespace pruner {
namespace {

std::optional<Fault> FaultOf(const Schedule& schedule) {
  for (const TransformStep& step : schedule.steps) {
    const auto* unroll = std::get_if<AutoUnrollStep>(&step);
    if (unroll != nullptr && unroll->max_step <= -1)
      return static_cast<Fault>(unroll->max_step);
  }
  return std::nullopt;
}

// A folder that is there once a worker was killed.
std::string KilledMark() {
  return absl::StrCat(GetEnv("TEST_TMPDIR").value_or("/tmp"), "/killed");
}

void BeforeRun(const Schedule& schedule) {
  const std::optional<Fault> fault = FaultOf(schedule);
  if (!fault) return;
  switch (*fault) {
    case Fault::kCrash:
      std::abort();
    case Fault::kHang:
      for (;;) raise(SIGSTOP);
    case Fault::kAllocate:
      for (;;) {
        constexpr size_t kBlock = size_t{64} << 20;
        char* block = new char[kBlock];
        std::memset(block, 1, kBlock);
      }
    case Fault::kIsKilled:
      std::raise(SIGKILL);
      break;
    case Fault::kIsKilledOnce:
      if (mkdir(KilledMark().c_str(), 0700) == 0) std::raise(SIGKILL);
      break;
    case Fault::kWrongResult:
    case Fault::kTouchesTooMuch:
      break;
  }
}

// Of fp32.
void AfterRun(const Schedule& schedule, absl::Span<uint8_t> output) {
  if (FaultOf(schedule) == Fault::kTouchesTooMuch)
    output.data()[output.size() + 100] = 1;
  if (FaultOf(schedule) != Fault::kWrongResult) return;
  reinterpret_cast<float*>(output.data())[output.size() / sizeof(float) / 2] +=
      1;
}

}  // namespace
}  // namespace pruner

// With the argument "waiting_compile", compiling takes its time but not the
// CPU's; with "slow_reference", the reference output does; with
// "lost_reference" and a folder that is not there, the process is killed while
// it computes the first one, and with "lost_compile", while it compiles.
int main(int argc, char** argv) {
  const absl::string_view how = argc > 1 ? argv[1] : "";
  const auto before_compile = [&] {
    if (how == "waiting_compile") absl::SleepFor(absl::Seconds(4));
    if (how == "lost_compile" && mkdir(argv[2], 0700) == 0) std::raise(SIGKILL);
  };
  const auto before_reference = [&] {
    if (how == "slow_reference") absl::SleepFor(absl::Seconds(2));
    if (how == "lost_reference" && mkdir(argv[2], 0700) == 0)
      std::raise(SIGKILL);
  };
  return pruner::RunIfWorker({.before_compile = before_compile,
                              .before_reference = before_reference,
                              .before_assessment = pruner::BeforeRun,
                              .before_run = pruner::BeforeRun,
                              .after_run = pruner::AfterRun})
      .value_or(1);
}
