// Where the regions of stages begin that are computed inside another's loops.
#ifndef PRUNER_PROGRAM_REGION_FORMS_H_
#define PRUNER_PROGRAM_REGION_FORMS_H_

#include <vector>

#include "absl/types/span.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/program/structure.h"
#include "pruner/schedule/linear_form.h"
#include "pruner/schedule/slide_form.h"

namespace pruner {

// Of the members of one attach point, readers before what they read.
class RegionForms {
 public:
  // `at`: the stage of the point. Its axes begin where its loops are.
  void Begin(const Structure& structure, int at);

  // Appends to structure.moves_together and has_edges for each axis of the
  // stage: whether all reads along it begin at the same form, up to a constant;
  // whether some are cut off. Returns whether any is.
  bool AddMember(int stage, Structure& structure);

  // Of a member that was added, over a loop that moves axis `axis` of the
  // point's stage alone.
  SlideForm SlideOf(const Structure& structure, int stage, int at, int axis);

 private:
  // What is read at a quotient begins at a fraction of a form if all that is
  // divided on the way to it is divisible, otherwise somewhere.
  struct Forms {
    LinearForm anywhere, if_divisible;
  };
  struct Axis {
    bool is_own = false;  // of the point's stage
    bool is_reduction = false;
    bool has_edges = false;
    MovesTogether together = MovesTogether::kAlways;
    bool has_forms = false;  // which are asked for seldom
    Forms forms;
  };

  // Where regions begin along an axis.
  const Forms& FormsOf(const Structure& structure, int axis);
  Forms FindForms(const Structure& structure, int axis);
  // Where what is read begins, before an index divides it.
  Forms DividendsOf(const Structure& structure, const ReadGroup& read);
  MovesTogether Compare(const Structure& structure, const ReadGroup& a,
                        const ReadGroup& b);
  bool HasEdges(const Structure& structure, const ReadGroup& read) const;

  std::vector<Axis> axes_;  // of all stages
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_REGION_FORMS_H_
