#include "halide_ext/passes/stream_inputs.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

namespace ir = Halide::Internal;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

// The elements that are prefetched, by the values of the loops around.
class Prefetches : public ir::IRMutator {
 public:
  explicit Prefetches(std::vector<std::vector<int64_t>>* elements)
      : elements_(elements) {}

 protected:
  using IRMutator::visit;
  ir::Stmt visit(const ir::For* op) override {
    const Expr min = Value(op->min), extent = Value(op->extent);
    const auto* begin = min.as<ir::IntImm>();
    const auto* count = extent.as<ir::IntImm>();
    EXPECT_TRUE(begin != nullptr && count != nullptr);
    if (begin == nullptr || count == nullptr) return op;
    for (int64_t i = 0; i < count->value; ++i) {
      values_[op->name] = static_cast<int>(begin->value + i);
      mutate(op->body);
    }
    values_.erase(op->name);
    return op;
  }
  ir::Stmt visit(const ir::LetStmt* op) override {
    values_[op->name] = Value(op->value);
    mutate(op->body);
    values_.erase(op->name);
    return op;
  }
  ir::Stmt visit(const ir::Evaluate* op) override {
    const auto* call = op->value.as<ir::Call>();
    if (call == nullptr || call->name != kPrefetch) return op;
    const auto* address = call->args[0].as<ir::Reinterpret>();
    EXPECT_NE(address, nullptr);
    const auto* sum = address->value.as<ir::Add>();
    EXPECT_NE(sum, nullptr);
    const auto* begin = sum->a.as<ir::Reinterpret>()->value.as<ir::Variable>();
    EXPECT_EQ(begin->name, "w");
    const Expr bytes = Value(sum->b);
    const auto* offset = bytes.as<ir::UIntImm>();
    EXPECT_NE(offset, nullptr) << bytes;
    if (offset != nullptr)
      elements_->back().push_back(static_cast<int64_t>(offset->value / 4));
    return op;
  }
  ir::Stmt visit(const ir::Store* op) override { return op; }

 private:
  Expr Value(const Expr& expr) const {
    return ir::simplify(ir::substitute(values_, expr));
  }

  std::vector<std::vector<int64_t>>* elements_;
  std::map<std::string, Expr> values_;
};

// f(x, y) = sum of w(r, x) for r < 64, x < 4; of w there are `columns`.
struct Sums {
  explicit Sums(int columns) {
    f(x, y) = 0.F;
    f(x, y) += w(r, x) * Halide::cast<float>(y + 1);
    f.bound(x, 0, 4).bound(y, 0, 2);
    f.update().split(r, r_0, r_1, 8).reorder(r_1, r_0, y, x).unroll(r_1);
    w.dim(0).set_bounds(0, columns).dim(1).set_bounds(0, 4);
    w.dim(1).set_stride(columns);
  }

  std::vector<int64_t> Streamed(const InputStream& stream) {
    Halide::Pipeline pipeline(f);
    std::vector<std::vector<int64_t>> elements(1);
    AddStreamInput(stream, pipeline);
    pipeline.add_custom_lowering_pass(new Prefetches(&elements));
    pipeline.compile_to_module(
        {w}, "f",
        Halide::get_host_target().with_feature(Halide::Target::NoBoundsQuery));
    return elements[0];
  }

  const Var x{"x"}, y{"y"};
  const RDom r{0, 64, "r"};
  const Halide::RVar r_0{"r_0"}, r_1{"r_1"};
  ImageParam w{Halide::Float(32), 2, "w"};
  Func f{"f"};
};

InputStream Rows(const Func& f) {
  return {.input = "w",
          .loops = {{f.name(), 1, "x", 4},
                    {f.name(), 1, "y", 2},
                    {f.name(), 1, "r_0", 8}},
          .runs = {{.extent = 64, .stride = 1}},
          .step = 4,
          .line = 16};
}

TEST(StreamInputsTest, TheNextIterationsElementsComeInOrder) {
  Sums sums(64);
  std::vector<int64_t> expected;
  for (int x = 0; x < 4; ++x) {
    for (int i = 0; i < 16; ++i) expected.push_back((x + 1) * 64 + i * 4);
  }
  EXPECT_EQ(sums.Streamed(Rows(sums.f)), expected);
}

TEST(StreamInputsTest, RunsLieApart) {
  Sums sums(256);
  InputStream stream = Rows(sums.f);
  // Of the next two rows, as if both were read.
  stream.runs = {{.extent = 32, .stride = 1}, {.extent = 2, .stride = 256}};
  std::vector<int64_t> expected;
  for (int x = 0; x < 4; ++x) {
    for (int i = 0; i < 16; ++i) {
      expected.push_back((x + 1) * 256 + (i * 4 / 32) * 256 + i * 4 % 32);
    }
  }
  EXPECT_EQ(sums.Streamed(stream), expected);
}

TEST(StreamInputsTest, SeveralLinesAreAskedForAtOnceWhereItMustBe) {
  Sums sums(64);
  InputStream stream = Rows(sums.f);
  stream.loops.pop_back();
  stream.step = 32;
  std::vector<int64_t> expected;
  for (int x = 0; x < 4; ++x) {
    for (int line = 0; line < 4; ++line)
      expected.push_back((x + 1) * 64 + line * 16);
  }
  EXPECT_EQ(sums.Streamed(stream), expected);
}

TEST(StreamInputsTest, WhereALoopIsNotThereNothingIsPrefetched) {
  Sums sums(64);
  InputStream stream = Rows(sums.f);
  stream.loops[0].name = "z";
  EXPECT_TRUE(sums.Streamed(stream).empty());
  stream = Rows(sums.f);
  stream.loops[1].name = "z";
  EXPECT_TRUE(sums.Streamed(stream).empty());
  stream = Rows(sums.f);
  stream.input = "v";
  EXPECT_TRUE(sums.Streamed(stream).empty());
}

TEST(StreamInputsTest, NamesOfLoopsHaveThoseBeforeThemInFront) {
  const InputStream::Loop loop = {.func = "f", .definition = 1, .name = "x_1"};
  EXPECT_TRUE(loop.IsCalled("f.s1.x_1"));
  EXPECT_TRUE(loop.IsCalled("f.s1.x.x_0.x_1"));
  EXPECT_FALSE(loop.IsCalled("f.s1.x.xx_1"));
  EXPECT_FALSE(loop.IsCalled("f.s0.x_1"));
  EXPECT_FALSE(loop.IsCalled("f.s1.x_1.y"));
  EXPECT_FALSE(loop.IsCalled("gf.s1.x_1"));
}

}  // namespace
}  // namespace pruner
