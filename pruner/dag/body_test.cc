#include "pruner/dag/body.h"

#include <vector>

#include "gtest/gtest.h"
#include "pruner/dag/element_type.h"
#include "pruner/dag/op_counts.h"

namespace pruner {
namespace {

// self + read(0)[axis 0 + 1] * 2
Definition SumOfDoubles() {
  return {.ops = {{.kind = OpKind::kSelf, .type = kFloat32},
                  {.kind = OpKind::kAxis, .type = kInt32},
                  {.kind = OpKind::kConstant, .type = kInt32, .value = 1},
                  {.kind = OpKind::kAdd, .type = kInt32, .operands = {1, 2}},
                  {.kind = OpKind::kRead,
                   .type = kFloat32,
                   .operands = {3},
                   .access = 0},
                  {.kind = OpKind::kConstant,
                   .type = kFloat32,
                   .value = 0x4000000000000000},
                  {.kind = OpKind::kMul, .type = kFloat32, .operands = {4, 5}},
                  {.kind = OpKind::kAdd, .type = kFloat32, .operands = {0, 6}}},
          .values = {7}};
}

TEST(ElementTypeTest, PrintsAndParses) {
  for (const ElementType type :
       {kFloat32, kInt32, kBool, ElementType{TypeCode::kUInt, 8},
        ElementType{TypeCode::kBFloat, 16}}) {
    EXPECT_EQ(*ParseElementType(ToString(type)), type);
  }
  EXPECT_EQ(ToString(ElementType{TypeCode::kBFloat, 16}), "bf16");
  for (const char* text : {"", "f", "x32", "f0", "i128", "32"})
    EXPECT_FALSE(ParseElementType(text).ok()) << text;
  EXPECT_EQ(kBool.Bytes(), 1);
}

TEST(BodyTest, IndexArithmeticIsNotCounted) {
  const OpCounts counts = CountOps(SumOfDoubles());
  EXPECT_EQ(ToString(counts), "float_add:1 float_mul:1");
  EXPECT_EQ(counts.Flops(), 2);
  EXPECT_EQ(counts.IntegerOps(), 0);
}

// u8(((u16(read) * 77 + 3) >> 8) / 3) where the axis is below 5, else 0.
TEST(BodyTest, IntegersOfDataAreWork) {
  const ElementType u8 = {TypeCode::kUInt, 8}, u16 = {TypeCode::kUInt, 16};
  const auto constant = [](ElementType type, int64_t value) {
    return Op{.kind = OpKind::kConstant, .type = type, .value = value};
  };
  const auto binary = [](OpKind kind, ElementType type, int a, int b) {
    return Op{.kind = kind, .type = type, .operands = {a, b}};
  };
  Definition d = {
      .ops = {{.kind = OpKind::kAxis, .type = kInt32},
              {.kind = OpKind::kRead, .type = u8, .operands = {0}, .access = 0},
              {.kind = OpKind::kCast, .type = u16, .operands = {1}},
              constant(u16, 77),
              binary(OpKind::kMul, u16, 2, 3),
              constant(u16, 3),
              binary(OpKind::kAdd, u16, 4, 5),
              constant(u16, 8),
              {.kind = OpKind::kCall,
               .type = u16,
               .operands = {6, 7},
               .function = "shift_right"},
              binary(OpKind::kDiv, u16, 8, 5),
              {.kind = OpKind::kCast, .type = u8, .operands = {9}},
              constant(kInt32, 5),
              binary(OpKind::kLess, kBool, 0, 11),
              constant(u8, 0),
              {.kind = OpKind::kSelect, .type = u8, .operands = {12, 10, 13}}},
      .values = {14}};
  // Two casts, a product, a sum, a shift and a division of 16 bits, and the
  // selection of 8; the comparison is of an index.
  EXPECT_EQ(CountIntegerWork(d),
            (IntegerWork{.operations = 10, .bytes = 2 * 9 + 1}));
  // By what is not constant.
  d.ops[9].operands = {8, 8};
  EXPECT_EQ(CountIntegerWork(d).operations, 10 - 4 + 16);
  // By a power of two.
  d.ops[9].operands = {8, 7};
  EXPECT_EQ(CountIntegerWork(d).operations, 10 - 4 + 1);
  // What nothing is made from.
  d.values = {12};
  EXPECT_EQ(CountIntegerWork(d), IntegerWork());
  EXPECT_EQ(CountIntegerWork(SumOfDoubles()), IntegerWork());
}

TEST(BodyTest, KindsAreCountedByTheTypesOfTheirOperands) {
  const ElementType i16 = {TypeCode::kInt, 16};
  const auto count = [&](OpKind kind, ElementType type, const char* function) {
    Definition d = {.ops = {{.kind = OpKind::kRead, .type = type, .access = 0},
                            {.kind = kind,
                             .type = type,
                             .operands = {0, 0},
                             .function = function}},
                    .values = {1}};
    if (kind == OpKind::kSelect) d.ops[1].operands = {0, 0, 0};
    if (kind == OpKind::kNot) d.ops[1].operands = {0};
    return ToString(CountOps(d));
  };
  EXPECT_EQ(count(OpKind::kSub, i16, ""), "int_add:1");
  EXPECT_EQ(count(OpKind::kMod, kFloat32, ""), "float_div:1");
  EXPECT_EQ(count(OpKind::kMax, i16, ""), "int_compare:1");
  EXPECT_EQ(count(OpKind::kLess, kFloat32, ""), "float_compare:1");
  EXPECT_EQ(count(OpKind::kNot, kBool, ""), "boolean:1");
  EXPECT_EQ(count(OpKind::kSelect, kFloat32, ""), "select:1");
  EXPECT_EQ(count(OpKind::kCall, kFloat32, "exp_f32"), "float_math:1");
  EXPECT_EQ(count(OpKind::kCall, kFloat32, "abs"), "float_other:1");
  EXPECT_EQ(count(OpKind::kCall, kFloat32, "strict_fma"), "float_mad:1");
  EXPECT_EQ(count(OpKind::kCall, i16, "shift_right"), "int_other:1");
  EXPECT_EQ(count(OpKind::kCall, i16, "likely"), "");
  EXPECT_EQ(count(OpKind::kCast, i16, ""), "");
}

TEST(BodyTest, KindOfReduction) {
  Definition sum = SumOfDoubles();
  EXPECT_EQ(ReductionKindOf(sum), ReductionKind::kSum);
  sum.ops.back().kind = OpKind::kMax;
  EXPECT_EQ(ReductionKindOf(sum), ReductionKind::kMax);
  sum.ops.back().kind = OpKind::kSub;
  EXPECT_EQ(ReductionKindOf(sum), ReductionKind::kOther);
  sum = SumOfDoubles();
  sum.ops.back().operands = {4, 6};
  EXPECT_EQ(ReductionKindOf(sum), ReductionKind::kOther);
}

TEST(BodyTest, ChecksWhatReadersRelyOn) {
  EXPECT_TRUE(CheckDefinition(SumOfDoubles(), 1).ok());
  EXPECT_EQ(CheckDefinition(SumOfDoubles(), 0).message(),
            "operation 4 reads nothing that is there");
  Definition d = SumOfDoubles();
  d.ops[3].operands = {1, 3};
  EXPECT_EQ(CheckDefinition(d, 1).message(),
            "operation 3 uses 3, which is not before it");
  d = SumOfDoubles();
  d.ops[3].operands = {1};
  EXPECT_EQ(CheckDefinition(d, 1).message(), "operation 3 has 1 operands");
  d = SumOfDoubles();
  d.ops[3].kind = static_cast<OpKind>(8);
  EXPECT_EQ(CheckDefinition(d, 1).message(), "operation 3 is of no known kind");
  d = SumOfDoubles();
  d.conditions = {8};
  EXPECT_EQ(CheckDefinition(d, 1).message(), "there is no operation 8");
}

}  // namespace
}  // namespace pruner
