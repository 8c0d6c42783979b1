#include "halide_ext/passes/promote_registers.h"

#include <sstream>
#include <string>

#include "Halide.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Int;
using Halide::MemoryType;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
namespace ir = Halide::Internal;
using ir::Stmt;

// An int32 allocation "acc" of 64 elements, in a block of `threads` threads
// "t".

Expr Variable(const std::string& name) {
  return ir::Variable::make(Int(32), name);
}

Expr Load(const Expr& index) {
  return ir::Load::make(Int(32, index.type().lanes()), "acc", index, {}, {},
                        ir::const_true(index.type().lanes()), {});
}

Stmt Store(const Expr& index, const Expr& value) {
  return ir::Store::make("acc", value, index, {},
                         ir::const_true(index.type().lanes()), {});
}

// Keeps `value` in another buffer.
Stmt Use(const Expr& value) {
  const Expr index = value.type().is_scalar()
                         ? Expr(0)
                         : ir::Ramp::make(0, 1, value.type().lanes());
  return ir::Store::make("out", value, index, {},
                         ir::const_true(value.type().lanes()), {});
}

Stmt Loop(const std::string& name, const Expr& extent, ir::ForType type,
          const Stmt& body) {
  return ir::For::make(name, 0, extent, type, Halide::Partition::Auto,
                       Halide::DeviceAPI::OpenCL, body);
}

Stmt Allocation(const Stmt& body, MemoryType memory = MemoryType::Register) {
  return ir::Allocate::make("acc", Int(32), memory, {64}, ir::const_true(),
                            body);
}

Stmt InThreads(const Stmt& body, const Expr& threads = 8) {
  return Loop("b", 4, ir::ForType::GPUBlock,
              Loop("t", threads, ir::ForType::GPUThread, body));
}

Stmt Promote(const Stmt& stmt, PromotionReport* report) {
  PromoteRegisters pass(report);
  return pass.mutate(stmt);
}

std::string ToText(const Stmt& stmt) {
  std::ostringstream text;
  text << stmt;
  return text.str();
}

const Expr kT = Variable("t");

// Nothing is changed, for this reason.
void ExpectRefused(const Stmt& stmt, RefusalKind kind,
                   const std::string& reason) {
  PromotionReport report;
  EXPECT_TRUE(ir::equal(Promote(stmt, &report), stmt));
  EXPECT_THAT(report.promotions, IsEmpty());
  ASSERT_THAT(report.refusals, SizeIs(1)) << ToText(stmt);
  EXPECT_EQ(report.refusals[0].kind, kind) << report.refusals[0].reason;
  EXPECT_EQ(report.refusals[0].allocation, "acc");
  EXPECT_THAT(report.refusals[0].reason, HasSubstr(reason));
}

// `before` becomes `after`, with this many elements.
void ExpectPromoted(const Stmt& before, const Stmt& after, int elements) {
  PromotionReport report;
  const Stmt result =
      Promote(InThreads(ir::Allocate::make("acc", Int(32), MemoryType::Register,
                                           {8, 8}, ir::const_true(), before)),
              &report);
  EXPECT_TRUE(ir::equal(result, InThreads(ir::Allocate::make(
                                    "acc", Int(32), MemoryType::Register,
                                    {elements}, ir::const_true(), after))))
      << ToText(result);
  EXPECT_THAT(report.refusals, IsEmpty());
  ASSERT_THAT(report.promotions, SizeIs(1));
  EXPECT_EQ(report.promotions[0].allocation, "acc");
  EXPECT_EQ(report.promotions[0].elements_before, 64);
  EXPECT_EQ(report.promotions[0].elements, elements);
}

TEST(PromoteRegistersTest, NumbersConstants) {
  ExpectPromoted(
      ir::Block::make({Store(kT * 2, 1), Store(kT * 2 + 1, 2),
                       Store(kT * 2 + 32, 3), Use(Load(kT * 2 + 32))}),
      ir::Block::make({Store(0, 1), Store(1, 2), Store(2, 3), Use(Load(2))}),
      3);
}

TEST(PromoteRegistersTest, DenseRampsStayDense) {
  ExpectPromoted(
      ir::Block::make(
          {Store(ir::Ramp::make(kT * 4 + 32, 1, 4), ir::Broadcast::make(1, 4)),
           Store(kT * 4, 2), Use(Load(ir::Ramp::make(kT * 4 + 34, 1, 2)))}),
      ir::Block::make(
          {Store(ir::Ramp::make(1, 1, 4), ir::Broadcast::make(1, 4)),
           Store(0, 2), Use(Load(ir::Ramp::make(3, 1, 2)))}),
      5);
}

