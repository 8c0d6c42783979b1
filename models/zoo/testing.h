// Measures of networks for tests.
#ifndef MODELS_ZOO_TESTING_H_
#define MODELS_ZOO_TESTING_H_

#include <cstdint>

#include "models/graph/operator_graph.h"

namespace pruner {

// Elements of random constants, as given ones are no parameters, and without
// the means and variances of batch norms, which are not learned by gradients
// and which publications do not count.
int64_t CountParameters(const OperatorGraph& graph);

// Of convolutions, dense layers and products of matrices, as publications count
// them.
double CountMultiplyAdds(const OperatorGraph& graph);

// A test's failure for each activation and output whose root mean square is
// beyond what random weights should give, by the interpreter with random
// inputs.
void ExpectActivationsInRange(const OperatorGraph& graph);

}  // namespace pruner

#endif  // MODELS_ZOO_TESTING_H_
