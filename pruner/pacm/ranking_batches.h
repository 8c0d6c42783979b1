// In which order and in which lists programs are learned from.
#ifndef PRUNER_PACM_RANKING_BATCHES_H_
#define PRUNER_PACM_RANKING_BATCHES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/base/rng.h"

namespace pruner {

// Programs of one step, as their places in the data, list by list.
struct RankingBatch {
  std::vector<int64_t> programs = {};
  std::vector<int64_t> list_ends = {};  // each one past its list's last program
};

// All programs once, in batches of `batch_size` at most, in an order drawn from
// `rng`. `tasks` has one for each program. With a list_size of 0 each batch is
// one list; else lists are of one task each, of `list_size` at most, which is
// at most batch_size. Lists of a single program, which has no order, are left
// out, as are batches of a single one, which have no statistics.
std::vector<RankingBatch> DealBatches(absl::Span<const int> tasks,
                                      int batch_size, int list_size, Rng& rng);

}  // namespace pruner

#endif  // PRUNER_PACM_RANKING_BATCHES_H_
