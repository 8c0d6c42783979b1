// Products that Halide 21 makes no vectors of. Of a uint16_t that becomes a
// double, times a constant that a float16 holds, find_intrinsics makes a
// widening_mul of the two narrow numbers, one an integer and one a float, and
// code generation gives up. Of scalars it is a plain product. A sum of twice
// the same is such a product as well.
#ifndef HALIDE_EXT_BUILD_MIXED_PRODUCTS_H_
#define HALIDE_EXT_BUILD_MIXED_PRODUCTS_H_

#include <set>
#include <string>

#include "Halide.h"

namespace pruner {

// Whether a uint16_t becomes a double anywhere in a statement or in a Func's
// definitions, so that there may be such products once loops are vectors.
bool MayMixProducts(const Halide::Internal::Stmt& body);
bool MayMixProducts(const Halide::Internal::Function& function);

// The Funcs in whose loops there are such products, in a lowered module.
std::set<std::string> FuncsThatMixProducts(const Halide::Module& module);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_MIXED_PRODUCTS_H_
