#include "halide_ext/tests/halide_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "halide_ext/build/guarded.h"
#include "halide_ext/tests/halide_passes.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

namespace hi = Halide::Internal;
using Halide::Expr;
using hi::Stmt;

std::optional<int64_t> Constant(const Expr& e) {
  const auto* imm = e.as<hi::IntImm>();
  return imm == nullptr ? std::nullopt : std::make_optional(imm->value);
}

// "f.s1.x.x_0" and, of a loop bound to blocks or threads, what follows.
void ParseLoopName(HalideLoop& loop) {
  std::vector<std::string> parts = absl::StrSplit(loop.name, '.');
  const bool is_bound = loop.kind == hi::ForType::GPUBlock ||
                        loop.kind == hi::ForType::GPUThread ||
                        loop.kind == hi::ForType::GPULane;
  if (is_bound && parts.size() > 3) parts.pop_back();
  loop.func = parts[0];
  if (parts.size() > 1 && absl::StartsWith(parts[1], "s"))
    (void)absl::SimpleAtoi(parts[1].substr(1), &loop.definition);
  loop.variable = parts.back();
}

// "f.1" is the second of a tuple.
std::pair<std::string, int> ParseBufferName(const std::string& name) {
  const std::vector<std::string> parts = absl::StrSplit(name, '.');
  int component = 0;
  if (parts.size() > 1) (void)absl::SimpleAtoi(parts[1], &component);
  return {parts[0], component};
}

// Collects loops, allocations and stores of the statement before unrolling.
class Collector : public hi::IRVisitor {
 public:
  using IRVisitor::visit;

  explicit Collector(const HalideStatement& statement)
      : statement_(statement) {}

  HalideProgram program;

 private:
  void visit(const hi::For* op) override {
    HalideLoop loop;
    loop.name = op->name;
    loop.kind = op->for_type;
    loop.constant_extent = Constant(op->extent);
    loop.parent = loop_;
    loop.position = position_++;
    loop.guarded = guarded_;
    ParseLoopName(loop);
    program.loops.push_back(std::move(loop));
    const int outer =
        std::exchange(loop_, static_cast<int>(program.loops.size()) - 1);
    const bool was_guarded = std::exchange(guarded_, false);
    op->body.accept(this);
    loop_ = outer;
    guarded_ = was_guarded;
  }

  void visit(const hi::IfThenElse* op) override {
    const bool was_guarded = std::exchange(guarded_, true);
    IRVisitor::visit(op);
    guarded_ = was_guarded;
  }

  void visit(const hi::Allocate* op) override {
    const auto [func, component] = ParseBufferName(op->name);
    HalideAllocation allocation;
    allocation.func = func;
    allocation.component = component;
    allocation.memory = op->memory_type;
    allocation.type = op->type;
    allocation.on_host = !hi::is_const_zero(op->condition);
    allocation.loop = loop_;
    allocation.position = position_++;
    for (const Expr& extent : op->extents)
      allocation.constant_extents.push_back(Constant(extent));
    program.allocations.push_back(std::move(allocation));
    op->body.accept(this);
  }

  void visit(const hi::Store* op) override {
    const auto [func, component] = ParseBufferName(op->name);
    HalideStore store;
    store.func = func;
    store.component = component;
    store.definition = -1;
    store.loop = loop_;
    store.position = position_++;
    store.guarded = guarded_;
    program.stores.push_back(std::move(store));
  }

  void visit(const hi::AssertStmt* op) override {
    const auto* error = op->message.as<hi::Call>();
    if (error == nullptr || error->name != "halide_error_access_out_of_bounds")
      return;
    // "Input buffer in0", the dimension, what is touched, what there is.
    const std::vector<std::string> words =
        absl::StrSplit(error->args.at(0).as<hi::StringImm>()->value, ' ');
    HalideAccess access;
    access.buffer = words.back();
    access.dimension = static_cast<int>(Constant(error->args.at(1)).value());
    access.min = Constant(error->args.at(2));
    access.max = Constant(error->args.at(3));
    program.accesses.push_back(std::move(access));
  }

  void visit(const hi::ProducerConsumer* op) override {
    const size_t first = program.stores.size();
    op->body.accept(this);
    if (!op->is_producer) return;
    const auto found = statement_.functions.find(op->name);
    if (found != statement_.functions.end())
      AssignDefinitions(found->second, first);
  }

