#include "pruner/pacm/ranking_batches.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

using List = std::vector<int64_t>;

// Without those of one program.
void AddParts(const List& programs, int size, std::vector<List>& lists) {
  for (auto part = programs.begin(); programs.end() - part >= 2;) {
    const auto end =
        part + std::min<std::ptrdiff_t>(size, programs.end() - part);
    lists.emplace_back(part, end);
    part = end;
  }
}

// Of `order`, by task.
std::vector<List> ListsOfTasks(const List& order, absl::Span<const int> tasks,
                               int list_size) {
  std::vector<List> by_task(
      static_cast<size_t>(*std::max_element(tasks.begin(), tasks.end()) + 1));
  for (const int64_t program : order) {
    const int task = tasks[static_cast<size_t>(program)];
    by_task[static_cast<size_t>(task)].push_back(program);
  }
  std::vector<List> lists;
  for (const List& programs : by_task) AddParts(programs, list_size, lists);
  return lists;
}

}  // namespace

std::vector<RankingBatch> DealBatches(absl::Span<const int> tasks,
                                      int batch_size, int list_size, Rng& rng) {
  if (tasks.empty()) return {};
  List order(tasks.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  rng.Shuffle(order);
  std::vector<List> lists;
  if (list_size == 0) {
    AddParts(order, batch_size, lists);
  } else {
    lists = ListsOfTasks(order, tasks, list_size);
    rng.Shuffle(lists);
  }
  std::vector<RankingBatch> batches;
  for (const List& list : lists) {
    if (batches.empty() || batches.back().programs.size() + list.size() >
                               static_cast<size_t>(batch_size)) {
      batches.emplace_back();
    }
    RankingBatch& batch = batches.back();
    batch.programs.insert(batch.programs.end(), list.begin(), list.end());
    batch.list_ends.push_back(static_cast<int64_t>(batch.programs.size()));
  }
  return batches;
}

}  // namespace pruner
