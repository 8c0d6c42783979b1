// Where the regions of stages begin that are computed inside another's loops.
#ifndef PRUNER_PROGRAM_REGION_FORMS_H_
#define PRUNER_PROGRAM_REGION_FORMS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "pruner/dag/compute_dag.h"
#include "pruner/program/structure.h"

namespace pruner {

// Of the members of one attach point, readers before what they read. Its memory
// is reused.
class RegionForms {
 public:
  // `at`: the stage of the point. Its axes begin where its loops are.
  void Begin(const Structure& structure, int at);

  // Appends to structure.moves_together and has_edges for each axis of the
  // stage: whether all reads along it begin at the same form, up to a constant;
  // whether some are cut off. Returns whether any is.
  bool AddMember(int stage, Structure& structure);

 private:
  // A summand of a form: a multiple of something that is not known, an axis of
  // the point's stage, or where a region begins that does so at some fraction
  // of a form, or anywhere.
  struct Summand {
    int thing = 0;
    int64_t factor = 0;

    bool operator==(const Summand&) const = default;
  };
  // Some of summands_, by thing.
  struct Form {
    size_t first = 0, count = 0;
  };

  // Appends the form of an index.
  Form FormOf(const Structure& structure, const IndexExpr& index, int reader);
  // Appends one summand, which is not in any other form.
  Form Unknown();
  absl::Span<const Summand> SummandsOf(const Form& form) const;
  bool HasEdges(const Structure& structure, const ReadGroup& read) const;
  bool MovesTogether(const Structure& structure, const ReadGroup& read,
                     const ReadGroup& first, const Form& form);

  std::vector<Summand> summands_;
  std::vector<Form> forms_;  // by axis of all stages
  std::vector<char> edges_;  // the same
  int next_unknown_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_REGION_FORMS_H_
