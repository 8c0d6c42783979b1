#include "models/graph/reference_operators.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>

#include "absl/functional/function_ref.h"

namespace pruner {
namespace {

using Inputs = absl::Span<const Array* const>;

// Calls body(i) for every i in [0, count), thread t taking every i with i %
// threads == t.
void ForRows(int64_t count, int threads,
             absl::FunctionRef<void(int64_t)> body) {
  const auto run = [&](int64_t first) {
    for (int64_t i = first; i < count; i += threads) body(i);
  };
  std::vector<std::thread> others;
  for (int t = 1; t < std::min<int64_t>(threads, count); ++t)
    others.emplace_back(run, t);
  run(0);
  for (std::thread& other : others) other.join();
}

// One group of channels of one output pixel: adds the products of one kernel
// element.
void AddProducts(const double* input, const double* weights, int64_t inner,
                 int64_t outer, int64_t weights_stride, double* sums) {
  for (int64_t c = 0; c < inner; ++c) {
    const double value = input[c];
    const double* row = weights + c * weights_stride;
    for (int64_t o = 0; o < outer; ++o) sums[o] += value * row[o];
  }
}

void ConvolvePixel(const Conv2d& op, const Array& input, const Array& weights,
                   int64_t batch, int64_t y, int64_t x, double* sums) {
  const int64_t height = input.shape[1], width = input.shape[2];
  const int64_t in_channels = input.shape[3], out_channels = weights.shape[3];
  const int64_t in_group = weights.shape[2],
                out_group = out_channels / op.groups;
  for (int64_t ky = 0; ky < weights.shape[0]; ++ky) {
    const int64_t in_y = y * op.stride.h + ky * op.dilation.h - op.padding.top;
    if (in_y < 0 || in_y >= height) continue;
    for (int64_t kx = 0; kx < weights.shape[1]; ++kx) {
      const int64_t in_x =
          x * op.stride.w + kx * op.dilation.w - op.padding.left;
      if (in_x < 0 || in_x >= width) continue;
      const double* pixel =
          &input.values[((batch * height + in_y) * width + in_x) * in_channels];
      const double* kernel =
          &weights
               .values[(ky * weights.shape[1] + kx) * in_group * out_channels];
      for (int64_t g = 0; g < op.groups; ++g) {
        AddProducts(pixel + g * in_group, kernel + g * out_group, in_group,
                    out_group, out_channels, sums + g * out_group);
      }
    }
  }
}

void Evaluate(const Conv2d& op, Inputs inputs, int threads, Array& output) {
  const int64_t height = output.shape[1], width = output.shape[2];
  const int64_t channels = output.shape[3];
  ForRows(output.shape[0] * height, threads, [&](int64_t row) {
    for (int64_t x = 0; x < width; ++x) {
      ConvolvePixel(op, *inputs[0], *inputs[1], row / height, row % height, x,
                    &output.values[(row * width + x) * channels]);
    }
  });
}

void Evaluate(const Dense&, Inputs inputs, int threads, Array& output) {
  const int64_t in = inputs[1]->shape[0], out = inputs[1]->shape[1];
  ForRows(NumElements(output.shape) / out, threads, [&](int64_t row) {
    AddProducts(&inputs[0]->values[row * in], inputs[1]->values.data(), in, out,
                out, &output.values[row * out]);
  });
}

void Evaluate(const BatchNorm& op, Inputs inputs, int, Array& output) {
  const int64_t channels = output.shape.back();
  for (size_t i = 0; i < output.values.size(); ++i) {
    const int64_t c = static_cast<int64_t>(i) % channels;
    const double scale = inputs[1]->values[c], shift = inputs[2]->values[c];
    const double mean = inputs[3]->values[c], variance = inputs[4]->values[c];
    output.values[i] = (inputs[0]->values[i] - mean) /
                           std::sqrt(variance + op.epsilon) * scale +
                       shift;
  }
}

void Evaluate(const BiasAdd&, Inputs inputs, int, Array& output) {
  const size_t channels = inputs[1]->values.size();
  for (size_t i = 0; i < output.values.size(); ++i) {
    output.values[i] = inputs[0]->values[i] + inputs[1]->values[i % channels];
  }
}

void Evaluate(const Relu&, Inputs inputs, int, Array& output) {
  for (size_t i = 0; i < output.values.size(); ++i) {
    output.values[i] = std::max(inputs[0]->values[i], 0.0);
  }
}

void Evaluate(const Relu6&, Inputs inputs, int, Array& output) {
  for (size_t i = 0; i < output.values.size(); ++i) {
    output.values[i] = std::clamp(inputs[0]->values[i], 0.0, 6.0);
  }
}

void Evaluate(const Add&, Inputs inputs, int, Array& output) {
  for (size_t i = 0; i < output.values.size(); ++i) {
    output.values[i] = inputs[0]->values[i] + inputs[1]->values[i];
  }
}

// Calls visit(value) for each element of `input` that the window of output
// element (n, y, x, c) holds.
template <typename Pool, typename Visit>
void VisitWindow(const Pool& op, const Array& input, int64_t n, int64_t y,
                 int64_t x, int64_t c, const Visit& visit) {
  const int64_t height = input.shape[1], width = input.shape[2];
  for (int64_t ky = 0; ky < op.kernel.h; ++ky) {
    const int64_t in_y = y * op.stride.h + ky - op.padding.top;
    if (in_y < 0 || in_y >= height) continue;
    for (int64_t kx = 0; kx < op.kernel.w; ++kx) {
      const int64_t in_x = x * op.stride.w + kx - op.padding.left;
      if (in_x < 0 || in_x >= width) continue;
      visit(input.values[((n * height + in_y) * width + in_x) * input.shape[3] +
                         c]);
    }
  }
}

// Sets every output element to element(n, y, x, c).
template <typename Element>
void ForEachPixelChannel(Array& output, const Element& element) {
  double* out = output.values.data();
  for (int64_t n = 0; n < output.shape[0]; ++n) {
    for (int64_t y = 0; y < output.shape[1]; ++y) {
      for (int64_t x = 0; x < output.shape[2]; ++x) {
        for (int64_t c = 0; c < output.shape[3]; ++c)
          *out++ = element(n, y, x, c);
      }
    }
  }
}

void Evaluate(const MaxPool2d& op, Inputs inputs, int, Array& output) {
  ForEachPixelChannel(output, [&](int64_t n, int64_t y, int64_t x, int64_t c) {
    double largest = -std::numeric_limits<double>::infinity();
    VisitWindow(op, *inputs[0], n, y, x, c,
                [&](double value) { largest = std::max(largest, value); });
    return largest;
  });
}

void Evaluate(const AvgPool2d& op, Inputs inputs, int, Array& output) {
  ForEachPixelChannel(output, [&](int64_t n, int64_t y, int64_t x, int64_t c) {
    double sum = 0;
    int64_t count = 0;
    VisitWindow(op, *inputs[0], n, y, x, c, [&](double value) {
      sum += value;
      ++count;
    });
    if (op.count_include_pad) count = op.kernel.h * op.kernel.w;
    return sum / static_cast<double>(count);
  });
}

void Evaluate(const GlobalAvgPool&, Inputs inputs, int, Array& output) {
  const Shape& shape = inputs[0]->shape;
  const int64_t pixels = shape[1] * shape[2], channels = shape[3];
  for (int64_t n = 0; n < shape[0]; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (int64_t i = 0; i < pixels; ++i) {
        sum += inputs[0]->values[(n * pixels + i) * channels + c];
      }
      output.values[n * channels + c] = sum / static_cast<double>(pixels);
    }
  }
}

void Evaluate(const Reshape&, Inputs inputs, int, Array& output) {
  output.values = inputs[0]->values;
}

void Evaluate(const Softmax& op, Inputs inputs, int, Array& output) {
  const Shape& shape = output.shape;
  const int64_t extent = shape[op.axis];
  const int64_t inner = NumElements(
      absl::MakeConstSpan(shape).subspan(static_cast<size_t>(op.axis) + 1));
  const int64_t lines = NumElements(shape) / extent;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t first = line / inner * inner * extent + line % inner;
    // Less the largest element, lest the exponentials overflow.
    double largest = inputs[0]->values[first];
    for (int64_t i = 0; i < extent; ++i) {
      largest = std::max(largest, inputs[0]->values[first + i * inner]);
    }
    double sum = 0;
    for (int64_t i = 0; i < extent; ++i) {
      const int64_t at = first + i * inner;
      output.values[at] = std::exp(inputs[0]->values[at] - largest);
      sum += output.values[at];
    }
    for (int64_t i = 0; i < extent; ++i)
      output.values[first + i * inner] /= sum;
  }
}

void Evaluate(const Identity&, Inputs inputs, int, Array& output) {
  output.values = inputs[0]->values;
}

}  // namespace

Array EvaluateOperator(const Operator& op,
                       absl::Span<const Array* const> inputs,
                       const Shape& output_shape, int threads) {
  Array output{output_shape,
               std::vector<double>(NumElements(output_shape), 0.0)};
  std::visit([&](const auto& kind) { Evaluate(kind, inputs, threads, output); },
             op);
  return output;
}

}  // namespace pruner
