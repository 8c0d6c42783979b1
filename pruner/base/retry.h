// How often something is tried that goes wrong for reasons which pass: somebody
// ends a process, or the machine is short of memory for a moment.
#ifndef PRUNER_BASE_RETRY_H_
#define PRUNER_BASE_RETRY_H_

#include "absl/time/time.h"
#include "pruner/base/clock.h"

namespace pruner {

// Patience is time, not a number of tries: processes that are ended every
// second end any number of short tries in a row, but hardly all of half a
// minute.
class Retry {
 public:
  static constexpr int kMinTries = 3;

  // Time counts from now on. The clock must outlive it.
  explicit Retry(Clock& clock = RealClock())
      : clock_(clock), start_(clock.Elapsed()) {}

  // After a try that failed: whether there is to be another one, as it is until
  // `patience` is over, and at least kMinTries times. Pauses before it says so.
  bool Again(absl::Duration patience);

  int tries() const { return tries_; }
  absl::Duration elapsed() const { return clock_.Elapsed() - start_; }

 private:
  Clock& clock_;
  const absl::Duration start_;
  int tries_ = 0;  // that failed
};

}  // namespace pruner

#endif  // PRUNER_BASE_RETRY_H_
