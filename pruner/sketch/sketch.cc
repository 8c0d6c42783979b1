#include "pruner/sketch/sketch.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "pruner/base/hash.h"
#include "pruner/schedule/schedule_text.h"

namespace pruner {

uint32_t Sketch::Version() const {
  std::string text = PrintSchedule(schedule);
  for (const Decision& decision : decisions) {
    absl::StrAppend(&text, DecisionKindName(decision.kind), " ", decision.stage,
                    " ", decision.step, " ", decision.axis, " ", decision.first,
                    " ", decision.count, "\n");
  }
  absl::StrAppend(&text, annotates_innermost);
  const uint64_t hash = Fingerprint(text);
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

}  // namespace pruner
