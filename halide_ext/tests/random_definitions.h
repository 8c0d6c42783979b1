// The definitions of a random pipeline while it is being made.
#ifndef HALIDE_EXT_TESTS_RANDOM_DEFINITIONS_H_
#define HALIDE_EXT_TESTS_RANDOM_DEFINITIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Halide.h"
#include "halide_ext/analyze/definitions.h"
#include "halide_ext/tests/random_pipeline.h"
#include "pruner/base/rng.h"

namespace pruner {

using Shape = std::vector<int>;  // innermost first, as in Halide
using Index = std::vector<Halide::Expr>;

int Size(const Shape& shape);

// What stages read: an input, a Func, or a value of a tuple-valued Func.
struct RandomTensor {
  std::function<Halide::Expr(const Index&)> at;
  Halide::Type type;
  Shape shape;
  double bound = 0;  // of the absolute values
  int inlined_reads = 1;
  int func = -1;  // index of the Func, -1: an input
};

// What is below a stage at each element.
using ValueAt = std::function<Halide::Expr(const Index&)>;
using TermAt = std::function<Halide::Expr(const Index&, const Halide::RDom&)>;

// Inputs, Funcs and what is known of their values. A stage computes in one
// type: floats of 32 bits where sizes are exact, as in networks, any where they
// are estimates. What it reads becomes that, and what it defines sometimes
// another one. All values are whole numbers that floats hold exactly, or
// integers that wrap, so that sums are the same in any order.
class RandomDefinitions {
 public:
  static constexpr int kMaxReduction = 2048;
  static constexpr int kMaxElements = 12000;
  static constexpr int kMaxWork = 400000;  // iterations of a stage
  static constexpr int kMaxRank = 4;

  RandomDefinitions(uint64_t seed, const RandomPipelineOptions& options);

  Rng& rng() { return rng_; }
  Sizes sizes() const { return sizes_; }
  bool HasAllTypes() const { return sizes_ == Sizes::kEstimates; }

  const std::vector<Halide::Func>& funcs() const { return funcs_; }
  const Shape& shape(size_t func) const { return shapes_[func]; }
  bool IsRead(size_t func) const { return is_read_[func]; }

  // ---- Types ----

  // Draws the type that the next stages compute in.
  void DrawType();
  Halide::Type type() const { return type_; }
  // Whether too large values are defined in that type, and what they become.
  bool Wraps() const { return type_.is_uint() || type_.bits() <= 16; }
  // In that type.
  Halide::Expr Number(double value) const;
  // What to multiply by instead of a small number, in that type: a double that
  // no float16 holds (halide_ext/build/mixed_products.h), nor sums of a few.
  double Factor(double value) const {
    return type_ == Halide::Float(64) ? value + (1 << 20) : value;
  }
  Halide::Expr Converted(const Halide::Expr& value) const;

  // ---- Reading ----

  Shape RandomShape();
  // The new input, of any type.
  RandomTensor AddInput(const Shape& shape);

  // A tensor to read, for preference one that nothing reads yet; only an input
  // is sure to fit.
  RandomTensor Source(int reads = 1, int min_rank = 0);

  // In the type that is computed in.
  Halide::Expr Read(const RandomTensor& t, const Index& index);
  // As a whole number of 32 bits.
  Halide::Expr ReadInt(const RandomTensor& t, const Index& index);
  // A tensor's elements along a dimension, to be reduced.
  struct Lines {
    Shape shape;  // of the other dimensions
    std::vector<Halide::Var> vars = {};
    Halide::Expr element = {};  // in terms of these and of a domain
  };
  Lines LinesAlong(const RandomTensor& t, size_t dim);
  // What Read gives at most.
  double Bound(const RandomTensor& t) const;

  size_t Dim(const RandomTensor& t) { return rng_.Index(t.shape.size()); }

  // A number that is given at run time, in the type that is computed in, from 1
  // to kMaxParameter; a condition that is.
  static constexpr int kMaxParameter = 7;
  Halide::Expr Parameter();
  Halide::Expr Flag();

  // ---- Defining ----

  static std::vector<Halide::Var> Vars(const Shape& shape);
  static Index AsIndex(const std::vector<Halide::Var>& vars) {
    return {vars.begin(), vars.end()};
  }
  // Where sizes are estimates, so may be those of domains.
  Halide::RDom Domain(const std::vector<int>& extents);

  // Not made unique by Halide: the same names whenever it is built.
  Halide::Func NewFunc();

  // What the last Func computes: a value, or those of a tuple.
  void AddTensors(const Shape& shape, double bound, int inlined_reads);

  // A Func of that value, whose absolute value is below `bound`; returns what
  // reads of it read.
  RandomTensor Define(const Shape& shape, double bound, int inlined_reads,
                      const ValueAt& value);

  // The sum, maximum or minimum of `term`, whose absolute value is below
  // `bound`; for integers also what else is the same in any order.
  void Reduce(const Shape& shape, const std::vector<int>& extents, double bound,
              const TermAt& term);

 private:
  // Of an input, or of what is defined.
  Halide::Type DrawStoredType(double chance_of_rare);
  Halide::Expr Stored(const Halide::Expr& value, double& bound);

  Rng rng_;
  const Sizes sizes_;
  const bool has_rare_types_;
  Halide::Type type_ = Halide::Float(32);
  int num_inputs_ = 0, num_sizes_ = 0, num_parameters_ = 0;
  std::vector<RandomTensor> tensors_;
  std::vector<Halide::Func> funcs_;
  std::vector<Shape> shapes_;  // by Func
  std::vector<bool> is_read_;  // by Func
};

}  // namespace pruner

#endif  // HALIDE_EXT_TESTS_RANDOM_DEFINITIONS_H_
