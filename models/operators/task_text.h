// What the names of tasks say of attributes.
#ifndef MODELS_OPERATORS_TASK_TEXT_H_
#define MODELS_OPERATORS_TASK_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "models/operators/operator_kind.h"

namespace pruner {

// "3x3" or, for another extent, "1x7".
inline std::string ExtentText(const Extent2d& extent) {
  return absl::StrCat(extent.h, "x", extent.w);
}

// "_s2", or "_s2x1" where height and width differ.
inline std::string FactorText(absl::string_view letter,
                              const Extent2d& factor) {
  if (factor.h == factor.w) return absl::StrCat("_", letter, factor.h);
  return absl::StrCat("_", letter, ExtentText(factor));
}

// "_3x3_s2", and dilation and groups where there are some.
inline std::string ConvolutionText(const Extent2d& kernel,
                                   const Extent2d& stride,
                                   const Extent2d& dilation, int64_t groups) {
  std::string text =
      absl::StrCat("_", ExtentText(kernel), FactorText("s", stride));
  if (dilation != Extent2d{}) absl::StrAppend(&text, FactorText("d", dilation));
  if (groups != 1) absl::StrAppend(&text, "_g", groups);
  return text;
}

}  // namespace pruner

#endif  // MODELS_OPERATORS_TASK_TEXT_H_
