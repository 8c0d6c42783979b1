#include "pruner/schedule/schedule_hash.h"

#include <variant>
#include <vector>

namespace pruner {
namespace {

// Mixes numbers, the order of which counts (the finalizer of MurmurHash3).
class Mixer {
 public:
  void Add(uint64_t value) {
    hash_ ^= value + 0x9e3779b97f4a7c15 + (hash_ << 6) + (hash_ >> 2);
    hash_ ^= hash_ >> 33;
    hash_ *= 0xff51afd7ed558ccd;
    hash_ ^= hash_ >> 33;
  }
  void Add(const std::vector<int64_t>& values) {
    Add(static_cast<uint64_t>(values.size()));
    for (const int64_t value : values) Add(static_cast<uint64_t>(value));
  }
  uint64_t hash() const { return hash_; }

 private:
  uint64_t hash_ = 0;
};

void AddStep(const TransformStep& step, Mixer& mixer) {
  mixer.Add(static_cast<uint64_t>(step.index()));
  std::visit(
      [&]<typename Step>(const Step& s) {
        Step::VisitFields(s, [&]<typename Field>(const char*, const Field& f) {
          if constexpr (std::is_same_v<Field, std::vector<int64_t>>) {
            mixer.Add(f);
          } else {
            mixer.Add(static_cast<uint64_t>(f));
          }
        });
      },
      step);
}

}  // namespace

uint64_t ScheduleHash(const Schedule& schedule) {
  Mixer mixer;
  for (const TransformStep& step : schedule.steps) AddStep(step, mixer);
  return mixer.hash();
}

}  // namespace pruner
