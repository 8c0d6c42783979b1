// File: regions.h
//
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

namespace pruner {

struct Range {
  int64_t min = 0;
  int64_t max = 0;  // inclusive

  int64_t Extent() const { return max - min + 1; }
};
using Region =
    std::vector<Range>;  // by dimension, innermost first as in Halide

struct PipelineRegions {
  // Funcs, producers first; without those that only stand for an input
  // (`aliases`).
  std::vector<Halide::Internal::Function> functions;
  // Names of the inputs, in the order in which the functions first read them.
  std::vector<std::string> inputs;
  std::map<std::string, Halide::Type> input_types;
  // Those of the inputs that are images, part of the pipeline itself.
  std::set<std::string> images;
  std::map<std::string, Region> regions;  // of Funcs and inputs
  // Funcs that are inputs under another name, as every ImageParam makes one, by
  // name: the call that reads the input.
  std::map<std::string, const Halide::Internal::Call*> aliases;

  // The Func or input that is read in the end.
  const std::string& Resolve(const Halide::Internal::Call& call) const;
};

// Errors: a size that is not given; an index without known bounds; an extern
// stage that reads Funcs or inputs, for nobody knows which of their elements.
absl::StatusOr<PipelineRegions> FindRegions(const Halide::Pipeline& pipeline);

// Calls of Funcs and inputs in the definition's right and left sides and in its
// predicate. Their arguments are in terms of the definition's variables: what
// Halide has taken out of common expressions (it does so when a Func is
// defined) is put back.
std::vector<Halide::Expr> CallsOf(
    const Halide::Internal::Definition& definition);

// The read of an input that is all that `function` is, if it is that; else
// null.
const Halide::Internal::Call* LoadOfInput(
    const Halide::Internal::Function& function);

// All definitions, the pure one first; empty for an extern Func.
std::vector<Halide::Internal::Definition> DefinitionsOf(
    const Halide::Internal::Function& function);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_REGIONS_H_
