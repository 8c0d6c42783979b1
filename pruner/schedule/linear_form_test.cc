#include "pruner/schedule/linear_form.h"

#include "gtest/gtest.h"

namespace pruner {
namespace {

LinearForm Times(int thing, int64_t factor) {
  LinearForm form;
  form.Add(LinearForm(thing), factor);
  return form;
}

TEST(LinearFormTest, SumsAreEqualInAnyOrder) {
  LinearForm a = Times(3, 2), b = Times(1, 5);
  a.Add(Times(1, 5), 1);
  b.Add(Times(3, 1), 2);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, Times(3, 2));
}

TEST(LinearFormTest, WhatAddsUpToNothingIsGone) {
  LinearForm form = Times(2, 3);
  form.Add(Times(2, 1), -3);
  EXPECT_EQ(form, LinearForm());
  form.Add(Times(7, 1), 0);
  EXPECT_EQ(form, LinearForm());
}

TEST(LinearFormTest, FractionsAreReduced) {
  LinearForm form = Times(0, 6);
  form.Divide(4);
  LinearForm same = Times(0, 3);
  same.Divide(2);
  EXPECT_EQ(form, same);
  // 3/2 + 1/6 = 5/3.
  LinearForm sixth = Times(0, 1);
  sixth.Divide(6);
  form.Add(sixth, 1);
  LinearForm sum = Times(0, 5);
  sum.Divide(3);
  EXPECT_EQ(form, sum);
  // Half of it, twice.
  LinearForm half = sum, twice;
  half.Divide(2);
  twice.Add(half, 2);
  EXPECT_EQ(twice, sum);
}

TEST(LinearFormTest, WhatItIsMadeOfIsTold) {
  LinearForm form = Times(2, 3);
  form.Add(LinearForm(4), 1);
  EXPECT_EQ(form.TimesOf(2), 3);
  EXPECT_EQ(form.TimesOf(4), 1);
  EXPECT_EQ(form.TimesOf(3), 0);
  EXPECT_TRUE(form.IsWholeOf(2, 5));
  EXPECT_FALSE(form.IsWholeOf(2, 4));
  EXPECT_FALSE(form.IsWholeOf(3, 5));
  form.Divide(3);  // one time of the first, a third of the other
  EXPECT_EQ(form.TimesOf(2), 1);
  EXPECT_EQ(form.TimesOf(4), 0);
  EXPECT_FALSE(form.IsWholeOf(2, 5));
}

}  // namespace
}  // namespace pruner
