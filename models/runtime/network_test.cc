#include "models/runtime/network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "gtest/gtest.h"
#include "halide_ext/build/sample_host_target.h"
#include "models/graph/graph_builder.h"
#include "models/partition/testing.h"
#include "models/rewrite/simplify.h"
#include "models/runtime/default_schedules.h"
#include "models/runtime/verify.h"
#include "models/runtime/verify_kernels.h"
#include "models/zoo/tiny.h"

namespace pruner {
namespace {

absl::StatusOr<Network> BuildWithDefaults(const OperatorGraph& graph,
                                          const NetworkOptions& options = {}) {
  const PartitionResult partition = *PartitionGraph(graph);
  const std::vector<NetworkTask> tasks =
      *MakeNetworkTasks(partition, SampleHostTarget(), {.names = {"direct"}});
  const SchedulesByWorkload schedules =
      *DefaultSchedules(tasks, SampleHostTarget());
  return Network::Build(graph, partition, tasks, schedules, SampleHostTarget(),
                        options);
}

// The network computes what the interpreter says of `graph`.
void ExpectAgrees(const OperatorGraph& graph, absl::StatusOr<Network> network) {
  ASSERT_TRUE(network.ok()) << network.status();
  const absl::StatusOr<std::vector<OutputError>> errors =
      CompareWithInterpreter(graph, *network, /*seed=*/1, /*threads=*/1);
  ASSERT_TRUE(errors.ok()) << errors.status();
  EXPECT_EQ(errors->size(), graph.outputs.size());
  for (const OutputError& error : *errors) {
    EXPECT_LT(error.relative, 1e-5) << error.output;
  }
}

TEST(NetworkTest, TinyNetworkComputesWhatItShould) {
  const OperatorGraph original = *Tiny({.batch = 2});
  const OperatorGraph simplified = *Simplify(original);
  int calls = 0;
  absl::StatusOr<Network> network = BuildWithDefaults(
      simplified, {.threads = 2,
                   .compile_threads = 2,
                   .progress = [&](int done, int total, const std::string&) {
                     EXPECT_EQ(done, ++calls);
                     EXPECT_EQ(total, 9);
                   }});
  EXPECT_EQ(calls, 9);
  ExpectAgrees(original, std::move(network));
}

TEST(NetworkTest, FormulationsOtherThanTheDirectOne) {
  const OperatorGraph original = *Tiny({.batch = 2});
  for (const char* formulation : {"winograd_f2", "winograd_f4"}) {
    SCOPED_TRACE(formulation);
    const OperatorGraph graph = *Simplify(original);
    const PartitionResult partition = *PartitionGraph(graph);
    const std::vector<NetworkTask> tasks = *MakeNetworkTasks(
        partition, SampleHostTarget(), {.names = {formulation}});
    EXPECT_EQ(tasks[2].formulation, formulation);
    ExpectAgrees(original,
                 Network::Build(graph, partition, tasks,
                                *DefaultSchedules(tasks, SampleHostTarget()),
                                SampleHostTarget()));
  }
}

TEST(NetworkTest, ClaimsMemoryWhereThatPays) {
  const OperatorGraph graph = *Tiny({});
  const PartitionResult partition = *PartitionGraph(graph);
  const std::vector<NetworkTask> tasks =
      *MakeNetworkTasks(partition, SampleHostTarget(), {.names = {"direct"}});
  const auto claims = [&](bool cheap, const NetworkOptions& options) {
    TargetSpec target = SampleHostTarget();
    target.cheap_shared_writes = cheap;
    return Network::Build(graph, partition, tasks,
                          *DefaultSchedules(tasks, SampleHostTarget()), target,
                          options)
        ->claims_memory();
  };
  EXPECT_TRUE(claims(false, {}));
  EXPECT_FALSE(claims(true, {}));
  EXPECT_TRUE(claims(true, {.claim_memory = true}));
  EXPECT_FALSE(claims(false, {.claim_memory = false}));
}

TEST(NetworkTest, TinyNetworkWithItsBatchNorms) {
  const OperatorGraph original = *Tiny({});
  ExpectAgrees(original, BuildWithDefaults(original));
}

TEST(NetworkTest, RunsAreRepeatable) {
  const OperatorGraph graph = *Simplify(*Tiny({}));
  absl::StatusOr<Network> network = BuildWithDefaults(graph, {.threads = 2});
  ASSERT_TRUE(network.ok()) << network.status();
  const std::vector<Array> inputs = RandomInputs(graph, 3);
  const std::vector<double> first = (*RunOnArrays(*network, inputs))[0];
  // Something else in between, so that the arena is dirty.
  const std::vector<Array> others = RandomInputs(graph, 4);
  EXPECT_NE((*RunOnArrays(*network, others))[0], first);
  EXPECT_EQ((*RunOnArrays(*network, inputs))[0], first);
}

TEST(NetworkTest, ConcatenationsCopyNothing) {
  GraphBuilder b("branches");
  const TensorId x = b.Input("x", {1, 6, 6, 16});
  const auto branch = [&](TensorId input, const std::string& name,
                          int64_t channels) {
    const TensorId w =
        b.Constant(name + ".w", {3, 3, b.ChannelsOf(input), channels},
                   {RandomValues{.seed = 1, .low = -1}});
    return b.Relu(
        name, b.Conv2d(name + ".conv", input, w, {.padding = {1, 1, 1, 1}}));
  };
  const TensorId join = b.Apply(
      "join", Concat{.axis = 3},
      {branch(x, "first", 32), branch(x, "second", 32),
       b.MaxPool2d("pool", x, {.kernel = {3, 3}, .padding = {1, 1, 1, 1}}),
       branch(x, "third", 20)});
  // The same kernel, dense.
  b.Output(b.Add("sum", branch(x, "fourth", 32), branch(join, "fifth", 32)));
  b.Output(join);
  const OperatorGraph graph = *std::move(b).Build();
  absl::StatusOr<Network> network = BuildWithDefaults(graph, {.threads = 2});
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_EQ(network->kernel_names().size(), 6u);
  const PartitionResult partition = *PartitionGraph(graph);
  const absl::StatusOr<std::vector<KernelError>> errors = CompareKernels(
      graph, partition,
      *MakeNetworkTasks(partition, SampleHostTarget(), {.names = {"direct"}}),
      NetworkInputs::kRandom, *network);
  ASSERT_TRUE(errors.ok()) << errors.status();
  EXPECT_EQ(errors->size(), 6u);
  for (const KernelError& error : *errors)
    EXPECT_FALSE(error.is_wrong()) << error.kernel << " " << error.relative;
  ExpectAgrees(graph, std::move(network));
}

TEST(NetworkTest, ViewsOutputsAndSharedTensors) {
  GraphBuilder b("views");
  const TensorId x = b.Input("x", {1, 4, 4, 8});
  const TensorId w =
      b.Constant("w", {3, 3, 8, 8}, {RandomValues{.seed = 1, .low = -1}});
  const Conv2d same = {.padding = {1, 1, 1, 1}};
  // The input is the residual, too, and so is an intermediate tensor.
  const TensorId y = b.Add("y", b.Conv2d("conv1", x, w, same), x);
  const TensorId z = b.Add("z", y, b.Conv2d("conv2", y, w, same));
  // Views between kernels, of an input, of an output and of a constant.
  const TensorId rows = b.Reshape("rows", z, {16, 8});
  const TensorId dense_weights =
      b.Constant("dense_weights", {8, 16}, {RandomValues{.seed = 2}});
  b.Output(b.Flatten("flat", b.Dense("dense", rows, dense_weights)));
  b.Output(z);
  b.Output(b.Flatten("flat_z", z));
  b.Output(b.Identity("same_x", x));
  b.Output(b.Reshape("vector", dense_weights, {128}));
  // Weights through a view are read as they are.
  b.Output(b.Dense(
      "dense2", rows,
      b.Reshape("square", b.Constant("values", {64}, {RandomValues{.seed = 3}}),
                {8, 8})));
  const OperatorGraph graph = *std::move(b).Build();
  ExpectAgrees(graph, BuildWithDefaults(graph));
}

TEST(NetworkTest, RandomNetworks) {
  for (const uint64_t seed : {1, 2, 3, 4}) {
    SCOPED_TRACE(seed);
    const OperatorGraph graph = RandomGraph(seed);
    ExpectAgrees(graph, BuildWithDefaults(graph));
  }
}

TEST(NetworkTest, TimesEachKernel) {
  const OperatorGraph graph = *Simplify(*Tiny({}));
  absl::StatusOr<Network> network = BuildWithDefaults(graph);
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_EQ(network->kernel_names().size(), 9u);
  EXPECT_EQ(network->kernel_names().back(), "softmax_10");
  EXPECT_GT(network->constant_bytes(), 0u);
  const TensorBuffer input(network->inputs()[0]);
  const TensorBuffer output(network->outputs()[0]);
  FakeClock clock;  // stands still
  const absl::StatusOr<std::vector<double>> seconds =
      network->RunTimed({input.data()}, {output.data()}, clock);
  ASSERT_TRUE(seconds.ok()) << seconds.status();
  EXPECT_EQ(*seconds, std::vector<double>(9, 0.0));
  EXPECT_NEAR(absl::c_accumulate(output.view().Values(), 0.0), 1, 1e-6);
}

TEST(NetworkTest, RefusesBuffersThatKernelsCannotUse) {
  GraphBuilder b("relu");
  b.Output(b.Relu("y", b.Input("x", {32})));
  absl::StatusOr<Network> network = BuildWithDefaults(*std::move(b).Build());
  ASSERT_TRUE(network.ok()) << network.status();
  const TensorBuffer input({.size = 33}), output({.size = 32});
  EXPECT_EQ(
      network->Run({static_cast<float*>(input.data()) + 1}, {output.data()})
          .message(),
      "input 0 is not at a multiple of 64 bytes: use TensorBuffer");
  EXPECT_EQ(network->Run({input.data()}, {nullptr}).message(),
            "output 0 is not at a multiple of 64 bytes: use TensorBuffer");
  EXPECT_EQ(network->Run({}, {output.data()}).message(),
            "the network has 1 inputs, not 0");
  EXPECT_TRUE(network->Run({input.data()}, {output.data()}).ok());
}

TEST(NetworkTest, NamesTheWorkloadWithoutASchedule) {
  const OperatorGraph graph = *Simplify(*Tiny({}));
  const PartitionResult partition = *PartitionGraph(graph);
  const std::vector<NetworkTask> tasks =
      *MakeNetworkTasks(partition, SampleHostTarget(), {.names = {"direct"}});
  SchedulesByWorkload schedules = *DefaultSchedules(tasks, SampleHostTarget());
  schedules.erase(tasks[1].workload.key);
  const absl::StatusOr<Network> network =
      Network::Build(graph, partition, tasks, schedules, SampleHostTarget());
  EXPECT_TRUE(absl::IsNotFound(network.status()));
  EXPECT_EQ(
      network.status().message(),
      "max_pool_3x3_s1_8x8x8: there is no schedule for it; tune it first");
}

TEST(VerifyTest, LargestDifferences) {
  const OutputError error = CompareOutput("y", {1, 2, -4}, {1, 2.5, -5});
  EXPECT_EQ(error.output, "y");
  EXPECT_EQ(error.max_absolute, 1);
  EXPECT_EQ(error.relative, 0.2);
  EXPECT_EQ(CompareOutput("y", {0}, {0}).relative, 0);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isinf(CompareOutput("y", {nan, 1}, {1, 1}).relative));
}

// The errors of the tiny network's kernels; `after_step` may change what they
// write.
std::vector<KernelError> KernelErrorsOfTiny(
    const std::string& formulation, NetworkInputs inputs,
    const std::function<void(size_t, const TensorView&)>& after_step = {}) {
  const OperatorGraph graph = *Simplify(*Tiny({}));
  const PartitionResult partition = *PartitionGraph(graph);
  const std::vector<NetworkTask> tasks = *MakeNetworkTasks(
      partition, SampleHostTarget(), {.names = {formulation}});
  Network network = *Network::Build(
      graph, partition, tasks, *DefaultSchedules(tasks, SampleHostTarget()),
      SampleHostTarget());
  return *CompareKernels(graph, partition, tasks, inputs, network,
                         {.after_step = after_step});
}

TEST(VerifyKernelsTest, RoundingIsNoError) {
  for (const std::string formulation : {"direct", "winograd_f4"}) {
    for (const NetworkInputs inputs : kAllNetworkInputs) {
      SCOPED_TRACE(testing::Message()
                   << formulation << ", " << NetworkInputsName(inputs));
      const std::vector<KernelError> errors =
          KernelErrorsOfTiny(formulation, inputs);
      EXPECT_EQ(errors.size(), 9u);
      for (const KernelError& error : errors) {
        EXPECT_FALSE(error.is_wrong())
            << error.kernel << " " << error.relative << " " << error.tolerance;
      }
    }
  }
}

// What a softmax makes of scores in the hundreds depends on their last bits.
TEST(VerifyKernelsTest, InputsAreWhatTheKernelsBeforeCanWrite) {
  GraphBuilder builder("net");
  const TensorId w = builder.Constant(
      "w", {64, 8}, {RandomValues{.seed = 3, .low = -90, .high = 90}});
  builder.Output(builder.Softmax(
      "y", builder.Dense("scores", builder.Input("x", {32, 64}), w)));
  const OperatorGraph graph = *std::move(builder).Build();
  const PartitionResult partition = *PartitionGraph(graph);
  ASSERT_EQ(partition.instances.size(), 2u);
  const std::vector<NetworkTask> tasks =
      *MakeNetworkTasks(partition, SampleHostTarget(), {.names = {"direct"}});
  Network network = *Network::Build(
      graph, partition, tasks, *DefaultSchedules(tasks, SampleHostTarget()),
      SampleHostTarget());
  for (const NetworkInputs inputs : kAllNetworkInputs) {
    const std::vector<KernelError> errors =
        *CompareKernels(graph, partition, tasks, inputs, network);
    for (const KernelError& error : errors) {
      EXPECT_FALSE(error.is_wrong())
          << error.kernel << " " << error.relative << " " << error.tolerance;
    }
  }
}

// Of one channel, by a hundredth of the largest value.
TEST(VerifyKernelsTest, AWrongPixelIsNamedWithItsKernel) {
  for (size_t wrong = 0; wrong < 9; ++wrong) {
    const std::vector<KernelError> errors =
        KernelErrorsOfTiny("direct", NetworkInputs::kRandom,
                           [&](size_t step, const TensorView& written) {
                             if (step != wrong) return;
                             std::vector<double> values = written.Values();
                             double largest = 0;
                             for (const double value : values)
                               largest = std::max(largest, std::abs(value));
                             values[1] += 0.01 * largest;
                             written.Assign(values);
                           });
    const auto first =
        std::find_if(errors.begin(), errors.end(),
                     [](const KernelError& error) { return error.is_wrong(); });
    ASSERT_NE(first, errors.end()) << wrong;
    EXPECT_EQ(first->step, wrong);
    EXPECT_EQ(first->element, 1);
    EXPECT_NEAR(first->relative, 0.01, 1e-4);
  }
}

TEST(VerifyTest, NoticesWrongWeights) {
  const OperatorGraph graph = *Tiny({.seed = 1});
  const OperatorGraph other = *Tiny({.seed = 2});
  absl::StatusOr<Network> network = BuildWithDefaults(*Simplify(other));
  ASSERT_TRUE(network.ok()) << network.status();
  const absl::StatusOr<std::vector<OutputError>> errors =
      CompareWithInterpreter(graph, *network, 1, 1);
  ASSERT_TRUE(errors.ok()) << errors.status();
  EXPECT_GT((*errors)[0].relative, 1e-2);
  EXPECT_EQ(CompareWithInterpreter(*Tiny({.batch = 2}), *network, 1, 1)
                .status()
                .message(),
            "the inputs of 'tiny' are not those of the network it is compared "
            "with");
}

}  // namespace
}  // namespace pruner
