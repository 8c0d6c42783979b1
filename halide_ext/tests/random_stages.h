// The kinds of stages that random pipelines are made of.
#ifndef HALIDE_EXT_TESTS_RANDOM_STAGES_H_
#define HALIDE_EXT_TESTS_RANDOM_STAGES_H_

#include "halide_ext/tests/random_definitions.h"

namespace pruner {

// Each adds a Func, or more, or none if what it drew would be too large.

// ---- Of each element alone ----

void AddUnary(RandomDefinitions& d);
void AddBinary(RandomDefinitions& d);  // one of them broadcast
void AddTranspose(RandomDefinitions& d);
void AddTuplePair(RandomDefinitions& d);
void AddRamp(RandomDefinitions& d);  // reads nothing
// What integers have and floats have not: shifts, means without overflow, and
// so on.
void AddFixedPoint(RandomDefinitions& d);
// With a number that is given at run time.
void AddParameter(RandomDefinitions& d);

// ---- Of other elements ----

// Weighted sum of neighbours along one or two dimensions.
void AddStencil(RandomDefinitions& d);
void AddPad(RandomDefinitions& d);
// One index comes from a tensor.
void AddGather(RandomDefinitions& d);
void AddResample(RandomDefinitions& d);
// A level of a pyramid: what a smaller image lacks.
void AddDetail(RandomDefinitions& d);

// ---- Reductions ----

// Over one or more whole dimensions.
void AddReduction(RandomDefinitions& d);
// The products of two tensors, summed over a dimension of both.
void AddContraction(RandomDefinitions& d);
// Over strided, dilated windows, as in convolutions and pooling; sometimes
// weighted.
void AddWindow(RandomDefinitions& d);
// The sum and the maximum along a dimension.
void AddTupleReduction(RandomDefinitions& d);

// ---- Definitions that are computed as written ----

void AddScan(RandomDefinitions& d);
void AddTwoUpdates(RandomDefinitions& d);
void AddPartialUpdate(RandomDefinitions& d);
void AddTriangularSum(RandomDefinitions& d);
// Of all elements, or of each row.
void AddHistogram(RandomDefinitions& d);

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_RANDOM_STAGES_H_