TEST(PromoteRegistersTest, SeesThroughLets) {
  const Expr base = Variable("base");
  ExpectPromoted(ir::LetStmt::make("base", kT * 2,
                                   ir::Block::make(Store(base + 1, 1),
                                                   Use(Load(kT * 2 + 1)))),
                 ir::LetStmt::make("base", kT * 2,
                                   ir::Block::make(Store(0, 1), Use(Load(0)))),
                 1);
}

TEST(PromoteRegistersTest, SeesThroughLetsAroundTheAllocation) {
  const Stmt body =
      ir::Block::make(Store(Variable("inner") + 1, 1), Use(Load(kT * 2 + 1)));
  PromotionReport report;
  Promote(InThreads(ir::LetStmt::make(
              "outer", kT + kT,
              ir::LetStmt::make("inner", Variable("outer"), Allocation(body)))),
          &report);
  EXPECT_THAT(report.promotions, SizeIs(1));
}

TEST(PromoteRegistersTest, BaseMayDependOnLoopsAround) {
  const Expr index = kT * 2 + Variable("k") * 16;
  PromotionReport report;
  Promote(InThreads(Loop(
              "k", 3, ir::ForType::Serial,
              Allocation(ir::Block::make(Store(index, 1), Use(Load(index)))))),
          &report);
  EXPECT_THAT(report.promotions, SizeIs(1));
}

// The last block overlaps the one before it: 40 instead of 48.
TEST(PromoteRegistersTest, BlocksMayBeMovedInwards) {
  const Expr start = Halide::min(Variable("b") * 16, 40);
  PromotionReport report;
  Promote(InThreads(Allocation(ir::Block::make(Store(start + kT * 2 + 1, 1),
                                               Use(Load(kT * 2 + start + 1))))),
          &report);
  EXPECT_THAT(report.promotions, SizeIs(1));
  ExpectRefused(InThreads(Allocation(ir::Block::make(
                    Store(start + kT, 1), Use(Load(Variable("b") * 16 + kT))))),
                RefusalKind::kIndexVaries, "which is no constant");
}

TEST(PromoteRegistersTest, LoopsOverThreadsMayBeInside) {
  const auto in_block = [](int elements, const Stmt& body, const Stmt& last) {
    return Loop(
        "b", 4, ir::ForType::GPUBlock,
        ir::Allocate::make(
            "acc", Int(32), MemoryType::Register, {elements}, ir::const_true(),
            ir::Block::make(Loop("t", 8, ir::ForType::GPUThread, body),
                            Loop("t", 8, ir::ForType::GPUThread, last))));
  };
  PromotionReport report;
  const Stmt result = Promote(
      in_block(64, Store(kT * 4 + 3, 1), Use(Load(kT * 4 + 3))), &report);
  EXPECT_TRUE(ir::equal(result, in_block(1, Store(0, 1), Use(Load(0)))))
      << ToText(result);
  EXPECT_THAT(report.promotions, SizeIs(1));
}

TEST(PromoteRegistersTest, RefusesLoopsOverOtherThreads) {
  ExpectRefused(Loop("b", 4, ir::ForType::GPUBlock,
                     Allocation(ir::Block::make(
                         Loop("t", 8, ir::ForType::GPUThread, Store(kT, 1)),
                         Loop("t", 4, ir::ForType::GPUThread, Use(Load(kT)))))),
                RefusalKind::kIndexVaries, "have different extents");
}

// Elements that other iterations wrote are still wanted.
TEST(PromoteRegistersTest, RefusesIndicesThatVaryInside) {
  const Expr index = kT * 4 + Variable("k");
  const auto loop = [](const Stmt& body) {
    return Loop("k", 4, ir::ForType::Serial, body);
  };
  ExpectRefused(
      InThreads(Allocation(ir::Block::make(loop(Store(index, Variable("k"))),
                                           loop(Use(Load(index)))))),
      RefusalKind::kIndexVaries,
      "depends on k, which changes while the allocation lives");
}

TEST(PromoteRegistersTest, RefusesIndicesFromMemory) {
  const Expr index =
      ir::Load::make(Int(32), "table", kT, {}, {}, ir::const_true(), {});
  ExpectRefused(
      InThreads(Allocation(ir::Block::make(Store(index, 1), Use(Load(index))))),
      RefusalKind::kIndexVaries, "depends on what is in memory");
}

TEST(PromoteRegistersTest, RefusesALetThatVaries) {
  const Expr loaded =
      ir::Load::make(Int(32), "table", kT, {}, {}, ir::const_true(), {});
  ExpectRefused(InThreads(Allocation(ir::LetStmt::make(
                    "place", loaded, Store(kT + Variable("place"), 1)))),
                RefusalKind::kIndexVaries, "depends on place");
}

