#include "models/ops/testing.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "Halide.h"
#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "models/ops/packing.h"
#include "models/partition/output_slices.h"
#include "models/partition/partition.h"
#include "pruner/target/sample_targets.h"

namespace pruner {
namespace {

// Stores the values as elements of the type.
void Write(const std::vector<double>& values, const Halide::Type& type,
           void* elements) {
  const auto write = [&]<typename Element>(Element* to) {
    std::transform(values.begin(), values.end(), to,
                   [](double value) { return static_cast<Element>(value); });
  };
  if (type == Halide::Float(32)) return write(static_cast<float*>(elements));
  if (type == Halide::Int(64)) return write(static_cast<int64_t*>(elements));
  CHECK(type == Halide::UInt(8)) << type;
  write(static_cast<uint8_t*>(elements));
}

// With other elements behind each row but the last.
int64_t ElementsWithin(const KernelArgument& argument) {
  const int64_t count = argument.NumElements();
  return count == 0 ? 0 : argument.rows.Position(count - 1) + 1;
}

constexpr int kUntouched = 0xff;

std::vector<double> ReadAll(const void* elements, const Halide::Type& type,
                            int64_t count) {
  const auto read = [&]<typename Element>(const Element* from) {
    return std::vector<double>(from, from + count);
  };
  if (type == Halide::Float(32))
    return read(static_cast<const float*>(elements));
  if (type == Halide::Int(64))
    return read(static_cast<const int64_t*>(elements));
  CHECK(type == Halide::UInt(8)) << type;
  return read(static_cast<const uint8_t*>(elements));
}

// Those of the argument; expects that the others are untouched.
std::vector<double> Read(const KernelArgument& argument,
                         const Halide::Runtime::Buffer<uint8_t>& buffer) {
  std::vector<uint8_t> bytes(buffer.data(),
                             buffer.data() + buffer.size_in_bytes());
  const std::vector<double> all =
      ReadAll(bytes.data(), argument.type, ElementsWithin(argument));
  const int64_t size = argument.type.bytes();
  std::vector<double> values;
  for (int64_t i = 0; i < argument.NumElements(); ++i) {
    const int64_t at = argument.rows.Position(i);
    values.push_back(all[at]);
    std::fill_n(bytes.begin() + at * size, size, kUntouched);
  }
  EXPECT_EQ(bytes, std::vector<uint8_t>(bytes.size(), kUntouched))
      << "something between the rows was written";
  return values;
}

// Whether kernels can write their results into a part of the channels.
bool MayBeWithinMoreChannels(const Subgraph& subgraph) {
  return !subgraph.body.ShapeOf(subgraph.body.outputs[0]).empty() &&
         HasChannelLoops(subgraph.body.nodes[0].op);
}

}  // namespace

Subgraph OnlySubgraph(absl::FunctionRef<void(GraphBuilder&)> build) {
  GraphBuilder builder("test");
  build(builder);
  const absl::StatusOr<OperatorGraph> graph = std::move(builder).Build();
  CHECK_OK(graph.status());
  const absl::StatusOr<PartitionResult> partition = PartitionGraph(*graph);
  CHECK_OK(partition.status());
  CHECK_EQ(partition->subgraphs.size(), 1u);
  return partition->subgraphs[0].subgraph;
}

WorkloadPipeline StoreAndLoad(const OpPipeline& op) {
  const absl::StatusOr<Workload> workload = MakeWorkload("test", op.pipeline);
  CHECK_OK(workload.status());
  absl::StatusOr<WorkloadPipeline> pipeline =
      WorkloadPipeline::Load(workload->pipeline);
  CHECK_OK(pipeline.status());
  return *std::move(pipeline);
}

absl::StatusOr<WorkloadPipeline> WithinMoreChannels(
    const WorkloadPipeline& pipeline, const Subgraph& subgraph) {
  const int64_t channels =
      subgraph.body.ShapeOf(subgraph.body.outputs[0]).back();
  return pipeline.WithOutputRows({.length = channels, .pitch = channels + 16});
}

Array RunKernel(const Kernel& kernel, const WorkloadPipeline& pipeline,
                const OpPipeline& op, const std::vector<Array>& inputs) {
  CHECK_EQ(op.inputs.size(), inputs.size());
  std::map<std::string, std::vector<double>> packed;
  for (size_t i = 0; i < inputs.size(); ++i)
    packed[op.inputs[i].name] =
        PackValues(inputs[i].values, inputs[i].shape, op.inputs[i].packing);
  // Halide's buffers are aligned.
  std::vector<Halide::Runtime::Buffer<uint8_t>> buffers;
  std::vector<void*> tensors;
  for (const KernelArgument& argument : pipeline.arguments()) {
    auto& buffer = buffers.emplace_back(
        static_cast<int>(ElementsWithin(argument) * argument.type.bytes()));
    tensors.push_back(buffer.data());
    if (argument.name == "out") {
      // What is not written is no number, and no bool.
      buffer.fill(kUntouched);
      continue;
    }
    const std::vector<double>& values = packed.at(argument.name);
    CHECK_EQ(argument.NumElements(), static_cast<int64_t>(values.size()));
    Write(values, argument.type, buffer.data());
  }
  CHECK_OK(kernel.Run(tensors));
  const KernelArgument& out = pipeline.arguments().back();
  return {{out.NumElements()}, Read(out, buffers.back())};
}

Array RunUnscheduled(const OpPipeline& op, const std::vector<Array>& inputs) {
  const WorkloadPipeline pipeline = StoreAndLoad(op);
  const absl::StatusOr<Kernel> kernel = pipeline.CompileReference();
  CHECK_OK(kernel.status());
  return RunKernel(*kernel, pipeline, op, inputs);
}

void ExpectComputes(const Subgraph& subgraph, uint64_t seed) {
  SCOPED_TRACE(PrintSubgraph(subgraph));
  const absl::StatusOr<OpPipeline> op =
      BuildPipeline(subgraph, SampleCpuTarget());
  ASSERT_TRUE(op.ok()) << op.status();
  const std::vector<Array> inputs = RandomInputs(subgraph.body, seed);
  const std::vector<Array> expected = *RunGraph(subgraph.body, inputs);
  const Array got = RunUnscheduled(*op, inputs);
  EXPECT_LT(RelativeDifference({expected[0].shape, got.values}, expected[0]),
            2e-6);
  if (!MayBeWithinMoreChannels(subgraph)) return;
  const absl::StatusOr<WorkloadPipeline> within =
      WithinMoreChannels(StoreAndLoad(*op), subgraph);
  ASSERT_TRUE(within.ok()) << within.status();
  const absl::StatusOr<Kernel> kernel = within->CompileReference();
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(RunKernel(*kernel, *within, *op, inputs).values, got.values);
}

void ExpectComputes(absl::FunctionRef<void(GraphBuilder&)> build) {
  ExpectComputes(OnlySubgraph(build), 1);
}

namespace {

TensorId Apply(GraphBuilder& b, const Operator& op,
               const std::vector<Operand>& operands) {
  std::vector<TensorId> inputs;
  for (const Operand& operand : operands) {
    inputs.push_back(
        b.Input(absl::StrCat("x", inputs.size()), operand.shape, operand.type));
  }
  return b.Apply("y", op, inputs);
}

}  // namespace

void ExpectOperatorComputes(const Operator& op,
                            const std::vector<Operand>& operands) {
  ExpectComputes([&](GraphBuilder& b) { b.Output(Apply(b, op, operands)); });
  GraphBuilder probe("probe");
  const TensorId y = Apply(probe, op, operands);
  const Shape shape = probe.ShapeOf(y);
  if (probe.TypeOf(y) != DataType::kFloat32 || shape.empty()) return;
  ExpectComputes([&](GraphBuilder& b) {
    TensorId x = Apply(b, op, operands);
    x = b.BiasAdd("biased", x,
                  b.Constant("bias", {shape.back()}, {RandomValues{}}));
    x = b.Add("sum", x, b.Input("residual", shape));
    b.Output(b.Relu("relu", x));
  });
}

}  // namespace pruner
