// The median of samples, and other quantiles.
#ifndef PRUNER_BASE_MEDIAN_H_
#define PRUNER_BASE_MEDIAN_H_

#include <vector>

namespace pruner {

// Of an even number the mean of the two in the middle. At least one value; none
// is NaN. Takes time in proportion to their number.
double Median(std::vector<double> values);

// The value that a share of them, from 0 to 1, does not exceed: between the two
// values where it falls there, as NumPy has it by default. At least one value;
// none is NaN.
double Quantile(std::vector<double> values, double share);

}  // namespace pruner

#endif  // PRUNER_BASE_MEDIAN_H_
