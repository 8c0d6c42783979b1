#include "models/runtime/tensor_buffer.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
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
    std::vector<double> values(spec.size);
    for (size_t i = 0; i < spec.size; ++i) {
      values[i] =
          static_cast<double>(elements[rows.Position(static_cast<int64_t>(i))]);
    }
    return values;
  });
}

void TensorView::Assign(absl::Span<const double> values) const {
  CHECK_EQ(values.size(), spec.size);
  VisitElements(*this, [&](auto* elements) {
    using Element = std::remove_reference_t<decltype(*elements)>;
    for (size_t i = 0; i < spec.size; ++i) {
      elements[rows.Position(static_cast<int64_t>(i))] =
          static_cast<Element>(values[i]);
    }
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
