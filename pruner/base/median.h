// The median of samples.
#ifndef PRUNER_BASE_MEDIAN_H_
#define PRUNER_BASE_MEDIAN_H_

#include <vector>

namespace pruner {

// Of an even number the mean of the two in the middle. At least one value; none
// is NaN. Takes time in proportion to their number.
double Median(std::vector<double> values);

}  // namespace pruner

#endif  // PRUNER_BASE_MEDIAN_H_
