// BERT (Devlin et al. 2019), an encoder of texts, with random weights.
#ifndef MODELS_ZOO_BERT_H_
#define MODELS_ZOO_BERT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/graph/operator_graph.h"
#include "models/zoo/options.h"

namespace pruner {

// Of texts of `length` tokens, at most 512: input "input_ids" int64 {batch,
// length}, outputs "last_hidden_state" {batch, length, channels} and "pooled"
// {batch, channels}. Each text is as long, so that there is no mask, and one
// segment, the first. Of the tables of positions and of segments there are only
// the rows that are read.

// 12 layers of 768 channels and 12 heads.
absl::StatusOr<OperatorGraph> BertBase(const ModelOptions& options,
                                       int64_t length);
// 6 layers of 512 channels and 8 heads.
absl::StatusOr<OperatorGraph> BertTiny(const ModelOptions& options,
                                       int64_t length);
// 2 layers of 128 channels and 2 heads, which Turc et al. (2019) call tiny.
absl::StatusOr<OperatorGraph> BertTiny2Layers(const ModelOptions& options,
                                              int64_t length);

// Of 128 tokens.
absl::StatusOr<OperatorGraph> BertBase(const ModelOptions& options);
absl::StatusOr<OperatorGraph> BertTiny(const ModelOptions& options);
absl::StatusOr<OperatorGraph> BertTiny2Layers(const ModelOptions& options);

}  // namespace pruner

#endif  // MODELS_ZOO_BERT_H_
