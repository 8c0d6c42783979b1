#include "halide_ext/analyze/fixed_names.h"

#include <cstddef>

namespace pruner {

Halide::Func NamedFunc(const std::string& name) {
  return Halide::Func(Halide::Internal::Function(name));
}

Halide::ImageParam DenseInput(const std::string& name,
                              const std::vector<int>& sizes) {
  Halide::ImageParam input(Halide::Float(32), static_cast<int>(sizes.size()),
                           name);
  int stride = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    input.dim(static_cast<int>(d)).set_bounds(0, sizes[d]).set_stride(stride);
    stride *= sizes[d];
  }
  return input;
}

}  // namespace pruner
