// The progress of a tuning run in one line, for people:
//
//   123/2000 trials  5.10/s  6m05s left  network 17.4 ms  conv2d_3x3: 1.23 ms
//
// and then of its race:
//
//   timing the fastest again: task 3 of 33  network 17.9 ms
#ifndef PRUNER_TUNE_PROGRESS_LINE_H_
#define PRUNER_TUNE_PROGRESS_LINE_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/clock.h"
#include "pruner/tune/tuning_progress.h"

namespace pruner {

// Without the line's end; free of control characters.
std::string FormatProgress(const TuningProgress& progress);
std::string FormatProgress(const RaceProgress& progress);

// The line cut to so many characters of UTF-8, "…" marking the cut.
std::string CutToColumns(absl::string_view line, int columns);

// Shows progress on a terminal, by rewriting one line, or in a file or pipe, by
// a line now and then; the race has a line of its own.
class ProgressLine : public TuningListener {
 public:
  struct Options {
    bool terminal = false;
    int columns = 80;  // of the terminal
    // At least so much time passes between two lines.
    absl::Duration terminal_interval = absl::Milliseconds(100);
    absl::Duration plain_interval = absl::Seconds(5);
  };
  // Takes text to be shown at once.
  using Write = std::function<void(absl::string_view)>;

  // `clock` must outlive it.
  ProgressLine(Clock& clock, Options options, Write write);

  void OnProgress(const TuningProgress& progress) override;
  void OnRace(const RaceProgress& progress) override;

  // Shows the last progress, if it was not shown, and ends the line. For the
  // end of the run, and before other text is shown.
  void Finish();

 private:
  // Shows the line, unless the last one is too young.
  void Offer(std::string line);
  void Show(absl::string_view line);

  Clock& clock_;
  const Options options_;
  const Write write_;
  std::optional<absl::Duration> last_shown_;  // when, by the clock
  std::optional<std::string> pending_;        // not shown yet
  int shown_columns_ = 0;  // of the terminal's line, not ended yet
};

}  // namespace pruner

#endif  // PRUNER_TUNE_PROGRESS_LINE_H_
