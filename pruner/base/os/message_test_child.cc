// The child of message_child_test: does what the messages say, also what
// children should not do.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/clock.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/message_child.h"
#include "pruner/base/os/message_parent.h"
#include "pruner/base/os/process.h"

namespace pruner {
namespace {

constexpr int kSocket = 3;

[[noreturn]] void Hang() {
  for (;;) pause();
}

void Shout(int64_t bytes) {
  const std::string noise(10000, 'z');
  for (; bytes > 0; bytes -= 2 * static_cast<int64_t>(noise.size())) {
    if (write(STDOUT_FILENO, noise.data(), noise.size()) < 0) Hang();
    if (write(STDERR_FILENO, noise.data(), noise.size()) < 0) Hang();
  }
}

std::string Allocate(int64_t megabytes) {
  try {
    std::vector<char> memory(megabytes << 20, 1);
    return memory.back() == 1 ? "allocated" : "";
  } catch (const std::bad_alloc&) {
    return "out of memory";
  }
}

std::string Fork() {
  const pid_t pid = fork();
  if (pid == 0) Hang();
  return absl::StrCat(pid);
}

// Its pid; it lives until this process ends.
std::string StartHangingChild(std::optional<MessageChild>& child) {
  child = MessageChild::Start({"/proc/self/exe"}).value();
  if (!child->Send("hang", absl::InfiniteDuration()).ok()) return "failed";
  return absl::StrCat(child->pid());
}

// The answer to a request that has one.
std::string Answer(absl::string_view command, const std::string& argument) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(argument, &number)) number = 0;
  if (command == "echo") return argument;
  if (command == "send") return std::string(number, 'x');
  if (command == "env") return GetEnv(argument).value_or("(none)");
  if (command == "files")
    return absl::StrJoin(*ListDirectory("/proc/self/fd"), " ");
  if (command == "allocate") return Allocate(number);
  if (command == "fork") return Fork();
  if (command == "exit") _exit(static_cast<int>(number));
  if (command == "signal") raise(static_cast<int>(number));
  if (command == "sleep") {
    RealClock().SleepFor(absl::Milliseconds(number));
    return "slept";
  }
  if (command == "noise") {
    Shout(number);
    return "shouted";
  }
  if (command == "moan") {
    for (int i = 1; i <= 100; ++i) std::cerr << "line " << i << "\n";
    std::exit(1);
  }
  if (command == "garbage" && write(kSocket, "garbage", 7) == 7) Hang();
  if (command == "hang" && argument == "up") close(kSocket);
  Hang();
}

int Main() {
  absl::StatusOr<MessageParent> parent = MessageParent::FromEnvironment();
  if (!parent.ok()) {
    std::cerr << parent.status().message() << "\n";
    return 2;
  }
  std::optional<MessageChild> child;
  for (;;) {
    const absl::StatusOr<std::string> request = parent->Receive();
    if (!request.ok()) return 0;
    const std::pair<absl::string_view, std::string> words =
        absl::StrSplit(*request, absl::MaxSplits(' ', 1));
    const std::string answer = words.first == "start"
                                   ? StartHangingChild(child)
                                   : Answer(words.first, words.second);
    if (!parent->Send(answer).ok()) return 0;
  }
}

}  // namespace
}  // namespace pruner

int main() { return pruner::Main(); }
