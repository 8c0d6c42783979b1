#include "tools/bench/pipeline_parts.h"

#include "halide_ext/analyze/fixed_names.h"
#include "models/ops/packing.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::ImageParam;

ImageParam PackedInput(int channels, const std::vector<int>& other_sizes,
                       int lanes) {
  std::vector<int> sizes = {lanes > 0 ? lanes : channels};
  sizes.insert(sizes.end(), other_sizes.begin(), other_sizes.end());
  if (lanes > 0) sizes.push_back(channels / lanes);
  return DenseInput("weights", sizes);
}

}  // namespace

Halide::Pipeline WithOutput(const Halide::Func& out,
                            const std::vector<int>& sizes) {
  int stride = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    out.output_buffer()
        .dim(static_cast<int>(d))
        .set_bounds(0, sizes[d])
        .set_stride(stride);
    stride *= sizes[d];
  }
  return Halide::Pipeline(out);
}

PackedWeights::PackedWeights(int channels, const std::vector<int>& other_sizes,
                             int lanes)
    : lanes_(static_cast<int>(ChoosePacking(channels, lanes).lanes)),
      weights_(PackedInput(channels, other_sizes, lanes_)) {}

Expr PackedWeights::operator()(const Expr& channel,
                               const Indices& others) const {
  Indices indices = {lanes_ > 0 ? channel % lanes_ : channel};
  indices.insert(indices.end(), others.begin(), others.end());
  if (lanes_ > 0) indices.push_back(channel / lanes_);
  return weights_(indices);
}

PaddedPipelineInput::PaddedPipelineInput(const ImageParam& input,
                                         const std::vector<Halide::Var>& vars,
                                         const std::vector<Padding>& padding)
    : input_(input) {
  Expr inside;
  Indices indices;
  for (size_t d = 0; d < padding.size(); ++d) {
    const Padding& p = padding[d];
    if (p.zeros == 0) {
      indices.push_back(vars[d]);
      continue;
    }
    const Expr position = vars[d] - p.zeros;
    const Expr here = position >= 0 && position < p.size;
    inside = inside.defined() ? inside && here : here;
    indices.push_back(Halide::clamp(position, 0, p.size - 1));
  }
  if (!inside.defined()) return;
  pad_ = NamedFunc("pad");
  pad_(vars) = Halide::select(inside, input_(indices), 0.0f);
}

Expr PaddedPipelineInput::operator()(const Indices& indices) const {
  return pad_.defined() ? Expr(pad_(indices)) : Expr(input_(indices));
}

}  // namespace pruner
