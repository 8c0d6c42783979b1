#include "halide_ext/tests/trip_counts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "halide_ext/build/integer_code.h"

namespace pruner {
namespace {

namespace hi = Halide::Internal;
using Halide::Expr;
using hi::Stmt;

// What was counted once, `times` over.
void Accumulate(const TripCount& once, int64_t times, TripCount& sum) {
  sum.is_exact &= once.is_exact;
  if (once.executions == 0 || times == 0) return;
  if (sum.executions == 0) {
    sum.smallest = once.smallest;
    sum.largest = once.largest;
  }
  sum.smallest = std::min(sum.smallest, once.smallest);
  sum.largest = std::max(sum.largest, once.largest);
  sum.executions += times * once.executions;
  sum.iterations += times * once.iterations;
}

// One for each loop and for each extent of an allocation, in program order.
using Counts = std::vector<TripCount>;

enum class Kind { kLoop, kLet, kIf, kAllocation, kBlock };

// A statement, without what counts nothing.
struct Node {
  Node(Kind k, int f) : kind(k), first(f) {}

  Kind kind;
  int slot = -1;  // of a loop's or a let's variable
  // A loop's minimum and extent; a let's value; a condition; extents.
  std::vector<int> exprs;
  // A body; what if true, and what if not; a block's. -1: nothing.
  std::vector<int> children;
  // Those of the node and what is in it: counts first..last-1.
  int first, last = 0;
  // The slots that these depend on, without those that the node binds.
  std::set<int> reads;
  bool body_varies = false;  // with the loop's variable
  // By the values of `reads`.
  std::map<std::vector<MaybeInt>, Counts> memo;
};

class TreeMaker : public hi::IRVisitor {
 public:
  using IRVisitor::visit;

  // -1: counts nothing.
  int Make(const Stmt& s) {
    made_ = -1;
    if (s.defined()) s.accept(this);
    return std::exchange(made_, -1);
  }

  IntegerCode code;
  std::vector<Node> nodes;
  int num_counts = 0;
  // Which are a loop's, and which each allocation's: first and last.
  std::vector<int> loops;
  std::vector<std::pair<int, int>> allocations;

 private:
  void visit(const hi::For* op) override {
    Node node(Kind::kLoop, num_counts);
    loops.push_back(num_counts++);
    node.exprs = {code.Compile(op->min, node.reads),
                  code.Compile(op->extent, node.reads)};
    node.slot = code.Bind(op->name);
    AddChild(op->body, node);
    code.Unbind(op->name);
    node.body_varies = node.reads.erase(node.slot) > 0;
    Finish(std::move(node));
  }

  void visit(const hi::LetStmt* op) override {
    std::set<int> in_value;
    Node node(Kind::kLet, num_counts);
    node.exprs = {code.Compile(op->value, in_value)};
    node.slot = code.Bind(op->name);
    AddChild(op->body, node);
    code.Unbind(op->name);
    if (node.reads.erase(node.slot) == 0) {
      made_ = node.children[0];
      return;
    }
    node.reads.insert(in_value.begin(), in_value.end());
    Finish(std::move(node));
  }

  void visit(const hi::IfThenElse* op) override {
    Node node(Kind::kIf, num_counts);
    AddChild(op->then_case, node);
    AddChild(op->else_case, node);
    if (num_counts == node.first) return;
    node.exprs = {code.Compile(op->condition, node.reads)};
    Finish(std::move(node));
  }

  void visit(const hi::Allocate* op) override {
    Node node(Kind::kAllocation, num_counts);
    for (const Expr& extent : op->extents) {
      node.exprs.push_back(code.Compile(extent, node.reads));
      ++num_counts;
    }
    allocations.emplace_back(node.first, num_counts);
    AddChild(op->body, node);
    Finish(std::move(node));
  }

  void visit(const hi::Block* op) override {
    Node node(Kind::kBlock, num_counts);
    AddChild(op->first, node);
    AddChild(op->rest, node);
    if (num_counts > node.first) Finish(std::move(node));
  }

  void visit(const hi::Fork* op) override {
    Node node(Kind::kBlock, num_counts);
    AddChild(op->first, node);
    AddChild(op->rest, node);
    if (num_counts > node.first) Finish(std::move(node));
  }

  void AddChild(const Stmt& s, Node& node) {
    node.children.push_back(Make(s));
    if (node.children.back() < 0) return;
    const std::set<int>& reads = nodes[node.children.back()].reads;
    node.reads.insert(reads.begin(), reads.end());
  }

  void Finish(Node node) {
    node.last = num_counts;
    nodes.push_back(std::move(node));
    made_ = static_cast<int>(nodes.size()) - 1;
  }