TEST(PromoteRegistersTest, RefusesDifferencesThatAreNoConstants) {
  ExpectRefused(InThreads(Allocation(ir::Block::make(
                    Store(kT, 1), Use(Load(kT + Variable("stride")))))),
                RefusalKind::kIndexVaries, "which is no constant");
}

TEST(PromoteRegistersTest, RefusesUnknownNumbersOfThreads) {
  ExpectRefused(InThreads(Allocation(Store(kT, 1)), Variable("n")),
                RefusalKind::kIndexVaries, "thread loop t has n iterations");
}

TEST(PromoteRegistersTest, RefusesDistancesBetweenThreadsThatAreUnknown) {
  ExpectRefused(InThreads(Allocation(Store(kT * Variable("stride"), 1))),
                RefusalKind::kIndexVaries, "depends on more than the thread");
}

TEST(PromoteRegistersTest, RefusesVectorsOfDistantElements) {
  ExpectRefused(
      InThreads(Allocation(ir::Block::make(
          Store(ir::Ramp::make(kT * 4, 2, 2), ir::Broadcast::make(1, 2)),
          Store(kT * 4 + 1, 2)))),
      RefusalKind::kIndexVaries, "not neighbours");
}

TEST(PromoteRegistersTest, RefusesElementsOfOtherThreads) {
  ExpectRefused(
      InThreads(Allocation(ir::Block::make(Store(kT, 1), Use(Load(kT + 1))))),
      RefusalKind::kSharedByThreads,
      "threads (t = 0) and (t = 1) use the same element");
}

TEST(PromoteRegistersTest, RefusesOtherOwners) {
  ExpectRefused(
      InThreads(Allocation(ir::Block::make(Store(kT * 2, 1), Use(Load(kT))))),
      RefusalKind::kSharedByThreads, "threads use elements of others");
}

// Threads that differ in u only own the same elements; but only those with u =
// 0 use them.
TEST(PromoteRegistersTest, CountsOnlyThreadsThatGetThere) {
  const Stmt body = ir::Block::make(Store(kT + 8, 1), Use(Load(kT + 8)));
  const auto in_threads = [](const Stmt& stmt) {
    return Loop("b", 4, ir::ForType::GPUBlock,
                Loop("u", 2, ir::ForType::GPUThread,
                     Loop("t", 8, ir::ForType::GPUThread, stmt)));
  };
  ExpectRefused(in_threads(Allocation(body)), RefusalKind::kSharedByThreads,
                "threads (t = 0, u = 0) and (t = 0, u = 1)");
  PromotionReport report;
  Promote(in_threads(Allocation(ir::IfThenElse::make(Variable("u") < 1, body))),
          &report);
  EXPECT_THAT(report.promotions, SizeIs(1));
}

TEST(PromoteRegistersTest, RefusesWhatIsPassedOn) {
  const Expr address = ir::Variable::make(Halide::type_of<int*>(), "acc");
  ExpectRefused(
      InThreads(Allocation(ir::Block::make(
          Store(kT, 1), ir::Evaluate::make(ir::Call::make(
                            Int(32), "f", {address}, ir::Call::Extern))))),
      RefusalKind::kAddressTaken, "its address is taken");
}

TEST(PromoteRegistersTest, LeavesTheRestAlone) {
  const Stmt body = ir::Block::make(Store(kT, 1), Use(Load(kT)));
  const Stmt one_thread = ir::Block::make(Store(3, 1), Use(Load(3)));
  for (const Stmt& stmt :
       {InThreads(Allocation(body, MemoryType::Stack)),
        Loop("t", 8, ir::ForType::Parallel, Allocation(body)),
        InThreads(Allocation(one_thread)), InThreads(Allocation(Use(0)))}) {
    PromotionReport report;
    EXPECT_TRUE(ir::equal(Promote(stmt, &report), stmt)) << ToText(stmt);
    EXPECT_THAT(report.promotions, IsEmpty());
    EXPECT_THAT(report.refusals, IsEmpty());
  }
}

TEST(PromoteRegistersTest, NeedsNoReport) {
  const Stmt stmt = InThreads(Allocation(Store(kT + 5, 1)));
  EXPECT_FALSE(ir::equal(Promote(stmt, nullptr), stmt));
  const Stmt refused =
      InThreads(Allocation(ir::Block::make(Store(kT, 1), Use(Load(kT + 1)))));
  EXPECT_TRUE(ir::equal(Promote(refused, nullptr), refused));
}

}  // namespace
}  // namespace pruner
