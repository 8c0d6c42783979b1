#include "models/onnx/input_shape.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "models/onnx/onnx_graph.h"
#include "models/onnx/value_info.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

template <typename... Parts>
absl::Status Refuse(const Parts&... why) {
  return absl::InvalidArgumentError(absl::StrCat(why...));
}

std::string DimText(const OnnxDim& dim) {
  if (dim.extent.has_value()) return absl::StrCat(*dim.extent);
  return dim.symbol.empty() ? "?" : dim.symbol;
}

// A flag that would fix the input's shape.
std::string ExampleFlag(const OnnxValueInfo& input) {
  std::vector<int64_t> extents = {1, 3, 224, 224};
  if (input.dims.has_value()) {
    extents.clear();
    for (const OnnxDim& dim : *input.dims) {
      // What is left open is a batch, and then often a height and a width.
      extents.push_back(dim.extent.value_or(extents.empty() ? 1 : 224));
    }
  }
  return absl::StrCat("--input_shape=", input.name, ":",
                      absl::StrJoin(extents, "x"));
}

absl::StatusOr<OnnxValueInfo*> FindInput(OnnxGraph& graph,
                                         absl::string_view name) {
  for (OnnxValueInfo& input : graph.inputs) {
    if (input.name == name) return &input;
  }
  return Refuse(
      "there is no input \"", name, "\"; the model's inputs are: ",
      absl::StrJoin(graph.inputs, ", ",
                    [](std::string* text, const OnnxValueInfo& input) {
                      absl::StrAppend(text, input.name);
                    }));
}

// Whether the input can be of this shape.
absl::Status CheckAgrees(const OnnxValueInfo& input, const Shape& shape) {
  if (!input.dims.has_value()) return absl::OkStatus();
  const auto disagrees = [](const OnnxDim& dim, int64_t extent) {
    return dim.extent.value_or(extent) != extent;
  };
  bool agrees = input.dims->size() == shape.size();
  for (size_t i = 0; agrees && i < shape.size(); ++i) {
    agrees = !disagrees((*input.dims)[i], shape[i]);
  }
  if (agrees) return absl::OkStatus();
  return Refuse("input \"", input.name, "\" is ", OnnxDimsText(input),
                " in the model and cannot be ", ShapeText(shape));
}

// What the shape makes of the symbols in an input's dims, which agree with it.
using Extents = std::map<std::string, int64_t>;
absl::StatusOr<Extents> SymbolsOf(const OnnxValueInfo& input,
                                  const Shape& shape) {
  Extents extents;
  for (size_t i = 0; i < shape.size(); ++i) {
    const OnnxDim& dim = (*input.dims)[i];
    if (dim.extent.has_value() || dim.symbol.empty()) continue;
    const auto [found, is_new] = extents.emplace(dim.symbol, shape[i]);
    if (found->second == shape[i]) continue;
    return Refuse("input \"", input.name, "\" is ", OnnxDimsText(input),
                  " in the model and cannot be ", ShapeText(shape), ": ",
                  dim.symbol, " would be two numbers");
  }
  return extents;
}

void Bind(OnnxGraph& graph, const Extents& extents) {
  for (OnnxValueInfo& input : graph.inputs) {
    if (!input.dims.has_value()) continue;
    for (OnnxDim& dim : *input.dims) {
      const auto found = extents.find(dim.symbol);
      if (!dim.extent.has_value() && found != extents.end()) {
        dim.extent = found->second;
      }
    }
  }
}

}  // namespace

absl::StatusOr<OnnxInputShape> ParseOnnxInputShape(absl::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0) {
    return Refuse("\"", text, "\" is not the shape of an input, as ",
                  "image:1x3x224x224");
  }
  OnnxInputShape result{.name = std::string(text.substr(0, colon)),
                        .shape = {}};
  for (const absl::string_view word :
       absl::StrSplit(text.substr(colon + 1), 'x')) {
    int64_t extent;
    if (!absl::SimpleAtoi(word, &extent)) {
      return Refuse("\"", text, "\" is not the shape of an input, as ",
                    "image:1x3x224x224: \"", word, "\" is no number");
    }
    result.shape.push_back(extent);
  }
  RETURN_IF_ERROR(CheckShape(result.shape));
  return result;
}

absl::Status SetInputShape(OnnxGraph& graph, absl::string_view name,
                           const Shape& shape) {
  RETURN_IF_ERROR(CheckShape(shape));
  ASSIGN_OR_RETURN(OnnxValueInfo* const input, FindInput(graph, name));
  RETURN_IF_ERROR(CheckAgrees(*input, shape));
  if (!input->dims.has_value()) input->dims.emplace(shape.size());
  ASSIGN_OR_RETURN(const Extents extents, SymbolsOf(*input, shape));
  for (size_t i = 0; i < shape.size(); ++i) {
    (*input->dims)[i].extent = shape[i];
  }
  Bind(graph, extents);
  return absl::OkStatus();
}

absl::StatusOr<Shape> StaticInputShape(const OnnxValueInfo& input) {
  Shape shape;
  for (const OnnxDim& dim : input.dims.value_or(std::vector<OnnxDim>(1))) {
    if (!dim.extent.has_value()) {
      return Refuse("input \"", input.name, "\" is ", OnnxDimsText(input),
                    " in the model; give its shape, as ", ExampleFlag(input));
    }
    shape.push_back(*dim.extent);
  }
  RETURN_IF_ERROR(CheckShape(shape)) << "for input \"" << input.name << "\"";
  return shape;
}

std::string OnnxDimsText(const OnnxValueInfo& info) {
  if (!info.dims.has_value()) return "of unknown rank";
  return absl::StrCat("{",
                      absl::StrJoin(*info.dims, ", ",
                                    [](std::string* text, const OnnxDim& dim) {
                                      absl::StrAppend(text, DimText(dim));
                                    }),
                      "}");
}

}  // namespace pruner
