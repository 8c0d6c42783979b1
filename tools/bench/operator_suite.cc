#include "tools/bench/operator_suite.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/bench/convolutions.h"
#include "tools/bench/matrices.h"

namespace pruner {
namespace {

ConvolutionShape Reduced(ConvolutionShape shape) {
  // Still several pixels behind a kernel of 7 with stride 2, dilated.
  constexpr int kPixels[] = {27, 13, 7};  // by the image's dimensions
  for (int& size : shape.image)
    size = std::min(size, kPixels[shape.image.size() - 1]);
  shape.in_channels = std::min(shape.in_channels, 8 * shape.groups);
  shape.out_channels = std::min(shape.out_channels, 32);
  return shape;
}

MatmulShape Reduced(MatmulShape shape) {
  for (int* size : {&shape.rows, &shape.columns, &shape.depth})
    *size = *size / 16 + 16;
  return shape;
}

NormShape Reduced(NormShape shape) {
  return {.batch = shape.batch,
          .rows = shape.rows / 16,
          .columns = shape.columns / 16};
}

AttentionShape Reduced(AttentionShape shape) {
  return {.batch = shape.batch,
          .length = shape.length / 8,
          .heads = shape.heads / 4,
          .depth = shape.depth / 8};
}

std::string SizesText(const ConvolutionShape& shape) {
  return shape.ToString();
}

std::string SizesText(const MatmulShape& shape) {
  return absl::StrCat(shape.rows, "x", shape.depth, " * ", shape.depth, "x",
                      shape.columns, shape.is_transposed ? " transposed" : "");
}

std::string SizesText(const NormShape& shape) {
  return absl::StrCat(shape.rows, "x", shape.columns);
}

std::string SizesText(const AttentionShape& shape) {
  return absl::StrCat(shape.length, "x", shape.heads, "x", shape.depth);
}

class SuiteBuilder {
 public:
  SuiteBuilder(SuiteSizes sizes, int lanes) : sizes_(sizes), lanes_(lanes) {}

  // `make` turns a shape, and the vector length if it takes one, into a
  // pipeline.
  template <typename Shape, typename Make>
  void Add(const std::string& op, const std::vector<Shape>& shapes,
           const Make& make) {
    const bool reduce = sizes_ == SuiteSizes::kReduced;
    for (int batch : {1, reduce ? 2 : 16}) {
      for (size_t i = 0; i < shapes.size(); ++i) {
        Shape shape = reduce ? Reduced(shapes[i]) : shapes[i];
        shape.batch = batch;
        cases_.push_back({.op = op,
                          .shape = static_cast<int>(i) + 1,
                          .sizes = SizesText(shape),
                          .batch = batch,
                          .make = [make, shape] { return make(shape); }});
      }
    }
  }

  void AddConvolutions(const std::string& op,
                       const std::vector<ConvolutionShape>& shapes,
                       ConvolutionEpilogue epilogue) {
    Add(op, shapes, [epilogue, lanes = lanes_](const ConvolutionShape& shape) {
      return Convolution(shape, epilogue, lanes);
    });
  }

  std::vector<OperatorCase> Take() { return std::move(cases_); }

