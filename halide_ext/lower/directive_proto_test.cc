#include "halide_ext/lower/directive_proto.h"

#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "halide_ext/lower/directive.h"

namespace pruner {
namespace {

TEST(DirectiveProtoTest, ComesBackAsItWas) {
  const std::vector<Directive> directives = {
      {.func = "f"},
      {.kind = DirectiveKind::kSplit,
       .func = "f",
       .update = 2,
       .loops = {{.name = "r", .is_rvar = true}, {.name = "x"}, {.name = "y"}},
       .factor = 8,
       .tail = Tail::kShiftInwards},
      {.kind = DirectiveKind::kBound,
       .func = "f",
       .loops = {{.name = "x"}},
       .factor = 4,
       .min = -3},
      {.kind = DirectiveKind::kWrap,
       .func = "f",
       .target = "g",
       .new_func = "f.copy",
       .readers = {"g", "h"}},
      {.kind = DirectiveKind::kStoreIn,
       .func = "f",
       .storage = Storage::kStack},
      {.kind = DirectiveKind::kParallel,
       .func = "f",
       .loops = {{.name = "y"}},
       .least = {{.output = "f", .dimension = 1, .extent = 64},
                 {.output = "g", .extent = 3}}},
      {.kind = DirectiveKind::kOnlySpecialized, .func = "f", .update = 1},
  };
  for (const Directive& directive : directives) {
    const absl::StatusOr<Directive> again = FromProto(ToProto(directive));
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, directive);
  }
}

TEST(DirectiveProtoTest, WhatThereIsNotIsRefused) {
  proto::Directive message;
  message.set_kind(99);
  EXPECT_EQ(FromProto(message).status(),
            absl::InvalidArgumentError("there is no kind 99 of a directive"));
  message.set_kind(0);
  message.set_tail(-1);
  EXPECT_EQ(FromProto(message).status(),
            absl::InvalidArgumentError("there is no tail -1 of a directive"));
  message.set_tail(0);
  message.set_storage(7);
  EXPECT_EQ(FromProto(message).status(),
            absl::InvalidArgumentError("there is no storage 7 of a directive"));
}

}  // namespace
}  // namespace pruner
