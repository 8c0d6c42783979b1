// Memory for the tensors of a network, aligned as kernels expect it.
#ifndef MODELS_RUNTIME_ALIGNED_FLOATS_H_
#define MODELS_RUNTIME_ALIGNED_FLOATS_H_

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "absl/log/check.h"
#include "absl/types/span.h"

namespace pruner {

// What kernels expect of their tensors.
inline constexpr size_t kTensorAlignment = 64;

// Floats that begin at a multiple of kTensorAlignment bytes, zero at first.
// They stay where they are when the object is moved.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(size_t size) : size_(size) {
    // The C library wants a multiple of the alignment.
    const size_t bytes =
        (size * sizeof(float) + kTensorAlignment) & ~(kTensorAlignment - 1);
    data_.reset(
        static_cast<float*>(std::aligned_alloc(kTensorAlignment, bytes)));
    CHECK(data_ != nullptr) << "out of memory for " << bytes << " bytes";
    for (size_t i = 0; i < size; ++i) data_.get()[i] = 0;
  }

  float* data() const { return data_.get(); }
  size_t size() const { return size_; }
  absl::Span<float> span() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(float* data) const { std::free(data); }
  };

  size_t size_ = 0;
  std::unique_ptr<float, Free> data_;
};

}  // namespace pruner

#endif  // MODELS_RUNTIME_ALIGNED_FLOATS_H_
