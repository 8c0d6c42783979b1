#include "pruner/base/os/signals.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "absl/log/check.h"

namespace pruner {
namespace {

// timeout(1), for one, signals a process and then its group: that is one
// signal.
constexpr int64_t kEchoNanoseconds = 100'000'000;

constexpr int64_t kAbsent = -1;
constexpr int64_t kWaiting = 0;

// kAbsent, kWaiting, or when the first signal came. A handler has no other way
// to reach anything. Without locks it may be used there.
std::atomic<int64_t> state = kAbsent;
static_assert(std::atomic<int64_t>::is_always_lock_free);

// Not through Clock, which a handler must not use.
int64_t MonotonicNanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void Handle(int) {
  const int64_t now = MonotonicNanoseconds();
  int64_t first = kWaiting;
  if (state.compare_exchange_strong(first, now)) return;
  if (now - first > kEchoNanoseconds) _exit(130);
}

// The terminal, the shell and the system each may say it, one after the other;
// that is nobody's wish to end at once.
void HandleHangup(int) {
  int64_t waiting = kWaiting;
  state.compare_exchange_strong(waiting, MonotonicNanoseconds());
}

void Install(int signal, void (*handler)(int), struct sigaction& old) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags =
      SA_RESTART;  // libraries do not expect their calls to be cut short
  sigemptyset(&action.sa_mask);
  PCHECK(sigaction(signal, &action, &old) == 0);
}

}  // namespace

InterruptFlag::InterruptFlag() {
  CHECK(state.exchange(kWaiting) == kAbsent)
      << "there is another InterruptFlag";
  Install(SIGINT, Handle, old_interrupt_);
  Install(SIGTERM, Handle, old_terminate_);
  PCHECK(sigaction(SIGHUP, nullptr, &old_hangup_) == 0);
  if (old_hangup_.sa_handler != SIG_IGN)
    Install(SIGHUP, HandleHangup, old_hangup_);
}

InterruptFlag::~InterruptFlag() {
  PCHECK(sigaction(SIGINT, &old_interrupt_, nullptr) == 0);
  PCHECK(sigaction(SIGTERM, &old_terminate_, nullptr) == 0);
  PCHECK(sigaction(SIGHUP, &old_hangup_, nullptr) == 0);
  state = kAbsent;
}

bool InterruptFlag::raised() const { return state > kWaiting; }

}  // namespace pruner
