#include "pruner/base/clock.h"

#include <algorithm>
#include <chrono>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace pruner {
namespace {

class SystemClock : public Clock {
 public:
  absl::Time Now() override { return absl::Now(); }
  absl::Duration Elapsed() override {
    return absl::FromChrono(
        std::chrono::steady_clock::now().time_since_epoch());
  }
  void SleepFor(absl::Duration duration) override { absl::SleepFor(duration); }
};

}  // namespace

Clock& RealClock() {
  static SystemClock clock;  // has no state
  return clock;
}

absl::Time FakeClock::Now() { return start_ + Elapsed(); }

absl::Duration FakeClock::Elapsed() {
  absl::MutexLock lock(mutex_);
  return elapsed_;
}

void FakeClock::SleepFor(absl::Duration duration) {
  absl::MutexLock lock(mutex_);
  elapsed_ += std::max(duration, absl::ZeroDuration());
}

}  // namespace pruner
