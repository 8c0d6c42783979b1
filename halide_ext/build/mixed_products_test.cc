#include "halide_ext/build/mixed_products.h"

#include <string>
#include <vector>

#include "Halide.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Type;
using Halide::Var;

class MixedProductsTest : public testing::Test {
 protected:
  // Elements, as each of the types, times three.
  Halide::Module Lowered(const Type& from, const std::vector<Type>& types,
                         bool in_vectors) {
    ImageParam in(from, 1, "in");
    const Var x("x");
    Func out("out");
    Expr element = in(x);
    for (const Type& type : types) element = cast(type, element);
    out(x) = element * Halide::Internal::make_const(types.back(), 3);
    if (in_vectors) out.vectorize(x, 8);
    return out.compile_to_module({in}, "out", target_);
  }

  bool MayMix(const Halide::Module& module) {
    return MayMixProducts(module.functions().front().body);
  }

  const Halide::Target target_{"x86-64-linux-avx-avx2-f16c-fma-sse41"};
};

TEST_F(MixedProductsTest, HalideCompilesNoneInVectors) {
  for (const std::vector<Type>& between :
       {std::vector<Type>(), {Halide::Int(32)}, {Halide::Float(32)}}) {
    std::vector<Type> types = between;
    types.push_back(Halide::Float(64));
    const Halide::Module mixed =
        Lowered(Halide::UInt(16), types, /*in_vectors=*/true);
    EXPECT_EQ(CheckProducts(mixed).code(),
              absl::StatusCode::kFailedPrecondition);
    // What this is there for.
    EXPECT_THROW(mixed.compile({{Halide::OutputFileType::object,
                                 testing::TempDir() + "/mixed.o"}}),
                 Halide::InternalError);
    EXPECT_TRUE(MayMix(Lowered(Halide::UInt(16), types, false)));
  }
}

TEST_F(MixedProductsTest, ScalarsAndOtherTypesAreCompiled) {
  const Halide::Module scalars =
      Lowered(Halide::UInt(16), {Halide::Float(64)}, /*in_vectors=*/false);
  EXPECT_EQ(CheckProducts(scalars), absl::OkStatus());
  scalars.compile(
      {{Halide::OutputFileType::object, testing::TempDir() + "/scalars.o"}});
  for (const Type& from :
       {Halide::UInt(8), Halide::Int(16), Halide::UInt(32)}) {
    EXPECT_FALSE(MayMix(Lowered(from, {Halide::Float(64)}, false)));
    EXPECT_EQ(CheckProducts(Lowered(from, {Halide::Float(64)}, true)),
              absl::OkStatus());
  }
  EXPECT_FALSE(MayMix(Lowered(Halide::UInt(16), {Halide::Float(32)}, false)));
}

}  // namespace
}  // namespace pruner
