// Spaces for tests: grids whose values are their positions.
#ifndef PRUNER_VTA_GRID_KNOBS_H_
#define PRUNER_VTA_GRID_KNOBS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pruner/vta/knobs.h"

namespace pruner {

// A knob for each extent, "a" and so on, with so many values from 0.
inline KnobSpace GridKnobs(const std::vector<int64_t>& extents) {
  std::vector<Knob> knobs;
  for (const int64_t extent : extents) {
    Knob& knob = knobs.emplace_back();
    knob.name = std::string(1, static_cast<char>('a' + knobs.size() - 1));
    for (int64_t i = 0; i < extent; ++i) knob.values.push_back(i);
  }
  return KnobSpace(std::move(knobs));
}

}  // namespace pruner

#endif  // PRUNER_VTA_GRID_KNOBS_H_
