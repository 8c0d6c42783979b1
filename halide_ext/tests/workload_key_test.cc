// Keys of workloads: different computations have different ones, whatever they
// have in common; the same computation has the same one, whatever it is called
// and whoever analyses it.
#include "pruner/workload/workload_key.h"

#include <functional>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "halide_ext/analyze/sample_pipelines.h"
#include "halide_ext/build/kernel.h"
#include "halide_ext/tests/random_pipeline.h"
#include "pruner/workload/workload.h"

namespace pruner {
namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;

constexpr int kSize = 16;

ImageParam Input(Halide::Type type = Halide::Float(32), int rank = 1) {
  ImageParam input(type, rank);
  for (int d = 0; d < rank; ++d) input.dim(d).set_bounds(0, kSize);
  return input;
}

Pipeline Bounded(Func out) {
  for (const Var& arg : out.args()) out.bound(arg, 0, kSize);
  return Pipeline(out);
}

WorkloadKey KeyOf(const Pipeline& pipeline) {
  const absl::StatusOr<Workload> workload = MakeWorkload("test", pipeline);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return workload->key;
}

// out(x) = value(a(x), b(x), x).
using Value = std::function<Expr(Expr, Expr, Expr)>;
Pipeline Pointwise(const Value& value, Halide::Type type = Halide::Float(32)) {
  const ImageParam a = Input(type), b = Input(type);
  const Var x("x");
  Func out("out");
  out(x) = value(a(x), b(x), x);
  return Bounded(out);
}

// A sum of 16 elements by `update` of what is there and what is read.
Pipeline Reduced(const std::function<Expr(Expr, Expr)>& update,
                 const Expr& initial) {
  const ImageParam a = Input(Halide::Float(32), 2);
  const Var x("x");
  const RDom r(0, kSize);
  Func sum("sum"), out("out");
  sum(x) = initial;
  sum(x) = update(sum(x), a(r, x));
  out(x) = sum(x);
  return Bounded(out);
}

Pipeline Table(const std::vector<float>& values) {
  Halide::Buffer<float> table(static_cast<int>(values.size()));
  for (int i = 0; i < table.width(); ++i) table(i) = values[i];
  const ImageParam a = Input();
  const Var x("x");
  Func out("out");
  out(x) = a(x) * table(x % table.width());
  return Bounded(out);
}

// Two stages, of which `first` comes first.
Pipeline Chain(const std::function<Expr(Expr)>& first,
               const std::function<Expr(Expr)>& second) {
  const ImageParam a = Input();
  const Var x("x");
  Func one("one"), two("two");
  one(x) = first(a(x));
  two(x) = second(one(x));
  return Bounded(two);
}

Pipeline Indexed(const std::function<Expr(Expr)>& index) {
  const ImageParam a = Input();
  const Var x("x");
  Func out("out");
  out(x) = a(clamp(index(x), 0, kSize - 1));
  return Bounded(out);
}

Pipeline Updated(int times, bool predicated) {
  const ImageParam a = Input();
  const Var x("x");
  Func out("out");
  out(x) = a(x);
  RDom r(0, 4);
  if (predicated) r.where(r.x != 2);
  for (int i = 0; i < times; ++i) out(r) = out(r) + 1.0f;
  return Bounded(out);
}

Pipeline Extern(const std::string& function, int number) {
  const ImageParam a = Input();
  const Var x("x");
  Func in("in"), black("black"), out("out");
  in(x) = a(x) + 1.0f;
  in.bound(x, 0, kSize);
  black.define_extern(function, {in, number}, Halide::Float(32), 1);
  out(x) = black(x);
  return Bounded(out);
}

struct Pair {
  std::string name;
  std::function<Pipeline()> one;
  std::function<Pipeline()> other;
};

std::vector<Pair> Pairs() {
  const auto pointwise = [](const Value& value) {
    return [value] { return Pointwise(value); };
  };
  const auto as = [](Halide::Type type) {
    return [type] {
      return Pointwise(
          [](const Expr& a, const Expr& b, const Expr&) { return a + b; },
          type);
    };
  };
  const auto reduced = [](const std::function<Expr(Expr, Expr)>& update,
                          float initial) {
    return [=] { return Reduced(update, initial); };
  };
  const auto relu = [](const Expr& e) { return max(e, 0.0f); };
  const auto bias = [](const Expr& e) { return e + 1.0f; };
  const auto sum = [](const Expr& s, const Expr& v) { return s + v; };
#define OF(expression)                                        \
  pointwise([](const Expr& a, const Expr& b, const Expr& x) { \
    (void)a, (void)b, (void)x;                                \
    return Expr(expression);                                  \
  })
  return {
      {"add, sub", OF(a + b), OF(a - b)},
      {"mul, div", OF(a * b), OF(a / b)},
      {"min, max", OF(min(a, b)), OF(max(a, b))},
      {"exp, tanh", OF(exp(a)), OF(tanh(a))},
      {"log, sqrt", OF(log(a)), OF(sqrt(a))},
      {"abs, negated", OF(abs(a)), OF(-a)},
      {"less, less or equal", OF(select(a < b, a, b)),
       OF(select(a <= b, a, b))},
      {"branches", OF(select(a < b, a, b)), OF(select(a < b, b, a))},
      {"and, or", OF(select(a < b && a < 1.0f, a, b)),
       OF(select(a < b || a < 1.0f, a, b))},
      {"order of operands", OF(a * (a - b)), OF(a * (b - a))},
      {"order of a sum's operands", OF(a + b * 2.0f), OF(b * 2.0f + a)},
      {"association", OF((a + b) + 1.0f), OF(a + (b + 1.0f))},
      {"constant", OF(a + 1.0f), OF(a + 2.0f)},
      {"sign of a constant", OF(a * 0.5f), OF(a * -0.5f)},
      {"epsilon", OF(a / sqrt(b + 1e-5f)), OF(a / sqrt(b + 1e-3f))},
      {"slope", OF(select(a > 0.0f, a, a * 0.01f)),
       OF(select(a > 0.0f, a, a * 0.2f))},
      {"which input", OF(a * a + b), OF(a * b + b)},
      {"coordinate", OF(a + cast<float>(x)), OF(a + cast<float>(x + 1))},
      {"type of the elements", as(Halide::Float(32)), as(Halide::Int(32))},
      {"width of the elements", as(Halide::UInt(8)), as(Halide::UInt(16))},
      {"sign of the elements", as(Halide::Int(16)), as(Halide::UInt(16))},
      {"cast", OF(cast<float>(cast<int>(a))),
       OF(cast<float>(cast<int16_t>(a)))},
      {"reduction", reduced(sum, 0.0f),
       reduced([](const Expr& s, const Expr& v) { return max(s, v); }, 0.0f)},
      {"initialization", reduced(sum, 0.0f), reduced(sum, 1.0f)},
      {"body", reduced(sum, 0.0f),
       reduced([](const Expr& s, const Expr& v) { return s + v * v; }, 0.0f)},
      {"order of stages", [=] { return Chain(relu, bias); },
       [=] { return Chain(bias, relu); }},
      {"contents of a table", [] { return Table({1, 2, 3}); },
       [] { return Table({1, 2, 4}); }},
      {"order in a table", [] { return Table({1, 2}); },
       [] { return Table({2, 1}); }},
      {"offset of an index",
       [] { return Indexed([](const Expr& x) { return x + 1; }); },
       [] { return Indexed([](const Expr& x) { return x + 2; }); }},
      {"index that nobody understands",
       [] { return Indexed([](const Expr& x) { return x * x; }); },
       [] { return Indexed([](const Expr& x) { return x * x * x; }); }},
      {"number of updates", [] { return Updated(2, false); },
       [] { return Updated(3, false); }},
      {"predicate", [] { return Updated(2, false); },
       [] { return Updated(2, true); }},
      {"extern function", [] { return Extern("f", 1); },
       [] { return Extern("g", 1); }},
      {"number given to an extern function", [] { return Extern("f", 1); },
       [] { return Extern("f", 2); }},
  };
#undef OF
}

TEST(WorkloadKeyTest, ComputationsThatDifferInOneThingHaveDifferentKeys) {
  const std::vector<Pair> pairs = Pairs();
  EXPECT_GE(pairs.size(), 30u);
  for (const Pair& pair : pairs) {
    // The pipeline is made anew, with other unique names.
    EXPECT_EQ(KeyOf(pair.one()), KeyOf(pair.one())) << pair.name;
    EXPECT_NE(KeyOf(pair.one()), KeyOf(pair.other())) << pair.name;
  }
}

// `names` are of input, other input, first, second stage, output, variables.
Pipeline Named(const std::vector<std::string>& names) {
  ImageParam a(Halide::Float(32), 2, names[0]),
      b(Halide::Float(32), 2, names[1]);
  for (ImageParam* input : {&a, &b}) {
    input->dim(0).set_bounds(0, kSize);
    input->dim(1).set_bounds(0, kSize);
  }
  const Var x(names[5]), y(names[6]);
  const RDom r(0, kSize, names[7]);
  Func left(names[2]), right(names[3]), out(names[4]);
  left(x, y) += a(r, y) * b(x, r);
  right(x, y) = a(x, y) * 2.0f;
  // The second is named first.
  out(x, y) = right(x, y) - left(x, y);
  return Bounded(out);
}

TEST(WorkloadKeyTest, NamesDoNotMatter) {
  const WorkloadKey key =
      KeyOf(Named({"a", "b", "left", "right", "out", "x", "y", "r"}));
  const std::vector<std::vector<std::string>> others = {
      {"b", "a", "left", "right", "out", "x", "y", "r"},
      {"a", "b", "z", "a1", "out", "x", "y", "r"},
      {"a", "b", "a1", "z", "out", "x", "y", "r"},
      {"z", "y1", "x1", "w", "v", "y", "x", "q"},
      {"in0", "in1", "op", "op0", "aaa", "i", "j", "k"},
  };
  for (const auto& names : others) EXPECT_EQ(KeyOf(Named(names)), key);
}

TEST(WorkloadKeyTest, EstimatesDoNotMatter) {
  const auto conv = [](bool estimated) {
    Pipeline pipeline = MatmulReluPipeline(8, 8, 8);
    for (Func out : pipeline.outputs()) {
      if (!estimated) break;
      for (const Var& arg : out.args()) out.set_estimate(arg, 0, 1000);
    }
    return KeyOf(pipeline);
  };
  EXPECT_EQ(conv(true), conv(false));
}

TEST(WorkloadKeyTest, EarlierSchedulesDoNotMatter) {
  Pipeline scheduled = ConvBiasReluPipeline({.size = 8});
  for (Func out : scheduled.outputs()) out.vectorize(out.args()[0], 8);
  EXPECT_EQ(KeyOf(scheduled), KeyOf(ConvBiasReluPipeline({.size = 8})));
}

// What the tuner analyses has been a pipeline all along, what a worker
// analyses was bytes before.
class RandomWorkloadKeyTest : public testing::TestWithParam<int> {};

constexpr int kPipelinesOfAShard = 250;

TEST_P(RandomWorkloadKeyTest, WhoeverAnalysesAPipelineFindsTheSameKey) {
  int compared = 0;
  for (int i = 0; i < kPipelinesOfAShard; ++i) {
    const uint64_t seed = 40000 + GetParam() * kPipelinesOfAShard + i;
    const RandomPipeline random = MakeRandomPipeline(seed);
    const absl::StatusOr<Workload> workload =
        MakeWorkload("random", random.pipeline);
    ASSERT_TRUE(workload.ok()) << workload.status() << random.text;
    const auto loaded = WorkloadPipeline::Load(workload->pipeline);
    ASSERT_TRUE(loaded.ok()) << loaded.status() << random.text;
    EXPECT_EQ(KeyOf(loaded->analyzed().dag), workload->key)
        << "seed " << seed << "\n"
        << random.text << workload->dag.ToString()
        << loaded->analyzed().dag.ToString();
    ++compared;
  }
  EXPECT_EQ(compared, kPipelinesOfAShard);
}

INSTANTIATE_TEST_SUITE_P(Shards, RandomWorkloadKeyTest, testing::Range(0, 4));

}  // namespace
}  // namespace pruner
