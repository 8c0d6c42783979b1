#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/onnx/converters.h"
#include "models/onnx/node_import.h"
#include "models/operators/shape.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status SetReshaped(NodeImport& n, const OnnxValue& input,
                         const Shape& shape) {
  ASSIGN_OR_RETURN(OnnxValue output, n.Reshape(input, shape));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

// The number of elements of the extents that are not negative. InvalidArgument
// if they are more than a tensor has.
absl::StatusOr<int64_t> CountElements(const NodeImport& n, const Shape& shape) {
  int64_t elements = 1;
  Shape others;  // than 0 and -1
  for (const int64_t extent : shape) {
    if (extent < -1) return n.Error(absl::StrCat("has an extent of ", extent));
    if (extent > 0) others.push_back(extent);
    if (extent == 0) elements = 0;
  }
  if (const absl::Status status = CheckShape(others); !status.ok())
    return n.Error(status.message());
  return elements * NumElements(others);
}

absl::Status ImportReshape(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"allowzero"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(Shape shape, n.ShapeFrom(1));
  ASSIGN_OR_RETURN(const int64_t allow_zero, n.node().Int("allowzero", 0));
  for (size_t d = 0; d < shape.size() && allow_zero == 0; ++d) {
    if (shape[d] != 0) continue;
    if (d >= input.shape.size()) {
      return n.Error(absl::StrCat("copies extent ", d, " of a tensor with ",
                                  input.rank(), " dimensions"));
    }
    shape[d] = input.shape[d];
  }
  ASSIGN_OR_RETURN(const int64_t known, CountElements(n, shape));
  const int64_t elements = NumElements(input.shape);
  const auto open = std::find(shape.begin(), shape.end(), -1);
  const std::string text = ShapeText(shape);
  if (open != shape.end()) *open = known == 0 ? 0 : elements / known;
  const int64_t reached =
      open == shape.end() || known == 0 ? known : known * *open;
  if (std::find(shape.begin(), shape.end(), -1) != shape.end() ||
      reached != elements) {
    return n.Error(absl::StrCat("cannot bring ", ShapeText(input.shape),
                                " into shape ", text));
  }
  return SetReshaped(n, input, shape);
}

absl::Status ImportFlatten(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axis"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(int64_t axis, n.node().Int("axis", 1));
  // The rank itself is allowed, too: all is before it.
  if (axis != input.rank()) {
    ASSIGN_OR_RETURN(axis, n.Axis(axis, input.rank()));
  }
  const auto middle = input.shape.begin() + axis;
  return SetReshaped(n, input,
                     {NumElements(Shape(input.shape.begin(), middle)),
                      NumElements(Shape(middle, input.shape.end()))});
}

absl::Status ImportSqueeze(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axes"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  std::vector<int64_t> axes;
  for (int64_t d = 0; d < input.rank(); ++d) {
    if (input.shape[d] == 1) axes.push_back(d);
  }
  ASSIGN_OR_RETURN(axes, n.IntsOf("axes", 1, axes));
  ASSIGN_OR_RETURN(axes, n.Axes(axes, input.rank()));
  Shape shape;
  for (int64_t d = 0; d < input.rank(); ++d) {
    if (!std::binary_search(axes.begin(), axes.end(), d)) {
      shape.push_back(input.shape[d]);
    } else if (input.shape[d] != 1) {
      return n.Error(absl::StrCat("cannot remove dimension ", d, " of ",
                                  ShapeText(input.shape)));
    }
  }
  return SetReshaped(n, input, shape);
}

absl::Status ImportUnsqueeze(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"axes"}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(std::vector<int64_t> axes, n.IntsOf("axes", 1, {}));
  const int64_t rank = input.rank() + static_cast<int64_t>(axes.size());
  if (rank > kMaxOnnxRank)
    return n.Error(absl::StrCat("wants ", rank, " dimensions"));
  ASSIGN_OR_RETURN(axes, n.Axes(axes, rank));
  Shape shape = input.shape;
  for (const int64_t axis : axes) shape.insert(shape.begin() + axis, 1);
  return SetReshaped(n, input, shape);
}

absl::Status ImportExpand(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({}));
  ASSIGN_OR_RETURN(const OnnxValue input, n.Input(0));
  ASSIGN_OR_RETURN(const Shape shape, n.ShapeFrom(1));
  ASSIGN_OR_RETURN(OnnxValue output, n.Expand(input, shape));
  n.SetOutput(0, std::move(output));
  return absl::OkStatus();
}

