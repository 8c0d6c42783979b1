#include "halide_ext/passes/trim_dense_loads.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "halide_ext/passes/let_values.h"

namespace pruner {
namespace {

using Halide::Expr;
namespace ir = Halide::Internal;
using ir::Stmt;

// The index of the first element; undefined unless the load is a dense vector.
Expr DenseBase(const ir::Load& load) {
  const auto* ramp = load.index.as<ir::Ramp>();
  const bool is_dense = ramp != nullptr && ramp->base.type().is_scalar() &&
                        ir::is_const_one(ramp->stride) &&
                        ir::is_const_one(load.predicate);
  return is_dense ? ramp->base : Expr();
}

// Of each vector of a shuffle, the lanes that it takes.
std::vector<std::vector<int>> LanesTaken(const ir::Shuffle& shuffle) {
  std::vector<std::vector<int>> taken(shuffle.vectors.size());
  for (const int index : shuffle.indices) {
    int lane = index;
    size_t vector = 0;
    while (lane >= shuffle.vectors[vector].type().lanes())
      lane -= shuffle.vectors[vector++].type().lanes();
    taken[vector].push_back(lane);
  }
  return taken;
}

// Whether there is anything that could have to be done.
class FindSlices : public ir::IRGraphVisitor {
 public:
  bool found = false;

 protected:
  using IRGraphVisitor::visit;
  void visit(const ir::Shuffle* op) override {
    found |= std::any_of(op->vectors.begin(), op->vectors.end(),
                         [](const Expr& vector) {
                           return vector.as<ir::Load>() != nullptr ||
                                  vector.as<ir::Variable>() != nullptr;
                         });
    if (!found) IRGraphVisitor::visit(op);
  }
};

// Elements first..last behind `base` of a buffer, the ends for sure, where
// `scope` is executed.
struct Touched {
  std::string buffer;
  Expr base;
  int64_t first = 0;
  int64_t last = 0;
  const ir::IRNode* scope = nullptr;
};

// A dense load, and what is taken of it.
struct Site {
  const ir::Load* load;
  Touched taken;

  int64_t end() const { return load->type.lanes() - 1; }
  bool IsTaken() const { return taken.first == 0 && taken.last == end(); }
};

// What is known to be there, by scope and by index but for a constant.
class KnownElements {
 public:
  void Add(const Touched& touched) {
    const Index index = IndexOf(touched);
    const auto [at, is_new] = ends_.insert(
        {index.key,
         {index.offset + touched.first, index.offset + touched.last}});
    if (is_new) return;
    at->second.first = std::min(at->second.first, index.offset + touched.first);
    at->second.second =
        std::max(at->second.second, index.offset + touched.last);
  }

  // The first and the last element of a site's load, in its scope itself.
  std::pair<bool, bool> HasEnds(const Site& site,
                                const ir::IRNode* scope) const {
    Touched all = site.taken;
    all.scope = scope;
    const Index index = IndexOf(all);
    const auto found = ends_.find(index.key);
    if (found == ends_.end()) return {false, false};
    return {found->second.first <= index.offset,
            found->second.second >= index.offset + site.end()};
  }

 private:
  struct Key {
    const ir::IRNode* scope;
    std::string buffer;
    Expr base;

    bool operator<(const Key& other) const {
      if (scope != other.scope) return scope < other.scope;
      if (buffer != other.buffer) return buffer < other.buffer;
      return ir::IRDeepCompare()(base, other.base);
    }
  };
  struct Index {
    Key key;
    int64_t offset = 0;
  };

  static Index IndexOf(const Touched& touched) {
    Expr base = ir::simplify(touched.base);
    const auto* add = base.as<ir::Add>();
    const auto constant = ir::as_const_int(add != nullptr ? add->b : base);
    if (constant) base = add != nullptr ? add->a : Expr(0);
    const int64_t offset = constant.value_or(0);
    return {.key = {touched.scope, touched.buffer, base}, .offset = offset};
  }

  std::map<Key, std::pair<int64_t, int64_t>> ends_;
};

// Finds the dense loads of which it is not known that all is there.
class FindUnsafe : public ir::IRVisitor {
 public:
  std::set<const ir::Load*> Unsafe() const {
    std::set<std::string> buffers;
    for (const Site& site : sites_) {
      if (!site.IsTaken()) buffers.insert(site.load->name);
    }
    KnownElements known;
    const auto add = [&](const Touched& touched) {
      if (buffers.contains(touched.buffer)) known.Add(touched);
    };
    for (const Touched& touched : touched_) add(touched);
    for (const Site& site : sites_) add(site.taken);
    std::set<const ir::Load*> result;
    for (const Site& site : sites_) {
      if (!site.IsTaken() && !IsSafe(site, known)) result.insert(site.load);
    }
    return result;
  }

