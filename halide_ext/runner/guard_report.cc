#include "halide_ext/runner/guard_report.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

constexpr absl::string_view kSubject = "the candidate touched byte ";
constexpr absl::string_view kOf = " of '";
constexpr absl::string_view kEnd = "', beyond its ends";

// What the handler reads.
std::atomic<const std::vector<GuardReport::Tensor>*> tensors_in_use = nullptr;

// The decimal digits of `number` at the end of `buffer`. Nothing that a signal
// handler must not call.
absl::string_view Digits(int64_t number, std::array<char, 24>& buffer) {
  uint64_t rest = number < 0 ? -static_cast<uint64_t>(number)
                             : static_cast<uint64_t>(number);
  char* first = buffer.data() + buffer.size();
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (number < 0) *--first = '-';
  return {first, static_cast<size_t>(buffer.data() + buffer.size() - first)};
}

void Write(absl::string_view text) {
  (void)!write(STDERR_FILENO, text.data(), text.size());
}

void Report(int signal, siginfo_t* info, void*) {
  const auto* const tensors = tensors_in_use.load();
  if (tensors != nullptr) {
    for (const GuardReport::Tensor& tensor : *tensors) {
      const auto place = tensor.memory->PlaceInGuard(info->si_addr);
      if (!place) continue;
      std::array<char, 24> buffer;
      Write("\n");
      Write(kSubject);
      Write(Digits(*place, buffer));
      Write(kOf);
      Write(tensor.name);
      Write(kEnd);
      Write("\n");
      break;
    }
  }
  // What faulted is run again, and ends the process.
  std::signal(signal, SIG_DFL);
}

}  // namespace

GuardReport::GuardReport(std::vector<Tensor> tensors)
    : tensors_(std::move(tensors)) {
  CHECK(tensors_in_use.exchange(&tensors_) == nullptr);
  struct sigaction action = {};
  action.sa_sigaction = Report;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  PCHECK(sigaction(SIGSEGV, &action, nullptr) == 0);
}

GuardReport::~GuardReport() {
  std::signal(SIGSEGV, SIG_DFL);
  tensors_in_use = nullptr;
}

std::string OutOfBoundsText(absl::string_view tensor, int64_t place) {
  return absl::StrCat(kSubject, place, kOf, tensor, kEnd);
}

std::optional<std::string> FindOutOfBounds(absl::string_view output) {
  const size_t begin = output.find(kSubject);
  if (begin == absl::string_view::npos) return std::nullopt;
  const size_t end = output.find(kEnd, begin);
  if (end == absl::string_view::npos) return std::nullopt;
  return std::string(output.substr(begin, end + kEnd.size() - begin));
}

}  // namespace pruner
