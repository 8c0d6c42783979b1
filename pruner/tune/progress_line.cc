#include "pruner/tune/progress_line.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/clock.h"
#include "pruner/base/text/units.h"
#include "pruner/base/text/utf8.h"
#include "pruner/measure/measure_result.h"
#include "pruner/tune/tuning_progress.h"

namespace pruner {
namespace {

std::string Seconds(double seconds) {
  return FormatTime(absl::Seconds(seconds));
}

// Whether a character of UTF-8 starts here.
bool StartsCharacter(char byte) { return (byte & 0xc0) != 0x80; }

int Columns(absl::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), StartsCharacter));
}

// The text's first so many characters.
absl::string_view Prefix(absl::string_view text, int columns) {
  size_t end = 0;
  while (end < text.size() && (columns > 0 || !StartsCharacter(text[end]))) {
    columns -= StartsCharacter(text[end++]);
  }
  return text.substr(0, end);
}

std::string Network(const std::optional<double>& seconds) {
  return seconds ? absl::StrCat("network ", Seconds(*seconds))
                 : "network not complete";
}

std::string Last(const TuningProgress& progress) {
  const MeasureResult& result = progress.last.result;
  return absl::StrCat(progress.task, ": ",
                      result.ok() ? Seconds(Cost(result))
                                  : FailureKindName(result.failure->kind));
}

}  // namespace

std::string FormatProgress(const TuningProgress& progress) {
  std::vector<std::string> parts = {
      absl::StrCat(progress.done, "/", progress.total, " trials")};
  if (progress.trials_per_second > 0) {
    parts.push_back(absl::StrFormat("%.*f/s",
                                    progress.trials_per_second < 9.995 ? 2 : 0,
                                    progress.trials_per_second));
  }
  if (progress.remaining.value_or(absl::ZeroDuration()) >
      absl::ZeroDuration()) {
    parts.push_back(absl::StrCat(FormatTime(*progress.remaining), " left"));
  }
  parts.push_back(Network(progress.network_seconds));
  parts.push_back(Last(progress));
  // A name's line break or escape sequence would take the line apart.
  return OneLine(absl::StrJoin(parts, "  "));
}

std::string FormatProgress(const RaceProgress& progress) {
  return absl::StrCat("timing candidates again: task ", progress.task, " of ",
                      progress.tasks, "  ", Network(progress.network_seconds));
}

std::string CutToColumns(absl::string_view line, int columns) {
  if (Columns(line) <= columns) return std::string(line);
  return absl::StrCat(Prefix(line, std::max(columns - 1, 0)), "…");
}

ProgressLine::ProgressLine(Clock& clock, Options options, Write write)
    : clock_(clock), options_(options), write_(std::move(write)) {}

void ProgressLine::OnProgress(const TuningProgress& progress) {
  Offer(FormatProgress(progress));
}

void ProgressLine::OnRace(const RaceProgress& progress) {
  if (progress.task == 1) {
    Finish();
    last_shown_.reset();
  }
  if (options_.terminal) {
    Offer(FormatProgress(progress));
  } else if (progress.task == 1) {
    Show(absl::StrCat("timing candidates again: ", progress.tasks, " tasks"));
  }
}

void ProgressLine::Offer(std::string line) {
  const absl::Duration interval =
      options_.terminal ? options_.terminal_interval : options_.plain_interval;
  const absl::Duration now = clock_.Elapsed();
  if (last_shown_ && now - *last_shown_ < interval) {
    pending_ = std::move(line);
    return;
  }
  last_shown_ = now;
  Show(line);
}

void ProgressLine::Show(absl::string_view line) {
  pending_.reset();
  if (!options_.terminal) {
    write_(absl::StrCat(line, "\n"));
    return;
  }
  // The last column stays free: some terminals go to the next line behind it.
  const std::string shown = CutToColumns(line, options_.columns - 1);
  const int columns = Columns(shown);
  const std::string blanks(std::max(shown_columns_ - columns, 0), ' ');
  write_(absl::StrCat("\r", shown, blanks));
  shown_columns_ = columns;
}

void ProgressLine::Finish() {
  if (pending_) Show(*std::exchange(pending_, std::nullopt));
  if (shown_columns_ > 0) write_("\n");
  shown_columns_ = 0;
}

}  // namespace pruner
