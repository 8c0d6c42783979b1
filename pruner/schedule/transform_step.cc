#include "pruner/schedule/transform_step.h"

#include <cstddef>

namespace pruner {

std::vector<int64_t> FollowedLengths(const std::vector<int64_t>& source,
                                     int levels) {
  std::vector<int64_t> lengths(source.begin(), source.begin() + (levels - 2));
  int64_t rest = 1;
  for (std::size_t i = levels - 2; i < source.size(); ++i) rest *= source[i];
  lengths.push_back(rest);
  return lengths;
}

int InsertedStage(const TransformStep& step) {
  if (const auto* write = std::get_if<CacheWriteStep>(&step))
    return write->stage;
  if (const auto* read = std::get_if<CacheReadStep>(&step))
    return read->stage + 1;
  if (const auto* rfactor = std::get_if<RfactorStep>(&step))
    return rfactor->stage;
  return -1;
}

std::vector<int> FinalStages(const Schedule& schedule) {
  std::vector<int> stages;
  stages.reserve(schedule.steps.size());
  for (const TransformStep& step : schedule.steps) {
    const int inserted = InsertedStage(step);
    if (inserted >= 0) {
      for (int& stage : stages) stage += stage >= inserted;
    }
    stages.push_back(StageOf(step));
  }
  return stages;
}

}  // namespace pruner
