// What follows from where the stages of a structure are computed.
#ifndef PRUNER_PROGRAM_ATTACHMENTS_H_
#define PRUNER_PROGRAM_ATTACHMENTS_H_

#include <vector>

#include "absl/status/status.h"
#include "pruner/program/region_forms.h"
#include "pruner/program/structure.h"

namespace pruner {

// Memory is kept from one structure to the next: once it is large enough,
// nothing is allocated. Not thread-safe.
class AttachmentFinder {
 public:
  // Finds children, points, members and what shrinks, given where stages are
  // computed (is_absent, is_inlined, at_stage, at_position) and the order of
  // their loops. Error: a stage is computed where not all of its readers are.
  absl::Status Find(Structure& structure);

 private:
  void FindChildren();
  void FindShrinking();
  bool ReadsShrinking(const ReadGroup& read) const;
  // Of what is read modulo a number. Which element it is may be known where the
  // reader is inlined.
  bool ReadsOneRemainder(const ReadGroup& read) const;
  void FindSparse();
  absl::Status FindPoints();
  absl::Status AddPoint(int at, int position);
  // Of the stages that are computed at the point and are to slide over its
  // loop, finds whether they do.
  void FindSlides(const AttachPoint& point);
  // Of a stage whose points are known.
  bool HasEdgesInside(int stage) const;
  // By stage: whether all of it is computed inside the loop.
  void FindInside(int at, int position);
  bool ReadersAreInside(int stage, int at) const;

  Structure* structure_ = nullptr;
  // Of the loop that is looked at, by stage: it is computed inside; what is
  // computed in the loop reads it, or it is.
  std::vector<char> inside_, needed_;
  RegionForms forms_;
};

}  // namespace pruner

#endif  // PRUNER_PROGRAM_ATTACHMENTS_H_
