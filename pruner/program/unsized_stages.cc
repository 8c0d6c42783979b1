#include "pruner/program/unsized_stages.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "pruner/dag/compute_dag.h"
#include "pruner/program/program.h"
#include "pruner/program/root_of.h"

namespace pruner {
namespace {

bool IsBent(const IndexExpr& index) {
  return index.clamped || index.opaque || index.divisor > 1 ||
         index.modulus > 0;
}

bool ReadsBent(const Stage& reader, int producer) {
  return std::any_of(reader.reads.begin(), reader.reads.end(),
                     [&](const Access& access) {
                       return access.stage == producer &&
                              std::any_of(access.indices.begin(),
                                          access.indices.end(), IsBent);
                     });
}

bool IsNested(const Program& program, int stage) {
  return !program.stages[stage].is_absent &&
         program.stages[stage].at_stage >= 0;
}

}  // namespace

std::vector<bool> AreUnsized(const Program& program) {
  const ComputeDag& dag = *program.dag;
  // Also of stages that are inlined: what their readers read of them.
  std::vector<bool> unknown(dag.size());
  for (int i = dag.size() - 1; i >= 0; --i) {
    for (const int reader : dag.consumers(i)) {
      const bool passes_on =
          program.stages[reader].is_absent || IsNested(program, reader);
      if (ReadsBent(dag.stage(reader), i) || (passes_on && unknown[reader]))
        unknown[i] = true;
    }
  }
  for (int i = 0; i < dag.size(); ++i) {
    if (!IsNested(program, i)) unknown[i] = false;
  }
  return unknown;
}

int MostUnsizedStages(const Program& program) {
  const std::vector<bool> unsized = AreUnsized(program);
  std::vector<int> counts(unsized.size());
  for (size_t i = 0; i < unsized.size(); ++i) {
    if (unsized[i]) ++counts[RootOf(program, static_cast<int>(i))];
  }
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

}  // namespace pruner
