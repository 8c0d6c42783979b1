// Where the regions of stages begin that are computed inside another's loops.
#ifndef PRUNER_PROGRAM_REGION_FORMS_H_
#define PRUNER_PROGRAM_REGION_FORMS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "pruner/dag/compute_dag.h"
#include "pruner/program/structure.h"

namespace pruner {

// Of the members of one attach point, readers before what they read.
class RegionForms {
 public:
  // `at`: the stage of the point. Its axes begin where its loops are.
  RegionForms(const Structure& structure, int at);

  // Adds a character for each axis of the stage: whether all reads along it
  // begin at the same form, up to a constant; whether some are cut off.
  void AddMember(int stage, std::vector<char>& moves_together,
                 std::vector<char>& has_edges);

 private:
  // A sum of multiples of things that are not known: axes of the point's
  // stage, and regions that begin at some fraction of one, or anywhere.
  using Form = std::map<int, int64_t>;

  Form FormOf(const IndexExpr& index, int reader) const;
  Form Unknown() { return {{next_unknown_++, 1}}; }
  bool HasEdges(const ReadBy& read, int dimension) const;

  const Structure& structure_;
  std::vector<std::vector<Form>> forms_;  // by stage and axis
  std::vector<std::vector<char>> edges_;
  int next_unknown_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_REGION_FORMS_H_