 protected:
  using IRVisitor::visit;

  void visit(const ir::Load* op) override {
    op->index.accept(this);
    op->predicate.accept(this);
    if (IsAllocated(op->name) || !ir::is_const_one(op->predicate)) return;
    if (op->type.is_scalar()) {
      Touch(op->name, op->index, 0);
      return;
    }
    const auto* ramp = op->index.as<ir::Ramp>();
    if (ramp == nullptr || !ramp->base.type().is_scalar()) return;
    const auto stride = ir::as_const_int(ramp->stride);
    if (stride && *stride >= 1)
      Touch(op->name, ramp->base, *stride * (ramp->lanes - 1));
  }

  void visit(const ir::Shuffle* op) override {
    const std::vector<std::vector<int>> lanes = LanesTaken(*op);
    for (size_t i = 0; i < lanes.size(); ++i) {
      const auto* variable = op->vectors[i].as<ir::Variable>();
      const auto* load = op->vectors[i].as<ir::Load>();
      if (variable != nullptr && dense_.contains(variable->name)) {
        Take(lanes[i], sites_[dense_.get(variable->name)]);
      } else if (load != nullptr && IsDense(*load)) {
        AddSite(*load);
        Take(lanes[i], sites_.back());
      } else {
        op->vectors[i].accept(this);
      }
    }
  }

  // Where all of it is used; shuffles look at theirs themselves.
  void visit(const ir::Variable* op) override {
    if (!dense_.contains(op->name)) return;
    Site& site = sites_[dense_.get(op->name)];
    Take({0, static_cast<int>(site.end())}, site);
  }

  void visit(const ir::Let* op) override { VisitLet(op); }
  void visit(const ir::LetStmt* op) override { VisitLet(op); }

  void visit(const ir::Allocate* op) override {
    const auto here = allocations_.insert(op->name);
    IRVisitor::visit(op);
    allocations_.erase(here);
  }

  void visit(const ir::For* op) override {
    op->min.accept(this);
    op->extent.accept(this);
    VisitInside(op->body);
  }

  void visit(const ir::IfThenElse* op) override {
    op->condition.accept(this);
    VisitInside(op->then_case);
    if (op->else_case.defined()) VisitInside(op->else_case);
  }

  void visit(const ir::Call* op) override {
    if (!op->is_intrinsic(ir::Call::if_then_else)) {
      IRVisitor::visit(op);
      return;
    }
    op->args[0].accept(this);
    for (size_t i = 1; i < op->args.size(); ++i) VisitInside(op->args[i]);
  }

 private:
  template <typename StmtOrExpr>
  void VisitInside(const StmtOrExpr& body) {
    const ir::IRNode* const outside = scope_;
    scope_ = body.get();
    parents_[scope_] = outside;
    body.accept(this);
    scope_ = outside;
  }

  template <typename LetOrLetStmt>
  void VisitLet(const LetOrLetStmt* op) {
    const auto* load = op->value.template as<ir::Load>();
    if (load != nullptr && IsDense(*load)) {
      AddSite(*load);
      const ir::ScopedBinding<size_t> bind(dense_, op->name, sites_.size() - 1);
      op->body.accept(this);
      return;
    }
    op->value.accept(this);
    const LetValues::Scope scope(lets_, op->name, op->value);
    op->body.accept(this);
  }

  bool IsAllocated(const std::string& buffer) const {
    return allocations_.contains(buffer);
  }

  bool IsDense(const ir::Load& load) const {
    return !IsAllocated(load.name) && DenseBase(load).defined();
  }

  void AddSite(const ir::Load& load) {
    load.index.accept(this);
    sites_.push_back({.load = &load,
                      .taken = {.buffer = load.name,
                                .base = lets_.Expand(DenseBase(load)),
                                .first = load.type.lanes(),
                                .last = -1,
                                .scope = scope_}});
  }

  static void Take(const std::vector<int>& lanes, Site& site) {
    for (const int64_t lane : lanes) {
      site.taken.first = std::min(site.taken.first, lane);
      site.taken.last = std::max(site.taken.last, lane);
    }
  }

  void Touch(const std::string& buffer, const Expr& base, int64_t last) {
    touched_.push_back({.buffer = buffer,
                        .base = lets_.Expand(base),
                        .last = last,
                        .scope = scope_});
  }

