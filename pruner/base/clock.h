// The time, as something that can be replaced in tests.
#ifndef PRUNER_BASE_CLOCK_H_
#define PRUNER_BASE_CLOCK_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace pruner {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // The time of day, for records and file names. It may jump.
  virtual absl::Time Now() = 0;

  // The time since some fixed moment, for durations and deadlines. Never goes
  // back.
  virtual absl::Duration Elapsed() = 0;

  // Blocks this thread; returns at once for durations that are not positive.
  virtual void SleepFor(absl::Duration duration) = 0;
};

// The system's clock; there is one, and it lives as long as the program.
Clock& RealClock();

// A clock that stands still until it is told to go on or somebody sleeps.
class FakeClock : public Clock {
 public:
  explicit FakeClock(absl::Time start = absl::UnixEpoch()) : start_(start) {}

  absl::Time Now() override;
  absl::Duration Elapsed() override;
  // Lets the duration pass at once.
  void SleepFor(absl::Duration duration) override;

  void Advance(absl::Duration duration) { SleepFor(duration); }

 private:
  const absl::Time start_;
  absl::Mutex mutex_;
  absl::Duration elapsed_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();
};

}  // namespace pruner

#endif  // PRUNER_BASE_CLOCK_H_
