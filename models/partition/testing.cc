#include "models/partition/testing.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "models/graph/graph_builder.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

constexpr int64_t kFloat = sizeof(float);

// Appends a random node that fits a random tensor of `pool`.
TensorId RandomNode(GraphBuilder& b, Rng& rng,
                    const std::vector<TensorId>& pool,
                    const std::string& name) {
  // Mostly a recent tensor, so that chains grow.
  const TensorId x = rng.Chance(0.6) ? pool.back() : rng.Pick(pool);
  const Shape& shape = b.ShapeOf(x);
  const int64_t channels = b.ChannelsOf(x);
  const auto constant = [&](const Shape& wanted) {
    return b.Constant(name + ".c", wanted,
                      {RandomValues{.seed = rng.Next(), .low = -1, .high = 1}});
  };
  const bool is_image = shape.size() == 4;
  switch (rng.Uniform(0, 7)) {
    case 0:
      return rng.Chance(0.5) ? b.Relu(name, x) : b.Relu6(name, x);
    case 1:
      return b.BiasAdd(name, x, constant({channels}));
    case 2: {
      std::vector<TensorId> same_shape;
      for (const TensorId other : pool) {
        if (b.ShapeOf(other) == shape) same_shape.push_back(other);
      }
      return b.Add(name, x, rng.Pick(same_shape));
    }
    case 3:
      return is_image ? b.Flatten(name, x)
                      : b.Reshape(name, x, {2, 2, 2, channels / 4});
    case 6: {
      std::vector<TensorId> like;
      for (const TensorId other : pool) {
        if (b.ShapeOf(other).size() == shape.size()) like.push_back(other);
      }
      const TensorId other = rng.Pick(like);
      // Few enough for what follows.
      constexpr int64_t kMostChannels = 256;
      if (channels + b.ChannelsOf(other) > kMostChannels)
        return b.Identity(name, x);
      return b.Apply(name,
                     Concat{.axis = static_cast<int64_t>(shape.size()) - 1},
                     {x, other});
    }
    case 4:
      return b.Identity(name, x);
    case 5:
      return is_image ? b.MaxPool2d(name, x,
                                    {.kernel = {2, 2}, .padding = {1, 1, 0, 0}})
                      : b.Softmax(name, x);
    default: {
      // 16 or 32 channels, so that sums find partners.
      const int64_t to = (is_image ? 16 : 64) * rng.Uniform(1, 2);
      return is_image ? b.Conv2d(name, x, constant({1, 1, channels, to}))
                      : b.Dense(name, x, constant({channels, to}));
    }
  }
}

}  // namespace

OperatorGraph RandomGraph(uint64_t seed) {
  Rng rng(seed);
  GraphBuilder b("random");
  std::vector<TensorId> pool = {b.Input("x0", {2, 2, 2, 16}),
                                b.Input("x1", {2, 2, 2, 32})};
  const int nodes = static_cast<int>(rng.Uniform(1, 30));
  for (int i = 0; i < nodes; ++i) {
    pool.push_back(RandomNode(b, rng, pool, absl::StrCat("n", i)));
  }
  std::set<TensorId> outputs = {pool.back()};
  for (int i = 0; i < 3; ++i) {
    if (rng.Chance(0.5)) outputs.insert(rng.Pick(pool));
  }
  for (const TensorId output : outputs) b.Output(output);
  absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  CHECK_OK(graph.status());
  return *std::move(graph);
}

std::vector<Array> RunPartitioned(const OperatorGraph& graph,
                                  const PartitionResult& partition,
                                  const ActivationPlan& plan,
                                  const std::vector<Array>& inputs) {
  std::vector<double> arena(plan.arena_bytes / kFloat);
  std::vector<Array> outputs;
  for (const TensorId output : graph.outputs) {
    const Shape& shape = graph.ShapeOf(output);
    outputs.push_back({shape, std::vector<double>(NumElements(shape))});
  }
  const auto load = [&](TensorId tensor) {
    const TensorId stored = partition.storage[tensor];
    const Shape& shape = graph.ShapeOf(tensor);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (graph.inputs[i] == stored) return Array{shape, inputs[i].values};
    }
    if (const auto constant = graph.constants.find(stored);
        constant != graph.constants.end()) {
      return Array{shape, MaterializeConstant(constant->second, shape)};
    }
    if (const auto output = plan.output_buffers.find(stored);
        output != plan.output_buffers.end()) {
      return Array{shape, outputs[output->second].values};
    }
    const auto first = arena.begin() + plan.arena_offsets.at(stored) / kFloat;
    return Array{shape, {first, first + NumElements(shape)}};
  };
  for (const SubgraphInstance& instance : partition.instances) {
    std::vector<Array> arguments;
    for (const TensorId input : instance.inputs)
      arguments.push_back(load(input));
    const Subgraph& subgraph = partition.subgraphs[instance.subgraph].subgraph;
    const absl::StatusOr<std::vector<Array>> result =
        RunGraph(subgraph.body, arguments);
    CHECK_OK(result.status());
    const std::vector<double>& values = (*result)[0].values;
    const OutputSlice& slice = instance.destination;
    const auto output = plan.output_buffers.find(slice.whole);
    const auto buffer =
        output != plan.output_buffers.end()
            ? outputs[output->second].values.begin()
            : arena.begin() + plan.arena_offsets.at(slice.whole) / kFloat;
    for (size_t i = 0; i < values.size(); ++i)
      buffer[slice.offset + slice.rows.Position(static_cast<int64_t>(i))] =
          values[i];
  }
  for (const auto& [from, output] : plan.output_copies) {
    outputs[output].values = load(from).values;
  }
  return outputs;
}

}  // namespace pruner