  bool IsSafe(const Site& site, const KnownElements& known) const {
    bool has_first = false, has_last = false;
    for (const ir::IRNode* scope = site.taken.scope;;
         scope = parents_.at(scope)) {
      const auto [first, last] = known.HasEnds(site, scope);
      has_first |= first;
      has_last |= last;
      if (has_first && has_last) return true;
      if (scope == nullptr) return false;
    }
  }

  LetValues lets_;
  ir::Scope<size_t> dense_;  // lets, as sites
  std::multiset<std::string> allocations_;
  const ir::IRNode* scope_ = nullptr;  // what is executed as a whole
  std::map<const ir::IRNode*, const ir::IRNode*> parents_;
  std::vector<Touched> touched_;
  std::vector<Site> sites_;
};

// Loads what slices take of unsafe loads.
class LoadSlices : public ir::IRMutator {
 public:
  explicit LoadSlices(std::set<const ir::Load*> unsafe)
      : unsafe_(std::move(unsafe)) {}

 protected:
  using IRMutator::visit;

  Expr visit(const ir::Shuffle* op) override {
    const bool is_changed = std::any_of(
        op->vectors.begin(), op->vectors.end(),
        [&](const Expr& vector) { return UnsafeLoad(vector) != nullptr; });
    if (!is_changed) return IRMutator::visit(op);
    if (op->vectors.size() == 1 && op->is_slice()) {
      return LoadLanes(*UnsafeLoad(op->vectors[0]), op->slice_begin(),
                       op->slice_stride(), op->type.lanes());
    }
    std::vector<Expr> elements;
    for (const int index : op->indices) {
      int lane = index;
      auto vector = op->vectors.begin();
      while (lane >= vector->type().lanes()) lane -= (vector++)->type().lanes();
      const ir::Load* const load = UnsafeLoad(*vector);
      elements.push_back(load != nullptr ? LoadLanes(*load, lane, 1, 1)
                                         : ir::Shuffle::make_extract_element(
                                               mutate(*vector), lane));
    }
    return elements.size() == 1 ? elements[0]
                                : ir::Shuffle::make_concat(elements);
  }

  Expr visit(const ir::Let* op) override { return VisitLet<Expr>(op); }
  Stmt visit(const ir::LetStmt* op) override { return VisitLet<Stmt>(op); }

 private:
  template <typename Body, typename LetOrLetStmt>
  Body VisitLet(const LetOrLetStmt* op) {
    const ir::Load* const load = UnsafeLoad(op->value);
    if (load == nullptr) return IRMutator::visit(op);
    const ir::ScopedBinding<const ir::Load*> bind(lets_, op->name, load);
    Body body = mutate(op->body);
    if (!IsUsed(op->name, body)) return body;
    return LetOrLetStmt::make(op->name, op->value, body);
  }

  static bool IsUsed(const std::string& name, const Expr& body) {
    return ir::expr_uses_var(body, name);
  }
  static bool IsUsed(const std::string& name, const Stmt& body) {
    return ir::stmt_uses_var(body, name);
  }

  const ir::Load* UnsafeLoad(const Expr& vector) const {
    const auto* variable = vector.as<ir::Variable>();
    if (variable != nullptr && lets_.contains(variable->name))
      return lets_.get(variable->name);
    const auto* load = vector.as<ir::Load>();
    return unsafe_.contains(load) ? load : nullptr;
  }

  static Expr LoadLanes(const ir::Load& load, int first, int stride,
                        int lanes) {
    const Expr base = ir::simplify(DenseBase(load) + first);
    const Expr index = lanes == 1 ? base : ir::Ramp::make(base, stride, lanes);
    return ir::Load::make(load.type.with_lanes(lanes), load.name, index,
                          load.image, load.param, ir::const_true(lanes),
                          ir::ModulusRemainder());
  }

  const std::set<const ir::Load*> unsafe_;
  ir::Scope<const ir::Load*> lets_;
};

class TrimDenseLoadsPass : public ir::IRMutator {
 public:
  Stmt mutate(const Stmt& stmt) override { return TrimDenseLoads(stmt); }
  using IRMutator::mutate;
};

}  // namespace

Stmt TrimDenseLoads(const Stmt& stmt) {
  FindSlices slices;
  stmt.accept(&slices);
  if (!slices.found) return stmt;
  FindUnsafe finder;
  stmt.accept(&finder);
  std::set<const ir::Load*> unsafe = finder.Unsafe();
  if (unsafe.empty()) return stmt;
  return LoadSlices(std::move(unsafe)).mutate(stmt);
}

void AddTrimDenseLoads(Halide::Pipeline& pipeline) {
  pipeline.add_custom_lowering_pass(new TrimDenseLoadsPass);
}

}  // namespace pruner
