// What the tensors of a candidate hold, whatever their elements are: input data
// and the comparison of outputs.
#ifndef HALIDE_EXT_RUNNER_TENSOR_VALUES_H_
#define HALIDE_EXT_RUNNER_TENSOR_VALUES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "halide_ext/build/kernel_argument.h"
#include "pruner/base/rng.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {

enum class InputValues {
  // Floats are halves from -1 to 1: sums of their products are exact in any
  // order, also those of a million, of which the reference would be wrong
  // otherwise.
  kCentered,
  // Floats are quarters from 1/4 to 1, as the pixels of an image are: their
  // roots and logarithms are numbers.
  kPositive,
  kIntegers,  // of all types: whole numbers from -4 to 4, or from 0 to 8
  // The same, but floats are 0 or 1, as pixels and their opacity may be: of
  // others quotients of sums can be anything, whatever the order of these.
  kBlackAndWhite,
  kZeros,
};

// Whole numbers that are kCentered or kPositive have up to ten bits, half of
// them below zero if they are signed: products and their sums stay in 32 bits.
void FillInput(const KernelArgument& argument, InputValues values, Rng& rng,
               void* tensor);

// Makes every element differ from what it should be. `expected` is the same
// tensor. 32-bit floats become a number-that-is-none of our own, so that
// Compare knows those that nobody wrote.
void Spoil(const KernelArgument& argument, const void* expected, void* tensor);

// By how much whole numbers may differ that a candidate computes: by one where
// floats are rounded to them on the way, whose last bits depend on the order of
// operations.
int IntegerSlack(const ComputeDag& dag);

// Where a tensor differs from what it should be.
struct Difference {
  // The largest difference, relative to the largest expected value; infinite
  // where `actual` is not finite, or nothing is to be compared.
  double relative = 0;
  double absolute = 0;     // the same, not relative
  double largest = -1;     // expected value; less than 0: nothing is compared
  int64_t element = -1;    // of that difference; -1: there is none
  int64_t unwritten = 0;   // elements that are as Spoil left them
  int64_t not_finite = 0;  // others that are no finite numbers
};

// Of the elements whose expected value is a finite number. (Of a root of a
// negative number nothing can be said: Halide lets LLVM assume that there are
// none.) Whole numbers that differ by no more than the slack do not differ.
Difference Compare(const KernelArgument& argument, const void* actual,
                   const void* expected, int integer_slack);

// Difference::relative.
double RelativeError(const KernelArgument& argument, const void* actual,
                     const void* expected, int integer_slack);
double RelativeError(absl::Span<const float> actual,
                     absl::Span<const float> expected);

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_TENSOR_VALUES_H_
