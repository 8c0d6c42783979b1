#include "models/graph/graph_text.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/graph/graph_builder.h"

namespace pruner {
namespace {

// Appends every elementwise operator but those that EveryKind has.
TensorId EveryElementwise(GraphBuilder& b, TensorId x) {
  const auto apply = [&](const Operator& op,
                         const std::vector<TensorId>& inputs) {
    return b.Apply(KindOf(op).task_name, op, inputs);
  };
  for (const Operator& op :
       std::vector<Operator>{Neg{},
                             Abs{},
                             Sign{},
                             Floor{},
                             Ceil{},
                             Round{},
                             Exp{},
                             Log{},
                             Sqrt{},
                             Reciprocal{},
                             Erf{},
                             Sin{},
                             Cos{},
                             Tan{},
                             Asin{},
                             Acos{},
                             Atan{},
                             Sinh{},
                             Cosh{},
                             Asinh{},
                             Acosh{},
                             Atanh{},
                             Selu{.alpha = 1.5, .gamma = 1.25},
                             Celu{.alpha = 0.5},
                             Mish{},
                             Softsign{},
                             ThresholdedRelu{.alpha = 0.75},
                             Shrink{.bias = 0.1, .lambd = 0.2},
                             Swish{.alpha = 1.5}}) {
    x = apply(op, {x});
  }
  const TensorId y = x;
  for (const Operator& op :
       std::vector<Operator>{Sub{}, Mul{}, Div{}, Min{}, Max{}, Mod{},
                             FloatMod{}, Pow{}, PRelu{}}) {
    x = apply(op, {x, y});
  }
  const TensorId whole = apply(CastToInt64{}, {x});
  TensorId chosen = apply(CastToBool{}, {apply(IntDiv{}, {whole, whole})});
  for (const Operator& op : std::vector<Operator>{
           Equal{}, Greater{}, GreaterOrEqual{}, Less{}, LessOrEqual{}}) {
    chosen = b.Apply(absl::StrCat("and_", KindOf(op).task_name), And{},
                     {chosen, apply(op, {x, y})});
  }
  chosen =
      apply(Xor{}, {apply(Or{}, {chosen, apply(Not{}, {chosen})}), chosen});
  return apply(Where{}, {chosen, apply(CastToFloat{}, {whole}), x});
}

// Nodes of the kinds of windows on tensors of other ranks.
void AddWindows(GraphBuilder& b) {
  const auto weights = [&](const std::string& name, const Shape& shape) {
    return b.Constant(name, shape, {RandomValues{.seed = 7}});
  };
  TensorId x = b.Apply(
      "conv3d",
      Conv3d{.stride = {1, 2, 1},
             .padding = {1, 2, 3, 3, 2, 1},
             .dilation = {1, 1, 2},
             .groups = 2},
      {b.Input("volume", {1, 4, 4, 4, 4}), weights("w3", {2, 2, 2, 2, 4})});
  x = b.Apply("max3",
              Pool{.windows = {.kernel = {2, 2, 2},
                               .stride = {2, 1, 1},
                               .dilation = {1, 2, 1},
                               .padding_before = {0, 1, 0},
                               .padding_after = {1, 0, 0},
                               .out = {2, 2, 2}}},
              {x});
  b.Output(b.Apply("global_max", GlobalMaxPool{}, {x}));
  x = b.Apply("up",
              ConvTranspose2d{.stride = {2, 3},
                              .padding = {1, 0, 1, 1},
                              .dilation = {2, 1},
                              .groups = 2,
                              .output_padding = {0, 2}},
              {b.Input("small", {1, 3, 3, 4}), weights("w_up", {3, 3, 2, 6})});
  x = b.Apply("lrn", Lrn{.size = 3, .alpha = 0.5, .beta = 2, .bias = 4}, {x});
  x = b.Apply("lp",
              Pool{.kind = "lp",
                   .p = 3,
                   .windows = {.kernel = {2, 2}},
                   .count_include_pad = true},
              {x});
  b.Output(b.Apply("arg_max",
                   ArgMaxPool{{.kernel = {2, 2},
                               .stride = {1, 2},
                               .dilation = {1, 1},
                               .padding_before = {1, 0},
                               .padding_after = {0, 1},
                               .out = {2, 1}}},
                   {x}));
}

// A graph with a node of every kind.
OperatorGraph EveryKind() {
  GraphBuilder b("every kind");
  uint64_t seed = 0;
  const auto constant = [&](const std::string& name, const Shape& shape) {
    return b.Constant(name, shape,
                      {RandomValues{.seed = ++seed, .low = 0.1, .high = 0.3}});
  };
  const TensorId image = b.Input("image", {1, 9, 9, 4});
  TensorId x = b.Conv2d("conv", image, constant("w", {3, 3, 2, 4}),
                        {.stride = {1, 2},
                         .padding = {1, 2, 3, 4},
                         .dilation = {2, 1},
                         .groups = 2});
  x = b.BatchNorm("norm", x, constant("scale", {4}), constant("shift", {4}),
                  constant("mean", {4}), constant("variance", {4}),
                  {.epsilon = 1e-3});
  const TensorId bias = b.Constant("bias", {4},
                                   {MakeExplicit({0.1f, -1e-30f, 3, 4}),
                                    {1.0 / 3, 2, 3, 4},
                                    {0.1, 0, 0, 0}});
  x = b.Relu6("relu6", b.Relu("relu", b.BiasAdd("biased", x, bias)));
  x = b.Apply("leaky", LeakyRelu{.alpha = 0.2}, {x});
  x = b.Apply("elu", Elu{.alpha = 0.3}, {x});
  x = b.Apply("sigmoid", Sigmoid{}, {x});
  x = b.Apply("hard_sigmoid", HardSigmoid{.alpha = 0.25, .beta = 0.4}, {x});
  x = b.Apply("hard_swish", HardSwish{}, {x});
  x = b.Apply("silu", Silu{}, {x});
  x = b.Apply("tanh", Tanh{}, {x});
  x = b.Apply("gelu", Gelu{}, {x});
  x = b.Apply("softplus", Softplus{}, {x});
  x = b.Apply("clip", Clip{.low = 0.5, .high = 0.75}, {x});
  x = EveryElementwise(b, x);
  x = b.Add("add", b.Identity("same", x), x);
  x = b.MaxPool2d(
      "max_pool", x,
      {.kernel = {3, 2}, .stride = {1, 1}, .padding = {1, 0, 2, 1}});
  x = b.AvgPool2d("avg", x,
                  {.kernel = {2, 2},
                   .stride = {2, 2},
                   .padding = {0, 1, 0, 1},
                   .count_include_pad = true});
  x = b.Flatten("flat", b.GlobalAvgPool("pool", x));
  x = b.Softmax("prob", b.Dense("fc", x, constant("fc_w", {4, 3})));
  x = b.Apply("scores", MatMul{.transpose_left = true, .transpose_right = true},
              {x, constant("keys", {5, 1})});
  x = b.Apply("layer", LayerNorm{.axis = 1, .epsilon = 0.1},
              {x, constant("layer_scale", {5}), constant("layer_bias", {5})});
  x = b.Apply("rms", RmsNorm{.axis = 1, .epsilon = 0.2},
              {x, constant("rms_scale", {5})});
  x = b.Apply("normal", Normalize{.axis = 1, .epsilon = 0.3}, {x});
  const TensorId index = b.Input("index", {1, 1}, DataType::kInt64);
  x = b.Apply("transpose", Transpose{.perm = {1, 0}}, {x});
  x = b.Apply("concat", Concat{.axis = 1}, {x, x});
  x = b.Apply("slice",
              Slice{.starts = {2, 0}, .extents = {2, 2}, .steps = {-1, 1}},
              {x});
  x = b.Apply("expand", Expand{.shape = {2, 2, 2}}, {x});
  x = b.Apply("pad",
              Pad{.before = {0, 1, 0},
                  .after = {1, 0, 0},
                  .mode = "edge",
                  .value = 0.5},
              {x});
  x = b.Apply("gather_nd", GatherNd{}, {x, index});
  x = b.Apply("gather", Gather{.axis = 1}, {x, index});
  x = b.Reshape("matrix", x, {1, 2});
  x = b.Apply("gather_elements", GatherElements{.axis = 1}, {x, index});
  x = b.Apply("resize",
              Resize{.mode = "cubic",
                     .sizes = {3, 4},
                     .scales = {3, 4},
                     .coordinates = "tf_crop_and_resize",
                     .roi = {0, 0.25, 1, 0.5},
                     .extrapolation_value = 2,
                     .nearest_mode = "ceil",
                     .cubic_coeff_a = -0.5,
                     .exclude_outside = true},
              {x});
  x = b.Apply("trilu", Trilu{.upper = false, .k = -1}, {x});
  x = b.Apply("cum_sum", CumSum{.axis = 1, .exclusive = true, .reverse = true},
              {x});
  b.Output(
      b.Apply("values", TopKValues{.axis = 1, .k = 2, .largest = false}, {x}));
  b.Output(b.Apply("indices", TopKIndices{.axis = 1, .k = 2, .largest = false},
                   {x}));
  b.Output(b.Apply("arg",
                   ArgReduce{.kind = "min",
                             .axis = 1,
                             .keepdims = true,
                             .select_last_index = true},
                   {x}));
  x = b.Apply("reduce",
              Reduce{.kind = "log_sum_exp", .axes = {1}, .keepdims = true},
              {x});
  x = b.Apply("one_hot", OneHot{.axis = 1, .depth = 3},
              {index, constant("off_on", {2})});
  b.Output(x);
  AddWindows(b);
  absl::StatusOr<OperatorGraph> graph = std::move(b).Build();
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

TEST(GraphTextTest, EveryKindRoundTrips) {
  const OperatorGraph graph = EveryKind();
  const std::string text = PrintGraph(graph);
  const absl::StatusOr<OperatorGraph> parsed = ParseGraph(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(PrintGraph(*parsed), text);
  EXPECT_EQ(StructureHash(*parsed), StructureHash(graph));
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    EXPECT_EQ(parsed->nodes[i].op, graph.nodes[i].op)
        << graph.NameOf(graph.nodes[i]);
  }
  // Once numbered as the parser does, the very same value.
  const absl::StatusOr<OperatorGraph> again = ParseGraph(PrintGraph(*parsed));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *parsed);
}

TEST(GraphTextTest, MissingAttributesHaveDefaults) {
  const absl::StatusOr<OperatorGraph> graph = ParseGraph(R"pb(
    name: "small"
    inputs {
      name: "x"
      shape: [ 1, 4, 4, 2 ]
    }
    constants {
      name: "w"
      shape: [ 1, 1, 2, 3 ]
      random { low: -1 high: 1 }
    }
    nodes {
      name: "y"
      inputs: [ "x", "w" ]
      conv2d {}
    }
    outputs: "y")pb");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->nodes[0].op, Operator(Conv2d{}));
  EXPECT_EQ(graph->ShapeOf(graph->outputs[0]), (Shape{1, 4, 4, 3}));
}

std::string Error(const std::string& text) {
  return std::string(ParseGraph(text).status().message());
}

TEST(GraphTextTest, ErrorsNameNodeAndField) {
  const std::string input =
      "name: 'n' inputs { name: 'x' shape: [1, 4, 4, 2] } ";
  EXPECT_EQ(Error(input + "nodes { name: 'y' inputs: 'x' } outputs: 'y'"),
            "node \"y\" has no operator");
  EXPECT_EQ(
      Error(input + "nodes { name: 'y' inputs: 'z' relu {} } outputs: 'y'"),
      "graph \"n\", node \"y\" reads \"z\", which is not an input, a constant "
      "or a "
      "node before it");
  EXPECT_EQ(
      Error(input +
            "nodes { name: 'y' inputs: 'x' max_pool2d { kernel { h: 2 } } }"
            " outputs: 'y'"),
      "graph \"n\", node \"y\", MaxPool2d(kernel=2,0 stride=1,1 "
      "padding=0,0,0,0) of "
      "{1, 4, 4, 2}: kernel.w = 0 is not between 1 and 1073741824");
  EXPECT_EQ(
      Error(input + "outputs: 'q'"),
      "graph \"n\", the list of outputs reads \"q\", which is not an input, a "
      "constant or a node before it");
  EXPECT_EQ(Error(input + "constants { name: 'c' shape: 2 } outputs: 'x'"),
            "constant \"c\" has neither values nor random");
  EXPECT_EQ(
      Error(input + "constants { name: 'c' shape: 2 values { value: 1 } } "
                    "outputs: 'x'"),
      "graph \"n\", constant \"c\": values has 1 elements, the shape 2");
  EXPECT_THAT(
      Error("name: 'n'\n  nods {}"),
      testing::MatchesRegex(
          "not the text of an operator graph: line 2, column .*: Message "
          "type .* has no field named \"nods\"."));
}

}  // namespace
}  // namespace pruner
