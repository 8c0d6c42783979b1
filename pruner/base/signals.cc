#include "pruner/base/signals.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "absl/log/check.h"

namespace pruner {
namespace {

enum class State { kAbsent, kWaiting, kRaised };

// A handler has no other way to reach anything. Without locks it may be used
// there.
std::atomic<State> state = State::kAbsent;
static_assert(std::atomic<State>::is_always_lock_free);

void Handle(int) {
  if (state.exchange(State::kRaised) == State::kRaised) _exit(130);
}

}  // namespace

InterruptFlag::InterruptFlag() {
  CHECK(state.exchange(State::kWaiting) == State::kAbsent)
      << "there is another InterruptFlag";
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags =
      SA_RESTART;  // libraries do not expect their calls to be cut short
  sigemptyset(&action.sa_mask);
  PCHECK(sigaction(SIGINT, &action, &old_interrupt_) == 0);
  PCHECK(sigaction(SIGTERM, &action, &old_terminate_) == 0);
}

InterruptFlag::~InterruptFlag() {
  PCHECK(sigaction(SIGINT, &old_interrupt_, nullptr) == 0);
  PCHECK(sigaction(SIGTERM, &old_terminate_, nullptr) == 0);
  state = State::kAbsent;
}

bool InterruptFlag::raised() const { return state == State::kRaised; }

}  // namespace pruner
