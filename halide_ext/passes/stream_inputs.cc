#include "halide_ext/passes/stream_inputs.h"

#include <cstddef>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/passes/let_values.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;
using ir::Stmt;

Stmt Prefetch(const std::string& buffer, const Expr& element) {
  const Expr begin = Halide::reinterpret(
      Halide::UInt(64), ir::Variable::make(Halide::Handle(), buffer));
  const Expr offset =
      Halide::cast(Halide::UInt(64), Halide::cast(Halide::Int(64), element) *
                                         Halide::Float(32).bytes());
  return ir::Evaluate::make(
      ir::Call::make(Halide::Int(32), kPrefetch,
                     {Halide::reinterpret(Halide::Handle(), begin + offset), 0,
                      kPrefetchHint, 1},
                     ir::Call::Extern));
}

// Where a loop's iteration begins to read an input: the least of the indices,
// in terms of what is known outside of the loop, and of its variable.
class FirstRead : public ir::IRVisitor {
 public:
  explicit FirstRead(const std::string& input) : input_(input) {}

  // Undefined if it does not read the input, or at indices from memory.
  const Expr& index() const { return index_; }

 protected:
  using IRVisitor::visit;

  // The loops inside begin at their least index, for strides are positive.
  void visit(const ir::For* op) override {
    inside_.insert(op->name);
    const LetValues::Scope first(values_, op->name, op->min);
    IRVisitor::visit(op);
  }
  void visit(const ir::LetStmt* op) override { VisitLet(op); }
  void visit(const ir::Let* op) override { VisitLet(op); }

  void visit(const ir::Load* op) override {
    IRVisitor::visit(op);
    if (op->name != input_) return;
    const auto* ramp = op->index.as<ir::Ramp>();
    Expr index = ramp != nullptr ? ramp->base : op->index;
    if (index.type().lanes() != 1) return;
    index = values_.Expand(index);
    if (!IsKnownOutside(index)) return;
    if (!index_.defined() || IsBefore(index, index_)) index_ = std::move(index);
  }

 private:
  template <typename Let>
  void VisitLet(const Let* op) {
    op->value.accept(this);
    inside_.insert(op->name);
    const LetValues::Scope let(values_, op->name, op->value);
    op->body.accept(this);
  }

  // Whether it can be computed outside of the loop's body.
  bool IsKnownOutside(const Expr& index) const {
    const Mentions mentions = MentionsOf(index);
    return mentions.pure &&
           absl::c_none_of(mentions.variables, [&](const std::string& name) {
             return inside_.contains(name);
           });
  }

  static bool IsBefore(const Expr& a, const Expr& b) {
    const Expr distance = ir::simplify(a - b);
    const auto* constant = distance.as<ir::IntImm>();
    return constant != nullptr && constant->value < 0;
  }

  const std::string& input_;
  LetValues values_;
  std::set<std::string> inside_;  // what loops and lets in the body are called
  Expr index_;
};

class StreamInput : public ir::IRMutator {
 public:
  explicit StreamInput(InputStream stream) : stream_(std::move(stream)) {}

 protected:
  using IRMutator::visit;

  Stmt visit(const ir::For* op) override {
    const bool is_first = stream_.loops.front().IsCalled(op->name);
    if (is_first) {
      FirstRead first(stream_.input);
      op->body.accept(&first);
      next_ = first.index();
      if (next_.defined()) {
        next_ = ir::simplify(ir::substitute(
            op->name, ir::Variable::make(Halide::Int(32), op->name) + 1,
            next_));
      }
    }
    const size_t depth = position_.size();
    if (next_.defined() && !is_first &&
        absl::c_any_of(stream_.loops, [&](const InputStream::Loop& loop) {
          return loop.IsCalled(op->name);
        })) {
      position_.push_back(ir::Variable::make(Halide::Int(32), op->name) -
                          op->min);
    }
    Stmt body = mutate(op->body);
    if (next_.defined() && stream_.loops.back().IsCalled(op->name) &&
        position_.size() + 1 == stream_.loops.size()) {
      body = ir::Block::make(body, Prefetches());
    }
    position_.resize(depth);
    if (is_first) next_ = Expr();
    if (body.same_as(op->body)) return op;
    return ir::For::make(op->name, op->min, op->extent, op->for_type,
                         op->partition_policy, op->device_api, body);
  }

 private:
  // How many elements were streamed when the present execution begins.
  Expr Streamed() const {
    Expr iterations = 0;
    for (size_t l = 0; l < position_.size(); ++l) {
      iterations = iterations * static_cast<int>(stream_.loops[l + 1].extent) +
                   position_[l];
    }
    return iterations * static_cast<int>(stream_.step);
  }

  // Where the element of that number lies.
  Expr IndexOf(Expr element) const {
    Expr index = next_;
    for (size_t r = 0; r < stream_.runs.size(); ++r) {
      const auto stride = static_cast<int>(stream_.runs[r].stride);
      const auto extent = static_cast<int>(stream_.runs[r].extent);
      if (r + 1 == stream_.runs.size()) return index + element * stride;
      index = index + element % extent * stride;
      element = element / extent;
    }
    return index;
  }

  Stmt Prefetches() const {
    Stmt all;
    for (int64_t ahead = 0; ahead < stream_.step; ahead += stream_.line) {
      const Expr index =
          ir::simplify(IndexOf(Streamed() + static_cast<int>(ahead)));
      const Stmt one = Prefetch(stream_.input, index);
      all = all.defined() ? ir::Block::make(all, one) : one;
    }
    return all;
  }

  const InputStream stream_;
  Expr next_;                   // defined inside of the first loop
  std::vector<Expr> position_;  // in the others, as far as they are around it
};

}  // namespace

bool InputStream::Loop::IsCalled(const std::string& lowered) const {
  const std::string prefix = absl::StrCat(func, ".s", definition, ".");
  return absl::StartsWith(lowered, prefix) &&
         (lowered == prefix + name || absl::EndsWith(lowered, "." + name));
}

void AddStreamInput(const InputStream& stream, Halide::Pipeline& pipeline) {
  pipeline.add_custom_lowering_pass(new StreamInput(stream));
}

}  // namespace pruner