  // To the stores from the `first`-th on. They stand in the order of the
  // definitions, each of which has one store for each component; those whose
  // loops are gone are not named otherwise.
  void AssignDefinitions(const hi::Function& function, size_t first) {
    const int definitions = static_cast<int>(function.updates().size()) + 1;
    for (int component = 0; component < function.outputs(); ++component) {
      std::vector<HalideStore*> stores;
      for (size_t i = first; i < program.stores.size(); ++i) {
        HalideStore& store = program.stores[i];
        if (store.func == function.name() && store.component == component)
          stores.push_back(&store);
      }
      for (size_t i = 0; i < stores.size(); ++i) {
        const HalideLoop* loop =
            stores[i]->loop < 0 ? nullptr : &program.loops[stores[i]->loop];
        if (loop != nullptr && loop->func == function.name()) {
          stores[i]->definition = loop->definition;
        } else if (static_cast<int>(stores.size()) == definitions) {
          stores[i]->definition = static_cast<int>(i);
        }
      }
    }
  }

  const HalideStatement& statement_;
  int loop_ = -1;
  bool guarded_ = false;
  int position_ = 0;
};

// Stores carry a parameter, through all passes, by which code generation knows
// of an output's alignment. Meanwhile it can be a number.
class NumberStores : public hi::IRMutator {
 public:
  using IRMutator::visit;

  // `hide_values`: nobody sees that a value changes nothing (x + 0), which says
  // something about what is computed, and nothing about its loops.
  explicit NumberStores(bool hide_values) : hide_values_(hide_values) {}

  Stmt visit(const hi::Store* op) override {
    const Halide::Expr value =
        hide_values_ ? hi::Call::make(op->value.type(), "hidden_value",
                                      {op->index}, hi::Call::Extern)
                     : op->value;
    return hi::Store::make(
        op->name, value, op->index,
        Halide::Parameter(op->value.type().element_of(), /*is_buffer=*/true,
                          /*dimensions=*/1, absl::StrCat(next_++)),
        op->predicate, op->alignment);
  }

 private:
  const bool hide_values_;
  int next_ = 0;
};

// Calls `see` for each store with its number.
template <typename See>
class NumberedStores : public hi::IRVisitor {
 public:
  using IRVisitor::visit;

  explicit NumberedStores(See see) : see_(std::move(see)) {}

  void visit(const hi::Store* op) override {
    int number = 0;
    if (op->param.defined() && absl::SimpleAtoi(op->param.name(), &number))
      see_(number, *op);
  }

 private:
  See see_;
};

void AddCopiesAndLanes(const HalideStatement& statement,
                       std::vector<HalideStore>& stores) {
  const auto unroll = [&](bool hide_values) {
    return Unrolled(NumberStores(hide_values).mutate(statement.body));
  };
  NumberedStores copies(
      [&](int number, const hi::Store&) { ++stores[number].copies; });
  // Only then the loops outside of unrolled ones are looked at.
  Simplified(unroll(/*hide_values=*/true)).accept(&copies);
  std::vector<std::set<int>> lanes(stores.size());
  NumberedStores vectors([&](int number, const hi::Store& store) {
    lanes[number].insert(store.value.type().lanes());
  });
  Vectorized(unroll(/*hide_values=*/false), statement).accept(&vectors);
  for (size_t i = 0; i < stores.size(); ++i)
    stores[i].lanes.assign(lanes[i].begin(), lanes[i].end());
}

// Makes checks of the bounds that a schedule gives loops that run once where
// the check fails.
class BoundsAsLoops : public hi::IRMutator {
 public:
  using IRMutator::visit;

  // By loop, in program order; empty for those that were there before.
  std::vector<std::string> names;

 private:
  Stmt visit(const hi::For* op) override {
    names.emplace_back();
    return IRMutator::visit(op);
  }

  Stmt visit(const hi::AssertStmt* op) override {
    const auto* error = op->message.as<hi::Call>();
    if (error == nullptr ||
        error->name != "halide_error_explicit_bounds_too_small") {
      return op;
    }
    const auto text = [&](int arg) {
      return error->args.at(arg).as<hi::StringImm>()->value;
    };
    names.push_back(absl::StrCat(text(0), " of ", text(1)));
    return hi::For::make("failed", 0, Halide::select(op->condition, 0, 1),
                         hi::ForType::Serial, Halide::Partition::Auto,
                         Halide::DeviceAPI::None, hi::Evaluate::make(0));
  }
};

