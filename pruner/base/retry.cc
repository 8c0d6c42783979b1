#include "pruner/base/retry.h"

#include "absl/time/time.h"

namespace pruner {
namespace {

// Long enough not to fill a log, short enough to be waited for.
constexpr absl::Duration kPause = absl::Milliseconds(200);

}  // namespace

bool Retry::Again(absl::Duration patience) {
  ++tries_;
  if (tries_ >= kMinTries && elapsed() >= patience) return false;
  // What happened once is over, most of the time.
  if (tries_ > 1) clock_.SleepFor(kPause);
  return true;
}

}  // namespace pruner
