// Tensors in memory, aligned as kernels expect it.
#ifndef MODELS_RUNTIME_TENSOR_BUFFER_H_
#define MODELS_RUNTIME_TENSOR_BUFFER_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "models/graph/operator_graph.h"
#include "models/operators/data_type.h"
#include "models/operators/shape.h"
#include "models/ops/packing.h"
#include "models/runtime/aligned_floats.h"
#include "pruner/base/row_layout.h"

namespace pruner {

struct BufferSpec {
  DataType type = DataType::kFloat32;
  size_t size = 0;  // elements
  size_t bytes() const { return size * BytesOf(type); }
  bool operator==(const BufferSpec&) const = default;
};

// As the graph declares the tensor.
BufferSpec SpecOf(const OperatorGraph& graph, TensorId tensor);

// Somebody else's memory, which may hold other things between the rows.
struct TensorView {
  BufferSpec spec;
  void* data = nullptr;
  RowLayout rows{};

  // The elements: bools are 0 or 1. Those assigned are as many; they are
  // rounded to float, or are what the type can hold.
  std::vector<double> Values() const;
  void Assign(absl::Span<const double> values) const;
};

// Memory of its own, zero at first, at a multiple of kTensorAlignment bytes. It
// stays where it is when the object is moved.
class TensorBuffer {
 public:
  explicit TensorBuffer(const BufferSpec& spec);

  const BufferSpec& spec() const { return spec_; }
  size_t size() const { return spec_.size; }
  void* data() const { return memory_.data(); }
  TensorView view() const { return {spec_, memory_.data()}; }

 private:
  BufferSpec spec_;
  AlignedFloats memory_;
};

// Puts `values`, row-major in `shape`, into `memory`, which holds as many of
// that type as the packed shape has elements. Only floats are packed.
void AssignPacked(absl::Span<const double> values, const Shape& shape,
                  const Packing& packing, const TensorView& memory);

}  // namespace pruner

#endif  // MODELS_RUNTIME_TENSOR_BUFFER_H_
