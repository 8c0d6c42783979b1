#include "pruner/dag/sample_dags.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/statusor.h"

namespace pruner {
namespace {

Stage Input(const char* name, std::vector<int64_t> shape) {
  Stage stage;
  stage.name = name;
  stage.kind = StageKind::kPlaceholder;
  stage.shape = std::move(shape);
  return stage;
}

Stage Compute(
    const char* name,
    const std::vector<std::pair<const char*, int64_t>>& spatial,
    const std::vector<std::pair<const char*, int64_t>>& reduction = {}) {
  Stage stage;
  stage.name = name;
  for (const auto& [axis, extent] : spatial) {
    stage.shape.push_back(extent);
    stage.axes.push_back(
        {.name = axis, .extent = extent, .kind = AxisKind::kSpatial});
  }
  for (const auto& [axis, extent] : reduction) {
    stage.axes.push_back(
        {.name = axis, .extent = extent, .kind = AxisKind::kReduction});
  }
  return stage;
}

IndexExpr At(int axis) { return {.terms = {{.axis = axis}}}; }

Access Elementwise(int producer, int rank) {
  Access access{.stage = producer, .indices = {}};
  for (int i = 0; i < rank; ++i) access.indices.push_back(At(i));
  return access;
}

ComputeDag Make(std::vector<Stage> stages) {
  absl::StatusOr<ComputeDag> dag = ComputeDag::Create(std::move(stages));
  CHECK_OK(dag.status());
  return *std::move(dag);
}

}  // namespace

ComputeDag StencilsDag(int stencils, int64_t size) {
  // From the last one to the first.
  std::vector<Stage> stages;
  std::vector<int64_t> shape = {size, size};
  for (int i = stencils - 1; i >= 0; --i) {
    Stage stage = Compute("s", {{"y", shape[0]}, {"x", shape[1]}});
    stage.name += std::to_string(i);
    const int along = i % 2;
    for (const int64_t offset : {0, 1, 2}) {
      stage.reads.push_back(Elementwise(i, 2));
      stage.reads.back().indices[along].constant = offset;
    }
    stage.ops = {.float_add = 2};
    stage.is_output = i + 1 == stencils;
    stages.insert(stages.begin(), stage);
    shape[along] += 2;
  }
  stages.insert(stages.begin(), Input("input", shape));
  return Make(std::move(stages));
}

ComputeDag ChannelsDag(int64_t channels, int64_t size) {
  const Access gray = {.stage = 1, .indices = {At(1), At(2)}};
  Stage colors =
      Compute("colors", {{"c", channels}, {"y", size}, {"x", size + 2}});
  colors.reads = {Elementwise(0, 3), gray};
  colors.ops = {.float_mul = 1};
  Stage out = Compute("out", {{"c", channels}, {"y", size}, {"x", size}});
  for (const int64_t offset : {0, 1, 2}) {
    out.reads.push_back(Elementwise(2, 3));
    out.reads.back().indices[2].constant = offset;
  }
  out.reads.push_back(gray);
  out.ops = {.float_add = 3};
  out.is_output = true;
  return Make({Input("image", {channels, size, size + 2}),
               Input("gray", {size, size + 2}), colors, out});
}

ComputeDag MatmulReluDag(int64_t rows, int64_t columns, int64_t depth) {
  Stage product = Compute("C", {{"i", rows}, {"j", columns}}, {{"k", depth}});
  product.reads = {{.stage = 0, .indices = {At(0), At(2)}},
                   {.stage = 1, .indices = {At(2), At(1)}}};
  product.ops = {.float_add = 1, .float_mul = 1};
  product.reduction = ReductionKind::kSum;
  Stage out = Compute("out", {{"i", rows}, {"j", columns}});
  out.reads = {Elementwise(2, 2)};
  out.ops = {.float_compare = 1};
  out.is_output = true;
  return Make(
      {Input("A", {rows, depth}), Input("B", {depth, columns}), product, out});
}

ComputeDag TransposedMatmulReluDag(int64_t rows, int64_t columns,
                                   int64_t depth) {
  std::vector<Stage> stages = MatmulReluDag(rows, columns, depth).stages();
  stages[1].shape = {columns, depth};
  stages[2].reads[1].indices = {At(1), At(2)};
  return Make(std::move(stages));
}

ComputeDag ConvBiasReluDag(const ConvShape& s) {
  const int64_t pad = s.kernel / 2;
  const int64_t padded = s.size + 2 * pad;
  const int64_t out_size = (padded - s.kernel) / s.stride + 1;
  Stage padding = Compute(
      "pad",
      {{"n", s.batch}, {"y", padded}, {"x", padded}, {"c", s.in_channels}});
  const auto shifted = [&](int axis) {
    return IndexExpr{
        .terms = {{.axis = axis}}, .constant = -pad, .clamped = true};
  };
  padding.reads = {
      {.stage = 0, .indices = {At(0), shifted(1), shifted(2), At(3)}}};
  padding.ops = {.int_compare = 8, .select = 1};
  Stage conv = Compute(
      "conv",
      {{"n", s.batch}, {"y", out_size}, {"x", out_size}, {"c", s.out_channels}},
      {{"ry", s.kernel}, {"rx", s.kernel}, {"rc", s.in_channels}});
  const auto window = [&](int axis, int offset) {
    return IndexExpr{
        .terms = {{.axis = axis, .coefficient = s.stride}, {.axis = offset}}};
  };
  conv.reads = {
      {.stage = 3, .indices = {At(0), window(1, 4), window(2, 5), At(6)}},
      {.stage = 1,
       .indices = {{.terms = {{.axis = 3}}, .divisor = 16},
                   At(4),
                   At(5),
                   At(6),
                   {.terms = {{.axis = 3}}, .modulus = 16}}}};
  conv.ops = {.float_add = 1, .float_mul = 1};
  conv.reduction = ReductionKind::kSum;
  Stage out = Compute("out", {{"n", s.batch},
                              {"y", out_size},
                              {"x", out_size},
                              {"c", s.out_channels}});
  out.reads = {Elementwise(4, 4), {.stage = 2, .indices = {At(3)}}};
  out.ops = {.float_add = 1, .float_compare = 1};
  out.is_output = true;
  return Make({Input("input", {s.batch, s.size, s.size, s.in_channels}),
               Input("weights", {(s.out_channels + 15) / 16, s.kernel, s.kernel,
                                 s.in_channels, 16}),
               Input("bias", {s.out_channels}), padding, conv, out});
}

ComputeDag MaxPoolDag(int64_t size, int64_t channels) {
  const int64_t out_size = (size - 3) / 2 + 1;
  Stage pool =
      Compute("pool", {{"y", out_size}, {"x", out_size}, {"c", channels}},
              {{"ry", 3}, {"rx", 3}});
  pool.reads = {
      {.stage = 0,
       .indices = {{.terms = {{.axis = 0, .coefficient = 2}, {.axis = 3}}},
                   {.terms = {{.axis = 1, .coefficient = 2}, {.axis = 4}}},
                   At(2)}}};
  pool.ops = {.float_compare = 1};
  pool.reduction = ReductionKind::kMax;
  Stage out =
      Compute("out", {{"y", out_size}, {"x", out_size}, {"c", channels}});
  out.reads = {Elementwise(1, 3)};
  out.is_output = true;
  return Make({Input("input", {size, size, channels}), pool, out});
}

ComputeDag DiamondsDag(int diamonds, int64_t size, int taps) {
  std::vector<Stage> stages = {Input("image", {size, size})};
  for (int i = 0; i < diamonds; ++i) {
    const int image = static_cast<int>(stages.size()) - 1;
    Stage f = Compute("f", {{"y", size}, {"x", size}});
    Stage sum = Compute("sum", {{"y", size}, {"x", size}});
    for (Stage* stage : {&f, &sum}) stage->name += std::to_string(i);
    for (int tap = 0; tap < taps; ++tap) {
      Access& access = f.reads.emplace_back(Elementwise(image, 2));
      access.indices[0].constant = tap - taps / 2;
      access.indices[0].clamped = taps > 1;
    }
    f.ops = {.float_add = taps};
    sum.reads = {Elementwise(image, 2), Elementwise(image + 1, 2)};
    sum.ops = {.float_add = 1};
    stages.push_back(std::move(f));
    stages.push_back(std::move(sum));
  }
  stages.back().is_output = true;
  return Make(std::move(stages));
}

}  // namespace pruner