 private:
  SuiteSizes sizes_;
  int lanes_;
  std::vector<OperatorCase> cases_;
};

ConvolutionShape Shape(std::vector<int> image, int in, int out, int kernel,
                       int stride, int padding) {
  return {.image = std::move(image),
          .in_channels = in,
          .out_channels = out,
          .kernel = kernel,
          .stride = stride,
          .padding = padding};
}

ConvolutionShape Dilated(ConvolutionShape shape) {
  shape.dilation = 2;
  return shape;
}

ConvolutionShape Grouped(ConvolutionShape shape) {
  shape.groups = 4;
  return shape;
}

void AddPlainConvolutions(SuiteBuilder& suite) {
  suite.AddConvolutions(
      "C1D",
      {Shape({256}, 64, 128, 3, 2, 1), Shape({128}, 128, 256, 1, 2, 0),
       Shape({64}, 256, 256, 5, 1, 2), Shape({32}, 512, 512, 3, 1, 1)},
      ConvolutionEpilogue::kNone);
  // Of ResNet-18, and in three dimensions.
  suite.AddConvolutions(
      "C2D",
      {Shape({224, 224}, 3, 64, 7, 2, 3), Shape({56, 56}, 64, 64, 1, 1, 0),
       Shape({14, 14}, 256, 256, 3, 1, 1), Shape({7, 7}, 512, 512, 3, 1, 1)},
      ConvolutionEpilogue::kNone);
  suite.AddConvolutions("C3D",
                        {Shape({224, 224, 16}, 3, 64, 7, 2, 3),
                         Shape({56, 56, 16}, 64, 64, 1, 1, 0),
                         Shape({14, 14, 16}, 256, 256, 3, 1, 1),
                         Shape({7, 7, 16}, 512, 512, 3, 1, 1)},
                        ConvolutionEpilogue::kNone);
}

void AddConvolutionVariants(SuiteBuilder& suite, int lanes) {
  suite.AddConvolutions("GRP",
                        {Grouped(Shape({56, 56}, 64, 128, 3, 2, 1)),
                         Grouped(Shape({56, 56}, 64, 64, 1, 1, 0)),
                         Grouped(Shape({14, 14}, 256, 256, 3, 1, 1)),
                         Grouped(Shape({7, 7}, 512, 512, 3, 1, 1))},
                        ConvolutionEpilogue::kNone);
  suite.AddConvolutions("DIL",
                        {Dilated(Shape({224, 224}, 3, 64, 7, 2, 3)),
                         Dilated(Shape({56, 56}, 64, 64, 1, 1, 0)),
                         Dilated(Shape({14, 14}, 256, 256, 3, 1, 1)),
                         Dilated(Shape({7, 7}, 512, 512, 3, 1, 1))},
                        ConvolutionEpilogue::kNone);
  // Of MobileNet.
  suite.Add<ConvolutionShape>(
      "DEP",
      {Shape({112, 112}, 32, 32, 3, 1, 1), Shape({112, 112}, 64, 64, 3, 2, 1),
       Shape({14, 14}, 512, 512, 3, 2, 1), Shape({7, 7}, 1024, 1024, 3, 1, 1)},
      DepthwiseConvolution);
  // Of DCGAN.
  suite.Add<ConvolutionShape>(
      "T2D",
      {Shape({4, 4}, 512, 256, 4, 2, 1), Shape({8, 8}, 256, 128, 4, 2, 1),
       Shape({16, 16}, 128, 64, 4, 2, 1), Shape({32, 32}, 64, 3, 4, 2, 1)},
      [lanes](const ConvolutionShape& shape) {
        return TransposedConvolution(shape, lanes);
      });
  suite.Add<ConvolutionShape>(
      "CAP",
      {Shape({16, 16}, 32, 32, 3, 2, 1), Shape({8, 8}, 32, 32, 3, 1, 1),
       Shape({16, 16}, 8, 16, 3, 2, 1), Shape({8, 8}, 16, 16, 3, 1, 1)},
      [lanes](const ConvolutionShape& shape) {
        return CapsuleConvolution(shape, lanes);
      });
}

void AddMatmuls(SuiteBuilder& suite) {
  std::vector<MatmulShape> shapes = {
      {.rows = 128, .columns = 128, .depth = 128},
      {.rows = 512, .columns = 32, .depth = 512},
      {.rows = 512, .columns = 512, .depth = 512},
      {.rows = 1024, .columns = 1024, .depth = 1024}};
  suite.Add<MatmulShape>("GMM", shapes, BatchMatmul);
  for (MatmulShape& shape : shapes) shape.is_transposed = true;
  suite.Add<MatmulShape>("GMT", shapes, BatchMatmul);
}

void AddNorms(SuiteBuilder& suite) {
  suite.Add<NormShape>("NRM",
                       {{.rows = 256, .columns = 256},
                        {.rows = 512, .columns = 512},
                        {.rows = 1024, .columns = 1024},
                        {.rows = 4096, .columns = 1024}},
                       MatrixNorm);
}

void AddSubgraphs(SuiteBuilder& suite) {
  suite.AddConvolutions(
      "ConvLayer",
      {Shape({224, 224}, 3, 64, 7, 2, 3), Shape({56, 56}, 64, 128, 3, 2, 1),
       Shape({28, 28}, 128, 256, 1, 2, 0), Shape({7, 7}, 512, 512, 3, 1, 1)},
      ConvolutionEpilogue::kBatchNormRelu);
  suite.Add<AttentionShape>("TBS",
                            {{.length = 128, .heads = 12, .depth = 64},
                             {.length = 128, .heads = 16, .depth = 64},
                             {.length = 64, .heads = 12, .depth = 128},
                             {.length = 128, .heads = 12, .depth = 128}},
                            TransposeMatmulSoftmax);
}

}  // namespace

std::string OperatorCase::Name() const {
  return absl::StrCat(op, "_", shape, "_b", batch);
}

std::vector<OperatorCase> OperatorSuite(SuiteSizes sizes, int lanes) {
  SuiteBuilder suite(sizes, lanes);
  AddPlainConvolutions(suite);
  AddMatmuls(suite);
  AddConvolutionVariants(suite, lanes);
  AddNorms(suite);
  AddSubgraphs(suite);
  return suite.Take();
}

}  // namespace pruner