  int made_ = -1;
};

class Interpreter {
 public:
  Interpreter(TreeMaker& tree, int64_t max_steps)
      : tree_(tree), steps_left_(max_steps) {}

  bool ran_out() const { return steps_left_ < 0; }

  // Adds what one execution of the node counts; `counts` are those from the
  // `offset`-th on.
  void Run(int id, int offset, absl::Span<TripCount> counts) {
    if (id < 0 || --steps_left_ < 0) return;
    Node& node = tree_.nodes[id];
    switch (node.kind) {
      case Kind::kLoop: {
        const Counts& of_loop = CountsOfLoop(node);
        for (size_t i = 0; i < of_loop.size(); ++i)
          Accumulate(of_loop[i], 1, counts[node.first - offset + i]);
        return;
      }
      case Kind::kLet:
        tree_.code.slot(node.slot) = tree_.code.Evaluate(node.exprs[0]);
        return Run(node.children[0], offset, counts);
      case Kind::kIf: {
        const MaybeInt condition = tree_.code.Evaluate(node.exprs[0]);
        if (condition != 0) Run(node.children[0], offset, counts);
        if (condition.value_or(0) == 0) Run(node.children[1], offset, counts);
        if (!condition.has_value()) MarkInexact(node, offset, counts);
        return;
      }
      case Kind::kAllocation:
        for (size_t i = 0; i < node.exprs.size(); ++i) {
          Accumulate(OneExecution(tree_.code.Evaluate(node.exprs[i])), 1,
                     counts[node.first - offset + i]);
        }
        return Run(node.children[0], offset, counts);
      case Kind::kBlock:
        for (const int child : node.children) Run(child, offset, counts);
        return;
    }
  }

 private:
  static TripCount OneExecution(MaybeInt extent) {
    const int64_t n = std::max<int64_t>(extent.value_or(1), 0);
    return {.executions = 1,
            .iterations = n,
            .smallest = n,
            .largest = n,
            .is_exact = extent.has_value()};
  }

  static void MarkInexact(const Node& node, int offset,
                          absl::Span<TripCount> counts) {
    for (int i = node.first; i < node.last; ++i)
      counts[i - offset].is_exact = false;
  }

  // By reference to what stays until the next call.
  const Counts& CountsOfLoop(Node& node) {
    std::vector<MaybeInt> key;
    key.reserve(node.reads.size());
    for (const int slot : node.reads) key.push_back(tree_.code.slot(slot));
    const auto found = node.memo.find(key);
    if (found != node.memo.end()) return found->second;
    Counts counts(node.last - node.first);
    const MaybeInt min = tree_.code.Evaluate(node.exprs[0]);
    const MaybeInt extent = tree_.code.Evaluate(node.exprs[1]);
    counts[0] = OneExecution(extent);
    const int64_t iterations = counts[0].iterations;
    const int body = node.children[0];
    MaybeInt& variable = tree_.code.slot(node.slot);
    variable = min;
    if (iterations > 0 && extent.has_value() && !node.body_varies) {
      Counts once(counts.size());
      Run(body, node.first, absl::MakeSpan(once));
      for (size_t i = 1; i < counts.size(); ++i)
        Accumulate(once[i], iterations, counts[i]);
    } else {
      for (int64_t i = 0; i < iterations && !ran_out(); ++i) {
        if (min.has_value()) tree_.code.slot(node.slot) = *min + i;
        Run(body, node.first, absl::MakeSpan(counts));
      }
    }
    if (!extent.has_value())
      MarkInexact(node, node.first, absl::MakeSpan(counts));
    constexpr size_t kMaxMemo = 4096;
    if (node.memo.size() >= kMaxMemo) node.memo.clear();
    return node.memo[std::move(key)] = std::move(counts);
  }

  TreeMaker& tree_;
  int64_t steps_left_;
};

}  // namespace

absl::StatusOr<TripCounts> CountTrips(const Stmt& statement,
                                      int64_t max_steps) {
  TreeMaker tree;
  const int root = tree.Make(statement);
  Counts counts(tree.num_counts);
  Interpreter interpreter(tree, max_steps);
  interpreter.Run(root, 0, absl::MakeSpan(counts));
  if (interpreter.ran_out()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("counting iterations takes more than ", max_steps,
                     " steps: make the pipeline smaller"));
  }
  TripCounts result;
  for (const int i : tree.loops) result.loops.push_back(counts[i]);
  for (const auto& [first, last] : tree.allocations)
    result.allocations.emplace_back(counts.begin() + first,
                                    counts.begin() + last);
  return result;
}

}  // namespace pruner
