// Along which dimensions more of a Func may be computed than is needed.
#ifndef HALIDE_EXT_ANALYZE_EXTENSIBLE_H_
#define HALIDE_EXT_ANALYZE_EXTENSIBLE_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "halide_ext/analyze/definitions.h"
#include "halide_ext/analyze/regions.h"

namespace pruner {

// Of Funcs of the regions, which must outlive it.
class ExtensibleDimensions {
 public:
  explicit ExtensibleDimensions(const PipelineRegions& regions)
      : regions_(regions) {}

  // Whether the Func, computed beyond what is needed along dimension `d`, and
  // what it reads with it, asks for no more of any input, whose size is the
  // caller's: on each way to one the index is clamped. Nor may anybody have
  // said how much there is of what it reads, or of itself: extern stages are
  // given what they ask for, outputs are as large as their buffers, and bounds
  // are kept.
  bool Contains(const Halide::Internal::Function& function, int d);

 private:
  // Of a definition of the Func `name`, along the dimension of `variable`.
  bool AsksNoMore(const ResolvedDefinition& definition,
                  const std::string& variable, const std::string& name);

  const PipelineRegions& regions_;
  std::map<std::pair<std::string, int>, bool> known_;  // Func, dimension
};

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_EXTENSIBLE_H_
