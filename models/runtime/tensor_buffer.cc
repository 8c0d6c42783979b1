#include "models/runtime/tensor_buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/log/check.h"
#include "absl/types/span.h"

namespace pruner {
namespace {

// Calls visit(pointer to the first element).
template <typename Visit>
auto VisitElements(const TensorView& tensor, const Visit& visit) {
  switch (tensor.spec.type) {
    case DataType::kInt64:
      return visit(static_cast<int64_t*>(tensor.data));
    case DataType::kBool:
      return visit(static_cast<uint8_t*>(tensor.data));
    case DataType::kFloat32:
      break;
  }
  return visit(static_cast<float*>(tensor.data));
}

}  // namespace

std::vector<double> TensorView::Values() const {
  return VisitElements(*this, [&](const auto* elements) {
    return std::vector<double>(elements, elements + spec.size);
  });
}

void TensorView::Assign(absl::Span<const double> values) const {
  CHECK_EQ(values.size(), spec.size);
  VisitElements(*this, [&](auto* elements) {
    std::copy(values.begin(), values.end(), elements);
  });
}

BufferSpec SpecOf(const OperatorGraph& graph, TensorId tensor) {
  return {graph.TypeOf(tensor),
          static_cast<size_t>(NumElements(graph.ShapeOf(tensor)))};
}

TensorBuffer::TensorBuffer(const BufferSpec& spec)
    : spec_(spec),
      memory_((spec.bytes() + sizeof(float) - 1) / sizeof(float)) {}

void AssignPacked(absl::Span<const double> values, const Shape& shape,
                  const Packing& packing, const TensorView& memory) {
  CHECK(packing == Packing{} || memory.spec.type == DataType::kFloat32);
  memory.Assign(PackValues(values, shape, packing));
}

}  // namespace pruner
