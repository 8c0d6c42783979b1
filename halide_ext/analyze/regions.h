// The region of every Func and input that a pipeline computes or reads, as
// numbers.
#ifndef HALIDE_EXT_ANALYZE_REGIONS_H_
#define HALIDE_EXT_ANALYZE_REGIONS_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "halide_ext/analyze/definitions.h"

namespace pruner {

struct Range {
  int64_t min = 0;
  int64_t max = 0;  // inclusive

  int64_t Extent() const { return max - min + 1; }
};
using Region =
    std::vector<Range>;  // by dimension, innermost first as in Halide

struct PipelineRegions {
  // Funcs that are stored, producers first, in the order in which definitions
  // name them, whatever the names are; without those that only stand for an
  // input (`aliases`) and those that are `inlined`.
  std::vector<Halide::Internal::Function> functions;
  std::map<std::string, std::vector<ResolvedDefinition>> definitions;
  std::vector<std::string> outputs;  // names of the pipeline's
  // Names of the inputs, in the order in which the functions first read them.
  std::vector<std::string> inputs;
  std::map<std::string, Halide::Type> input_types;
  // Those of the inputs that are images, part of the pipeline itself.
  std::map<std::string, Halide::Buffer<>> images;
  // Of Funcs and inputs: what is read, and of Funcs with updates what these
  // read and write.
  std::map<std::string, Region> regions;
  // Funcs that are inputs under another name, as every ImageParam makes one, by
  // name: the call that reads the input.
  std::map<std::string, const Halide::Internal::Call*> aliases;
  // Funcs that are read at an index without bounds and so can only be computed
  // where they are read. Readers first.
  std::vector<Halide::Internal::Function> inlined;
  // Funcs that extern stages read, which must be stored whole.
  std::set<std::string> read_by_extern;
  // Funcs whose regions are guesses, as an extern stage says only when it runs
  // what it reads; with all that these read.
  std::set<std::string> guessed;
  // Dimensions of Funcs and inputs of which Halide may find that less is needed
  // than `regions` says: it draws conclusions from the conditions of selects
  // and of reductions' domains, and, where an index is read from a Func, from
  // the values which that can have.
  std::map<std::string, std::set<int>> read_in_part;
  // Dimensions of Funcs of which updates take all, or nearly, however little is
  // read.
  std::map<std::string, std::set<int>> taken_whole;
  std::vector<std::string> notes;  // sentences about guesses, for the user

  // The Func or input that is read in the end.
  const std::string& Resolve(const std::string& name) const;
};

// Where an output is computed, as its bounds, its buffer's constraints or its
// estimates say. Error: they do not.
absl::StatusOr<Region> OutputRegion(const Halide::Internal::Function& output);

// Errors: a size that is not given; an index without known bounds where Halide
// needs them.
absl::StatusOr<PipelineRegions> FindRegions(const Halide::Pipeline& pipeline,
                                            Sizes sizes);

// The read of an input that is all that `function` is, if it is that; else
// null.
const Halide::Internal::Call* LoadOfInput(
    const Halide::Internal::Function& function);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_REGIONS_H_
