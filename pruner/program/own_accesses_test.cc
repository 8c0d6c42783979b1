#include "pruner/program/own_accesses.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/dag/body.h"
#include "pruner/dag/compute_dag.h"

namespace pruner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Of a stage of dimensions y and x, which are axes 0 and 1; axis 2 is a
// reduction's.
constexpr int kRank = 2;

class OwnAccessesTest : public testing::Test {
 protected:
  int Add(Op op) {
    definition_.ops.push_back(std::move(op));
    return static_cast<int>(definition_.ops.size()) - 1;
  }
  int Axis(int axis) { return Add({.kind = OpKind::kAxis, .value = axis}); }
  int Constant(int64_t value) {
    return Add({.kind = OpKind::kConstant, .value = value});
  }
  int Of(OpKind kind, std::vector<int> operands) {
    return Add({.kind = kind, .operands = std::move(operands)});
  }

  Definition definition_;
};

TEST_F(OwnAccessesTest, APureDefinitionWritesEachElement) {
  definition_.values = {Constant(0)};
  const OwnAccesses own = OwnAccessesOf(definition_, kRank);
  EXPECT_THAT(own.written.indices,
              ElementsAre(IndexExpr{.terms = {{.axis = 0}}},
                          IndexExpr{.terms = {{.axis = 1}}}));
  EXPECT_THAT(own.read, IsEmpty());
}

// f(r, x) = f(r - 1, x) + f(2 r + 3, x) + f(r + clamp(x), x)
TEST_F(OwnAccessesTest, AScanReadsWhatItHasWritten) {
  const int x = Axis(1), r = Axis(2), one = Constant(1);
  definition_.indices = {r, x};
  const int before = Of(OpKind::kSelf, {Of(OpKind::kSub, {r, one}), x});
  const int twice = Of(OpKind::kMul, {r, Constant(2)});
  const int far =
      Of(OpKind::kSelf, {Of(OpKind::kAdd, {twice, Constant(3)}), x});
  const int clamped = Of(OpKind::kMin, {x, one});
  const int near = Of(OpKind::kSelf, {Of(OpKind::kAdd, {r, clamped}), x});
  definition_.values = {
      Of(OpKind::kAdd, {Of(OpKind::kAdd, {before, far}), near})};
  const OwnAccesses own = OwnAccessesOf(definition_, kRank);
  const IndexExpr along_r = {.terms = {{.axis = 2}}};
  const IndexExpr along_x = {.terms = {{.axis = 1}}};
  EXPECT_THAT(own.written.indices, ElementsAre(along_r, along_x));
  EXPECT_THAT(
      own.read,
      ElementsAre(
          OwnAccess{.indices = {along_r, along_x}, .count = 2},
          OwnAccess{.indices = {{.terms = {{.axis = 2, .coefficient = 2}}},
                                along_x}}));
}

// The element that is written is read as well; that is no other one.
TEST_F(OwnAccessesTest, WhatIsAddedToIsNoOther) {
  const int x = Axis(1), r = Axis(2);
  definition_.indices = {r, x};
  definition_.values = {
      Of(OpKind::kAdd, {Of(OpKind::kSelf, {r, x}), Constant(1)})};
  EXPECT_THAT(OwnAccessesOf(definition_, kRank).read, IsEmpty());
}

// Sums of sums of the same: no more work than there are operations.
TEST_F(OwnAccessesTest, SharedIndicesAreLookedAtOnce) {
  int index = Axis(2);
  for (int i = 0; i < 100; ++i) index = Of(OpKind::kAdd, {index, index});
  int twice = Of(OpKind::kAdd, {Axis(2), Axis(2)});
  definition_.indices = {index, twice};
  definition_.values = {Constant(1)};
  EXPECT_THAT(OwnAccessesOf(definition_, kRank).written.indices,
              ElementsAre(IndexExpr(),
                          IndexExpr{.terms = {{.axis = 2, .coefficient = 2}}}));
}

// h(data(r), x) = 1
TEST_F(OwnAccessesTest, WhatDataNamesMayBeAnyElement) {
  const int x = Axis(1);
  const int data = Add({.kind = OpKind::kRead, .operands = {Axis(2)}});
  definition_.indices = {data, x};
  definition_.values = {Constant(1)};
  EXPECT_THAT(OwnAccessesOf(definition_, kRank).written.indices,
              ElementsAre(IndexExpr{.terms = {}, .opaque = true},
                          IndexExpr{.terms = {{.axis = 1}}}));
}

}  // namespace
}  // namespace pruner
