#include "halide_ext/build/mixed_products.h"

#include <string>
#include <vector>

#include "Halide.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Type;
using Halide::Var;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

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
    EXPECT_THAT(FuncsThatMixProducts(mixed), ElementsAre(StartsWith("out")));
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
  EXPECT_THAT(FuncsThatMixProducts(scalars), IsEmpty());
  scalars.compile(
      {{Halide::OutputFileType::object, testing::TempDir() + "/scalars.o"}});
  for (const Type& from :
       {Halide::UInt(8), Halide::Int(16), Halide::UInt(32)}) {
    EXPECT_FALSE(MayMix(Lowered(from, {Halide::Float(64)}, false)));
    EXPECT_THAT(FuncsThatMixProducts(Lowered(from, {Halide::Float(64)}, true)),
                IsEmpty());
  }
  EXPECT_FALSE(MayMix(Lowered(Halide::UInt(16), {Halide::Float(32)}, false)));
}

TEST_F(MixedProductsTest, TheFuncsThatHaveThemAreNamed) {
  ImageParam in(Halide::UInt(16), 1, "in");
  const Var x("x");
  Func twice("twice"), pair("pair"), other("other"), out("out");
  const Expr element = Halide::cast<double>(in(x));
  twice(x) = element + element;
  // One product for both, which may be in a `let` around two stores.
  const Expr half = element * Expr(0.5);
  pair(x) = {Halide::sqrt(half), half + x};
  other(x) = in(x) * 3;
  out(x) = twice(x) + pair(x)[0] + pair(x)[1] + other(x);
  for (Func func : {twice, pair, other}) func.compute_root().vectorize(x, 8);
  out.vectorize(x, 8);
  EXPECT_THAT(FuncsThatMixProducts(out.compile_to_module({in}, "out", target_)),
              ElementsAre("pair", "twice"));
  EXPECT_TRUE(MayMixProducts(twice.function()));
  EXPECT_FALSE(MayMixProducts(other.function()));
}

}  // namespace
}  // namespace pruner