// The extents of {N, C, H, W} and of the blocks.
struct Blocks {
  OnnxValue input;
  int64_t n = 1, c = 1, h = 1, w = 1, size = 1;
};

absl::StatusOr<Blocks> ReadBlocks(const NodeImport& n) {
  Blocks blocks;
  ASSIGN_OR_RETURN(blocks.input, n.Input(0));
  const Shape& shape = blocks.input.shape;
  if (shape.size() != 4) {
    return n.Error(absl::StrCat("has an input with ", shape.size(),
                                " dimensions, which must be 4"));
  }
  ASSIGN_OR_RETURN(blocks.size, n.node().Int("blocksize"));
  constexpr int64_t kMaxSize = int64_t{1} << 14;  // a square is an extent
  if (blocks.size < 1 || blocks.size > kMaxSize)
    return n.Error(absl::StrCat("has blocksize = ", blocks.size));
  blocks.n = shape[0], blocks.c = shape[1];
  blocks.h = shape[2], blocks.w = shape[3];
  return blocks;
}

absl::Status SetRearranged(NodeImport& n, const OnnxValue& input,
                           const Shape& apart, const std::vector<int64_t>& perm,
                           const Shape& output) {
  ASSIGN_OR_RETURN(const OnnxValue blocks, n.Reshape(input, apart));
  ASSIGN_OR_RETURN(const OnnxValue moved, n.Transpose(blocks, perm));
  return SetReshaped(n, moved, output);
}

// Whether a block's place is counted before the channels ("DCR"), else behind
// them ("CRD").
absl::StatusOr<bool> IsBlockFirst(const NodeImport& n) {
  ASSIGN_OR_RETURN(const std::string mode, n.node().String("mode", "DCR"));
  if (mode == "DCR" || mode == "CRD") return mode == "DCR";
  return n.Error(absl::StrCat("has mode \"", mode, "\""));
}

absl::Status ImportDepthToSpace(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"blocksize", "mode"}));
  ASSIGN_OR_RETURN(const Blocks b, ReadBlocks(n));
  ASSIGN_OR_RETURN(const bool is_block_first, IsBlockFirst(n));
  if (b.c % (b.size * b.size) != 0) {
    return n.Error(absl::StrCat("cannot make blocks of ", b.size, " from ", b.c,
                                " channels"));
  }
  const int64_t depth = b.c / (b.size * b.size);
  const Shape output = {b.n, depth, b.h * b.size, b.w * b.size};
  if (is_block_first) {
    return SetRearranged(n, b.input, {b.n, b.size, b.size, depth, b.h, b.w},
                         {0, 3, 4, 1, 5, 2}, output);
  }
  return SetRearranged(n, b.input, {b.n, depth, b.size, b.size, b.h, b.w},
                       {0, 1, 4, 2, 5, 3}, output);
}

absl::Status ImportSpaceToDepth(NodeImport& n) {
  RETURN_IF_ERROR(n.node().CheckAttributes({"blocksize", "mode"}));
  ASSIGN_OR_RETURN(const Blocks b, ReadBlocks(n));
  ASSIGN_OR_RETURN(const bool is_block_first, IsBlockFirst(n));
  if (b.h % b.size != 0 || b.w % b.size != 0) {
    return n.Error(absl::StrCat("cannot make blocks of ", b.size, " from ",
                                ShapeText(b.input.shape)));
  }
  const int64_t h = b.h / b.size, w = b.w / b.size;
  const std::vector<int64_t> perm =
      is_block_first ? std::vector<int64_t>{0, 3, 5, 1, 2, 4}
                     : std::vector<int64_t>{0, 1, 3, 5, 2, 4};
  return SetRearranged(n, b.input, {b.n, b.c, h, b.size, w, b.size}, perm,
                       {b.n, b.c * b.size * b.size, h, w});
}

}  // namespace

void AddViewConverters(Converters& converters) {
  converters["DepthToSpace"] = ImportDepthToSpace;
  converters["Expand"] = ImportExpand;
  converters["Flatten"] = ImportFlatten;
  converters["Reshape"] = ImportReshape;
  converters["SpaceToDepth"] = ImportSpaceToDepth;
  converters["Squeeze"] = ImportSqueeze;
  converters["Unsqueeze"] = ImportUnsqueeze;
}

}  // namespace pruner
