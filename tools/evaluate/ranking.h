// How well scores rank the programs of a data set.
#ifndef TOOLS_EVALUATE_RANKING_H_
#define TOOLS_EVALUATE_RANKING_H_

#include <vector>

#include "tools/evaluate/data_set.h"
#include "tools/evaluate/evaluation.pb.h"
#include "tools/evaluate/scores.h"

namespace pruner {

struct RankingOptions {
  // Of the highest scores, by how many, each at least 1; of 1 and 5 anyway.
  std::vector<int> drafts = {512, 256, 128, 50};
  // Scores are predictions of labels, so that their errors say something.
  bool scores_are_labels = false;
};

// Of each task of which some program was judged that ran, in order.
std::vector<proto::Ranking> RankTasks(const DataSet& data, const Scores& scores,
                                      const RankingOptions& options);

// Of all of them together, each with the weight of 1: a log does not say how
// often a network computes what. There is at least one such task.
proto::Ranking RankAll(const DataSet& data, const Scores& scores,
                       const RankingOptions& options);

}  // namespace pruner

#endif  // TOOLS_EVALUATE_RANKING_H_
