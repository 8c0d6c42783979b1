// The single operators and subgraphs of Ansor's evaluation (section 7.1 and
// 7.2) as unscheduled pipelines, with the shapes that its authors published.
#ifndef TOOLS_BENCH_OPERATOR_SUITE_H_
#define TOOLS_BENCH_OPERATOR_SUITE_H_

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

struct OperatorCase {
  std::string op;     // "C2D"
  int shape = 1;      // which of the operator's shapes, from 1
  std::string sizes;  // for people, without the batch
  int batch = 1;
  std::function<Halide::Pipeline()> make;  // the same each time

  // "C2D_1_b16".
  std::string Name() const;
};

enum class SuiteSizes {
  kFull,
  kReduced,  // the same structure, small enough to check every schedule
};

// C1D, C2D, C3D, GMM, GMT (not Ansor's), GRP, DIL, DEP, T2D, CAP, NRM,
// ConvLayer and TBS, four shapes of each in batches of 1 and 16 (reduced: 2).
// Weights are packed for vectors of `lanes` elements.
std::vector<OperatorCase> OperatorSuite(SuiteSizes sizes, int lanes);

}  // namespace pruner

#endif  // TOOLS_BENCH_OPERATOR_SUITE_H_
