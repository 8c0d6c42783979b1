#include "models/ops/operand_access.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/operators/broadcast.h"

namespace pruner {
namespace {

using Halide::Expr;

// Consecutive elements of the output: those at the same (i / stride) % extent.
struct Digit {
  int64_t stride = 1;
  int64_t extent = 1;
  int64_t end() const { return stride * extent; }
};

struct Loop {
  Expr index;
  Digit digit;
};

// Innermost first; those that run once count nothing.
std::vector<Loop> LoopsOf(const OutputLoops& loops) {
  std::vector<Loop> result;
  int64_t stride = 1;
  for (size_t l = 0; l < loops.vars.size(); ++l) {
    const int64_t extent = loops.shape[loops.shape.size() - 1 - l];
    if (extent > 1) result.push_back({loops.vars[l], {stride, extent}});
    stride *= extent;
  }
  return result;
}

// The dimensions that the operand has in full, outermost first: runs of
// neighbours are one.
struct Run {
  Digit digit;
  std::vector<Digit> dimensions;  // outermost first
};

std::vector<Run> RunsOf(const Shape& operand, const Shape& output) {
  const Shape padded = WithRank(operand, output.size());
  std::vector<Run> runs;
  int64_t stride = NumElements(output);
  bool is_open = false;
  for (size_t d = 0; d < output.size(); ++d) {
    stride /= output[d];
    if (output[d] == 1) continue;
    const bool is_full = padded[d] == output[d];
    if (is_full && !is_open) runs.emplace_back();
    is_open = is_full;
    if (!is_full) continue;
    Run& run = runs.back();
    run.dimensions.push_back({stride, output[d]});
    run.digit = {stride, run.digit.extent * output[d]};
  }
  return runs;
}

// The value of the digit if it is a part of one loop.
std::optional<Expr> PartOfLoop(const Digit& digit,
                               const std::vector<Loop>& loops) {
  for (const Loop& loop : loops) {
    if (digit.stride % loop.digit.stride != 0 ||
        loop.digit.end() % digit.end() != 0) {
      continue;
    }
    Expr index = loop.index;
    const int64_t below = digit.stride / loop.digit.stride;
    if (below > 1) index = index / ToExpr(below);
    if (loop.digit.end() > digit.end()) index = index % ToExpr(digit.extent);
    return index;
  }
  return std::nullopt;
}

// The loops that make up the digit, innermost first; none if they do not.
std::vector<Loop> LoopsWithin(const Digit& digit,
                              const std::vector<Loop>& loops) {
  std::vector<Loop> within;
  int64_t next = digit.stride;
  for (const Loop& loop : loops) {
    if (loop.digit.stride != next || loop.digit.end() > digit.end()) continue;
    within.push_back(loop);
    next = loop.digit.end();
  }
  if (next != digit.end()) within.clear();
  return within;
}

// The value of any digit.
Expr ValueOf(const Digit& digit, const std::vector<Loop>& loops) {
  Expr linear = 0;
  for (const Loop& loop : loops)
    linear = linear + loop.index * ToExpr(loop.digit.stride);
  return linear / ToExpr(digit.stride) % ToExpr(digit.extent);
}

// Adds the dimensions of a digit, innermost first, if it is made of loops or a
// part of one.
bool Add(const Digit& digit, const std::vector<Loop>& loops,
         OperandAccess& access) {
  if (const std::optional<Expr> index = PartOfLoop(digit, loops)) {
    access.shape.insert(access.shape.begin(), digit.extent);
    access.indices.push_back(*index);
    return true;
  }
  const std::vector<Loop> within = LoopsWithin(digit, loops);
  for (const Loop& loop : within) {
    access.shape.insert(access.shape.begin(), loop.digit.extent);
    access.indices.push_back(loop.index);
  }
  return !within.empty();
}

}  // namespace

OperandAccess AccessOperand(const Shape& operand, const Shape& output,
                            const OutputLoops& loops) {
  const std::vector<Loop> known = LoopsOf(loops);
  const std::vector<Run> runs = RunsOf(operand, output);
  OperandAccess access;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (Add(run->digit, known, access)) continue;
    for (auto digit = run->dimensions.rbegin(); digit != run->dimensions.rend();
         ++digit) {
      if (Add(*digit, known, access)) continue;
      access.shape.insert(access.shape.begin(), digit->extent);
      access.indices.push_back(ValueOf(*digit, known));
    }
  }
  if (access.shape.empty()) access = {.shape = {1}, .indices = {0}};
  return access;
}

OutputLoops ElementwiseLoops(const Shape& output,
                             absl::Span<const Shape> operands) {
  const Halide::Var c("c");
  OutputLoops loops = {.vars = {c}, .shape = {1}, .channel = c};
  if (output.empty()) return loops;
  loops.shape = {output.back()};
  const size_t rank = output.size();
  int64_t extent = 1;
  size_t inner = rank - 1;  // the dimension that was looked at before
  const auto add_loop = [&] {
    const size_t outer = loops.vars.size();
    loops.vars.emplace_back(outer == 1 ? "m" : absl::StrCat("m", outer));
    loops.shape.insert(loops.shape.begin(), extent);
    extent = 1;
  };
  for (size_t d = rank - 1; d-- > 0;) {
    if (output[d] == 1) continue;
    bool is_cut = false;
    for (const Shape& operand : operands) {
      const Shape padded = WithRank(operand, rank);
      is_cut |= (padded[d] == 1) != (padded[inner] == 1);
    }
    if (is_cut && extent > 1) add_loop();
    extent *= output[d];
    inner = d;
  }
  if (rank > 1) add_loop();
  return loops;
}

}  // namespace pruner
