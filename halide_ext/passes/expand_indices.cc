#include "halide_ext/passes/expand_indices.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;
using ir::Stmt;

std::string ToText(const Expr& expr) {
  std::ostringstream text;
  text << expr;
  return text.str();
}

class Expander : public ir::IRMutator {
 public:
  Expander(std::string allocation, LetValues& lets,
           const std::vector<ThreadLoop>& threads)
      : allocation_(std::move(allocation)), lets_(lets) {
    expanded_.threads = threads;
  }

  ExpandedIndices Run(const Stmt& body) {
    expanded_.body = mutate(body);
    return std::move(expanded_);
  }

 protected:
  using IRMutator::visit;

  Expr visit(const ir::Load* op) override {
    if (op->name != allocation_) return IRMutator::visit(op);
    return ir::Load::make(op->type, op->name, Index(op->index), op->image,
                          op->param, mutate(op->predicate),
                          ir::ModulusRemainder());
  }

  Stmt visit(const ir::Store* op) override {
    if (op->name != allocation_) return IRMutator::visit(op);
    return ir::Store::make(op->name, mutate(op->value), Index(op->index),
                           op->param, mutate(op->predicate),
                           ir::ModulusRemainder());
  }

  Expr visit(const ir::Variable* op) override {
    if (op->name == allocation_) {
      Refuse(RefusalKind::kAddressTaken,
             "its address is taken, so it must stay an array");
    }
    return op;
  }

  Expr visit(const ir::Let* op) override {
    const Expr value = mutate(op->value);
    const Local local(*this, op->name, op->value);
    return ir::Let::make(op->name, value, mutate(op->body));
  }

  Stmt visit(const ir::LetStmt* op) override {
    const Expr value = mutate(op->value);
    const Local local(*this, op->name, op->value);
    return ir::LetStmt::make(op->name, value, mutate(op->body));
  }

  Stmt visit(const ir::For* op) override {
    const Expr min = mutate(op->min);
    const Expr extent = mutate(op->extent);
    Stmt body;
    if (const std::optional<ThreadLoop> thread = ThreadLoopOf(*op, lets_)) {
      AddThreadLoop(*thread);
      const LetValues::Scope scope(lets_, op->name, Expr());
      body = mutate(op->body);
    } else {
      const Local local(*this, op->name, Expr());
      body = mutate(op->body);
    }
    return ir::For::make(op->name, min, extent, op->for_type,
                         op->partition_policy, op->device_api, body);
  }

  Stmt visit(const ir::IfThenElse* op) override {
    const Expr condition = mutate(op->condition);
    const Expr expanded = lets_.Expand(op->condition);
    const Stmt then_case = Under(expanded, op->then_case);
    const Stmt else_case =
        op->else_case.defined() ? Under(!expanded, op->else_case) : Stmt();
    return ir::IfThenElse::make(condition, then_case, else_case);
  }

 private:
  // A name that is defined inside the allocation.
  class Local {
   public:
    Local(Expander& expander, const std::string& name, const Expr& value)
        : scope_(expander.lets_, name, value),
          expander_(expander),
          varies_(!expander.lets_.Knows(name)) {
      if (varies_) expander_.varying_.push_back(name);
    }
    ~Local() {
      if (varies_) expander_.varying_.pop_back();
    }
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;

   private:
    LetValues::Scope scope_;
    Expander& expander_;
    bool varies_;
  };

  void Refuse(RefusalKind kind, std::string reason) {
    if (expanded_.refusal.has_value()) return;
    expanded_.refusal = Refusal{
        .kind = kind, .allocation = allocation_, .reason = std::move(reason)};
  }

  void AddThreadLoop(const ThreadLoop& thread) {
    for (const ThreadLoop& known : expanded_.threads) {
      if (known.name != thread.name) continue;
      if (!ir::equal(known.min, thread.min) ||
          !ir::equal(known.extent, thread.extent)) {
        Refuse(RefusalKind::kIndexVaries,
               absl::StrCat("loops over threads ", thread.name,
                            " have different extents"));
      }
      return;
    }
    expanded_.threads.push_back(thread);
  }

  Expr Index(const Expr& index) {
    Expr expanded = lets_.Expand(index);
    const Mentions mentions = MentionsOf(expanded);
    if (!mentions.pure) {
      Refuse(RefusalKind::kIndexVaries,
             absl::StrCat("index ", ToText(expanded),
                          " depends on what is in memory"));
    }
    for (const std::string& name : varying_) {
      if (mentions.variables.count(name) == 0) continue;
      Refuse(RefusalKind::kIndexVaries,
             absl::StrCat("index ", ToText(expanded), " depends on ", name,
                          ", which changes while the allocation lives; unroll "
                          "that loop"));
    }
    expanded_.indices[expanded].insert(guard_);
    return expanded;
  }

  // `body`, of which `condition` is true. What does not say anything about
  // threads is left out, so that few different conditions remain.
  Stmt Under(const Expr& condition, const Stmt& body) {
    const Mentions mentions = MentionsOf(condition);
    const bool about_threads =
        std::any_of(expanded_.threads.begin(), expanded_.threads.end(),
                    [&](const ThreadLoop& thread) {
                      return mentions.variables.count(thread.name) > 0;
                    });
    if (!about_threads) return mutate(body);
    const Expr outer = guard_;
    guard_ = outer && condition;
    Stmt result = mutate(body);
    guard_ = outer;
    return result;
  }

  const std::string allocation_;
  LetValues& lets_;
  std::vector<std::string> varying_;
  Expr guard_ = ir::const_true();
  ExpandedIndices expanded_;
};

}  // namespace

ExpandedIndices ExpandIndices(const ir::Allocate& allocation, LetValues& lets,
                              const std::vector<ThreadLoop>& threads) {
  return Expander(allocation.name, lets, threads).Run(allocation.body);
}

}  // namespace pruner
