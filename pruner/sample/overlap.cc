#include "pruner/sample/overlap.h"

#include "pruner/base/factors.h"

namespace pruner {

std::vector<int64_t> OverlappingTiles(int64_t extent, int64_t unit,
                                      double max_work) {
  std::vector<int64_t> tiles;
  for (int64_t tile = unit; tile <= extent; tile += unit) {
    const int64_t work = CeilDiv(extent, tile) * tile;
    if (static_cast<double>(work) <= max_work * static_cast<double>(extent))
      tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace pruner