absl::StatusOr<std::vector<std::string>> ExceededBounds(const Stmt& body) {
  BoundsAsLoops checks;
  ASSIGN_OR_RETURN(const TripCounts trips, CountTrips(checks.mutate(body)));
  std::vector<std::string> exceeded;
  for (size_t i = 0; i < checks.names.size(); ++i) {
    if (!checks.names[i].empty() && trips.loops[i].iterations > 0)
      exceeded.push_back(checks.names[i]);
  }
  return exceeded;
}

std::string Text(const TripCount& trips, std::optional<int64_t> constant) {
  std::string text =
      constant.has_value() ? absl::StrCat(*constant)
      : trips.smallest == trips.largest
          ? absl::StrCat("varying ", trips.largest)
          : absl::StrCat("varying ", trips.smallest, "..", trips.largest);
  if (!trips.is_exact) text += '?';
  return text;
}

template <typename T>
std::string Printed(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string Text(const HalideLoop& loop) {
  return absl::StrCat(
      Printed(loop.kind), " ", loop.func, ".s", loop.definition, " ",
      loop.variable, " ", Text(loop.trips, loop.constant_extent),
      loop.guarded ? " guarded" : "", ", ", loop.trips.executions, " times, ",
      loop.trips.iterations, " iterations");
}

std::string Text(const HalideAllocation& allocation) {
  std::string extents;
  for (size_t i = 0; i < allocation.extents.size(); ++i) {
    absl::StrAppend(&extents, "[",
                    Text(allocation.extents[i], allocation.constant_extents[i]),
                    "]");
  }
  return absl::StrCat("allocate ", allocation.func, ".", allocation.component,
                      " ", Printed(allocation.type), extents, " in ",
                      Printed(allocation.memory),
                      allocation.on_host ? "" : " of the device");
}

std::string Text(const HalideStore& store) {
  return absl::StrCat("store ", store.func, ".", store.component, " s",
                      store.definition, store.guarded ? " guarded" : "", ", ",
                      store.copies, " copies, lanes ",
                      absl::StrJoin(store.lanes, " "));
}

}  // namespace

std::string HalideProgram::ToString() const {
  std::vector<int> depth(loops.size());
  std::map<int, std::string> lines;  // by position
  for (size_t i = 0; i < loops.size(); ++i) {
    depth[i] = loops[i].parent < 0 ? 0 : depth[loops[i].parent] + 1;
    lines[loops[i].position] = std::string(2 * depth[i], ' ') + Text(loops[i]);
  }
  const auto add = [&](const auto& thing) {
    const int level = thing.loop < 0 ? 0 : depth[thing.loop] + 1;
    lines[thing.position] = std::string(2 * level, ' ') + Text(thing);
  };
  for (const HalideAllocation& allocation : allocations) add(allocation);
  for (const HalideStore& store : stores) add(store);
  std::string text;
  for (const auto& [position, line] : lines) absl::StrAppend(&text, line, "\n");
  return text;
}

absl::StatusOr<HalideProgram> LowerWithHalide(const Halide::Pipeline& scheduled,
                                              const Halide::Target& target) {
  return Guarded<HalideProgram>([&]() -> absl::StatusOr<HalideProgram> {
    const HalideStatement statement = LowerUntilUnrolling(scheduled, target);
    Collector collector(statement);
    statement.body.accept(&collector);
    HalideProgram program = std::move(collector.program);
    ASSIGN_OR_RETURN(const TripCounts trips, CountTrips(statement.body));
    for (size_t i = 0; i < program.loops.size(); ++i)
      program.loops[i].trips = trips.loops[i];
    for (size_t i = 0; i < program.allocations.size(); ++i)
      program.allocations[i].extents = trips.allocations[i];
    AddCopiesAndLanes(statement, program.stores);
    ASSIGN_OR_RETURN(program.exceeded_bounds, ExceededBounds(statement.body));
    return program;
  });
}

}  // namespace pruner
