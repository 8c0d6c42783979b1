// LibTorch on the CPU: a layer's forward and backward pass.
#include "torch/torch.h"

#include "gtest/gtest.h"

namespace {

TEST(TorchTest, LinearLayerDifferentiates) {
  torch::nn::Linear layer(2, 1);
  {
    torch::NoGradGuard no_grad;
    layer->weight.copy_(torch::tensor({{3.0f, -2.0f}}));
    layer->bias.fill_(0.5f);
  }
  const torch::Tensor x = torch::tensor({{1.0f, 4.0f}, {2.0f, 0.0f}});
  const torch::Tensor y = layer->forward(x);
  EXPECT_FLOAT_EQ(y[0].item<float>(), -4.5f);
  EXPECT_FLOAT_EQ(y[1].item<float>(), 6.5f);

  y.sum().backward();
  EXPECT_FLOAT_EQ(layer->weight.grad()[0][0].item<float>(), 3.0f);
  EXPECT_FLOAT_EQ(layer->weight.grad()[0][1].item<float>(), 4.0f);
  EXPECT_FLOAT_EQ(layer->bias.grad()[0].item<float>(), 2.0f);
}

TEST(TorchTest, MultipliesLargeMatrices) {
  // Large enough to reach the BLAS kernels and their threads.
  const torch::Tensor ones = torch::ones({256, 256});
  EXPECT_TRUE(torch::equal(ones.matmul(ones), torch::full({256, 256}, 256.0f)));
}

}  // namespace
