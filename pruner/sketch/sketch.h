// A sketch: a schedule whose structure is decided, and the decisions that are
// left.
#ifndef PRUNER_SKETCH_SKETCH_H_
#define PRUNER_SKETCH_SKETCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "pruner/schedule/transform_step.h"
#include "pruner/sketch/decision.h"

namespace pruner {

struct Sketch {
  Schedule schedule = {};
  // The alternative that was taken at each stage, last stage first: the names
  // of the rules, ":k" behind one that led to several states, of which this is
  // the k-th from 0 on and not the first, "-" for an input that was left as it
  // is though a rule might have decided it. Different for every sketch of a
  // task; as stable as the rules are.
  std::string derivation = {};
  // Those whose holes are filled in the order of their steps, then locations,
  // last stage first, parallel loops and unrolling.
  std::vector<Decision> decisions = {};
  // The innermost loops of every stage are annotated once sizes are known.
  // False where the rules have annotated all.
  bool annotates_innermost = false;

  int NumValues() const {
    return decisions.empty() ? 0
                             : decisions.back().first + decisions.back().count;
  }
  // Of the steps and of what the decisions mean. Values of a sketch of the same
  // derivation and another version may mean something else.
  uint32_t Version() const;

  bool operator==(const Sketch&) const = default;
};

}  // namespace pruner

#endif  // PRUNER_SKETCH_SKETCH_H_
