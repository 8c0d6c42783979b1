// What a definition reads under a condition, or where a value says.
#ifndef HALIDE_EXT_ANALYZE_PARTIAL_READS_H_
#define HALIDE_EXT_ANALYZE_PARTIAL_READS_H_

#include <map>
#include <set>
#include <string>

#include "halide_ext/analyze/definitions.h"

namespace pruner {

// By Func that is called: the dimensions with an index that depends on a
// variable of a condition on which the call depends (of a select, of the
// definition's domain), or on the value of a Func.
std::map<std::string, std::set<int>> PartialReads(
    const ResolvedDefinition& definition);

}  // namespace pruner

#endif  // HALIDE_EXT_ANALYZE_PARTIAL_READS_H_
