// Variables that do nothing but choose: of which constant a value is a
// multiple, as in the transforms of Winograd's convolutions.
#ifndef HALIDE_EXT_ANALYZE_SELECTING_VARIABLES_H_
#define HALIDE_EXT_ANALYZE_SELECTING_VARIABLES_H_

#include <set>
#include <string>
#include <vector>

#include "Halide.h"

namespace pruner {

// Names of the variables in whose iterations a select() or mux() of `values`
// chooses between values that are not read from anywhere: where loops over them
// are unrolled, nothing is left of it. Not those that choose periodically
// (x % 2), whose loops would have to be split first.
std::set<std::string> SelectingVariables(
    const std::vector<Halide::Expr>& values);

// Names of those by which they choose periodically: of vectors that begin where
// a period does the compiler knows which lanes have what.
std::set<std::string> PeriodicVariables(
    const std::vector<Halide::Expr>& values);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_SELECTING_VARIABLES_H_
