// Sizes of a pipeline's inputs, given beside it.
#ifndef HALIDE_EXT_BUILD_INPUT_SIZES_H_
#define HALIDE_EXT_BUILD_INPUT_SIZES_H_

#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

// Extents of inputs by name, innermost dimension first as in Halide; they begin
// at 0. Halide writes the bounds and estimates of outputs into a file, but of
// inputs only type and number of dimensions. What is read of an input says how
// large it is, unless that depends on its size, as with boundary conditions, or
// on values.
using InputSizes = std::map<std::string, std::vector<int>>;

// From text such as "image=640x480,kernel=3x3". Error: the text is none such.
absl::StatusOr<InputSizes> ParseInputSizes(absl::string_view text);

// Gives the parameters, by name, their sizes. Error: there is none of a name,
// or of other dimensions.
absl::Status SetInputSizes(
    const InputSizes& sizes,
    std::map<std::string, Halide::Parameter>& parameters);

// For who gave his inputs estimates in vain: how to give a size to the first
// input without one; "" if there is none.
std::string InputSizesHint(
    const InputSizes& sizes,
    const std::map<std::string, Halide::Parameter>& parameters);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_INPUT_SIZES_H_
