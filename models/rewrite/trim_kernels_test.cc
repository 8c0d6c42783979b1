#include "models/rewrite/trim_kernels.h"

#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"
#include "models/rewrite/testing.h"

namespace pruner {
namespace {

// A convolution of a {1, 7, 9, 4} image with a kernel of `shape`.
OperatorGraph Convolution(const Shape& shape, const Conv2d& conv,
                          const std::vector<double>& factor = {}) {
  GraphBuilder b("net");
  const TensorId x = b.Input("x", {1, 7, 9, 4});
  const TensorId w =
      b.Constant("w", shape,
                 {.source = RandomValues{.low = -1}, .channel_factor = factor});
  b.Output(b.Conv2d("y", x, w, conv));
  return *std::move(b).Build();
}

// The kernel's extents after trimming, which changes no result.
Shape TrimmedKernel(const OperatorGraph& graph) {
  const absl::StatusOr<OperatorGraph> trimmed = TrimKernels(graph);
  EXPECT_TRUE(trimmed.ok()) << trimmed.status();
  ExpectEquivalent(graph, *trimmed);
  const Shape& shape = trimmed->ShapeOf(trimmed->nodes[0].inputs[1]);
  return {shape[0], shape[1]};
}

TEST(TrimKernelsTest, WhatReadsPaddingOnly) {
  const Conv2d wide = {.padding = {9, 9, 9, 9}, .dilation = {9, 9}};
  EXPECT_EQ(TrimmedKernel(Convolution({3, 3, 4, 8}, wide)), (Shape{1, 1}));
  EXPECT_EQ(TrimmedKernel(Convolution({3, 3, 4, 2}, wide, {2, 3})),
            (Shape{1, 1}));
  // Rows are fewer than columns; one column of the image is read at each end.
  EXPECT_EQ(TrimmedKernel(Convolution(
                {3, 3, 4, 8}, {.padding = {8, 8, 8, 8}, .dilation = {8, 8}})),
            (Shape{1, 3}));
  // Strides that step over what the first row would read.
  EXPECT_EQ(TrimmedKernel(Convolution({3, 1, 4, 8}, {.stride = {4, 1},
                                                     .padding = {6, 0, 6, 0},
                                                     .dilation = {6, 1}})),
            (Shape{2, 1}));
  // Padding at one end only.
  EXPECT_EQ(TrimmedKernel(Convolution(
                {2, 1, 4, 8}, {.padding = {7, 0, 0, 0}, .dilation = {7, 1}})),
            (Shape{1, 1}));
}

TEST(TrimKernelsTest, NotWhatReadsTheImage) {
  EXPECT_EQ(TrimmedKernel(Convolution({3, 3, 4, 8}, {.padding = {1, 1, 1, 1}})),
            (Shape{3, 3}));
  EXPECT_EQ(TrimmedKernel(Convolution(
                {3, 3, 4, 8}, {.padding = {6, 6, 6, 6}, .dilation = {6, 6}})),
            (Shape{3, 3}));
}

}  // namespace
}  // namespace pruner
