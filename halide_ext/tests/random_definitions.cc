#include "halide_ext/tests/random_definitions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "halide_ext/tests/random_pipeline.h"

namespace pruner {
namespace {

using Halide::BFloat;
using Halide::Bool;
using Halide::cast;
using Halide::Expr;
using Halide::Float;
using Halide::Func;
using Halide::Int;
using Halide::Type;
using Halide::UInt;

// Larger values are clamped to this where they are read and do not wrap: the
// product of two, summed over the largest reduction domain, stays below 2^24.
constexpr int kReadBound = 64;

// Reads of stored tensors for an element where everything is inlined that can
// be; the reference and the default schedule do that.
constexpr int kMaxInlinedReads = 48;

// Those that are common count more.
const Type kComputed[] = {Float(32), Float(32), Float(32), Float(64), UInt(8),
                          UInt(8),   UInt(8),   UInt(16),  UInt(16),  Int(16),
                          Int(16),   Int(32),   Int(32),   UInt(32),  Int(8),
                          Int(64),   UInt(64)};
const Type kRare[] = {Bool(), Float(16), BFloat(16)};

// The largest absolute value of an integer type; for a float the largest whole
// number up to which it has all of them.
double Largest(const Type& type) {
  if (type.is_bfloat()) return std::ldexp(1, 8);
  if (type.is_float()) {
    return std::ldexp(1, type.bits() == 16 ? 11 : type.bits() == 32 ? 24 : 53);
  }
  return std::ldexp(1, type.bits() - (type.is_int() ? 1 : 0));
}

Expr Constant(const Type& type, double value) {
  return Halide::Internal::make_const(type, value);
}

// A float that becomes an integer must be one that all integers hold, of any
// type: where a stage is inlined, and its reader makes another type of that
// integer, Halide makes one cast of both, and C leaves open what that gives.
Expr Cast(const Type& type, const Expr& value) {
  if (!value.type().is_float() && type.is_float() && type.bits() == 16)
    return cast(type, cast(Float(32), value));
  return cast(type, value);
}

// From -kReadBound to kReadBound, or from 0.
Expr Clamped(const Expr& value, bool not_below_zero = false) {
  const Type type = value.type();
  const int least = not_below_zero || type.is_uint() ? 0 : -kReadBound;
  return Halide::clamp(value, Constant(type, least),
                       Constant(type, kReadBound));
}

}  // namespace

int Size(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

RandomDefinitions::RandomDefinitions(uint64_t seed,
                                     const RandomPipelineOptions& options)
    : rng_(seed),
      sizes_(options.sizes),
      has_rare_types_(options.has_rare_types) {}

void RandomDefinitions::DrawType() {
  if (HasAllTypes()) type_ = rng_.Pick(kComputed);
}

Type RandomDefinitions::DrawStoredType(double chance_of_rare) {
  const bool is_rare = rng_.Chance(chance_of_rare);
  return is_rare && has_rare_types_ ? rng_.Pick(kRare) : rng_.Pick(kComputed);
}

Expr RandomDefinitions::Number(double value) const {
  return Constant(type_, value);
}

Expr RandomDefinitions::Converted(const Expr& value) const {
  return Cast(type_, value);
}

Shape RandomDefinitions::RandomShape() {
  static constexpr int kExtents[] = {1,  2,  3,  4,  5,  7,  8,  13,
                                     16, 17, 24, 31, 32, 33, 48, 64};
  Shape shape;
  do {
    shape.clear();
    const int rank = static_cast<int>(rng_.Uniform(1, kMaxRank));
    for (int d = 0; d < rank; ++d) shape.push_back(rng_.Pick(kExtents));
  } while (Size(shape) > kMaxElements);
  return shape;
}

RandomTensor RandomDefinitions::AddInput(const Shape& shape) {
  Type type = Float(32);
  if (HasAllTypes()) type = DrawStoredType(0.1);
  Halide::ImageParam input(type, static_cast<int>(shape.size()),
                           absl::StrCat("in", num_inputs_++));
  int stride = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    auto dim = input.dim(static_cast<int>(d));
    if (sizes_ == Sizes::kEstimates) {
      dim.set_estimate(0, shape[d]);
      continue;
    }
    dim.set_bounds(0, shape[d]).set_stride(stride);
    stride *= shape[d];
  }
  // Of integers all bits are used that there are.
  tensors_.push_back(
      {.at = [input](const Index& i) { return input(i); },
       .type = type,
       .shape = shape,
       .bound = type.is_float() ? kRandomInputBound : Largest(type)});
  return tensors_.back();
}

RandomTensor RandomDefinitions::Source(int reads, int min_rank) {
  std::vector<size_t> all, fresh;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const RandomTensor& t = tensors_[i];
    if (t.inlined_reads * reads > kMaxInlinedReads) continue;
    if (static_cast<int>(t.shape.size()) < min_rank) continue;
    all.push_back(i);
    if (t.func >= 0 && !is_read_[t.func]) fresh.push_back(i);
  }
  if (all.empty()) return AddInput(RandomShape());
  return tensors_[!fresh.empty() && rng_.Chance(0.75) ? rng_.Pick(fresh)
                                                      : rng_.Pick(all)];
}

Expr RandomDefinitions::Read(const RandomTensor& t, const Index& index) {
  if (t.func >= 0) is_read_[t.func] = true;
  const Expr value = t.at(index);
  if (t.type.is_float() && !type_.is_float())
    return Converted(Clamped(value, /*not_below_zero=*/true));
  const bool is_small =
      t.bound <= kReadBound || (Wraps() && !t.type.is_float());
  return Converted(is_small ? value : Clamped(value));
}

Expr RandomDefinitions::ReadInt(const RandomTensor& t, const Index& index) {
  if (t.func >= 0) is_read_[t.func] = true;
  const Expr value = t.at(index);
  // What is made of a larger unsigned number Halide does not know not to be
  // below zero, and simplifies a clamp that says so.
  const bool is_whole = !t.type.is_float();
  if (is_whole && t.type.bits() > 16) return cast(Int(32), value % kReadBound);
  // Of a float of 16 bits the bounds are infinite, and as integers anything.
  if (!is_whole && t.type.bits() == 16)
    return cast(Int(32), Clamped(cast(Float(32), value)));
  const bool is_small = t.bound <= kReadBound || is_whole;
  return cast(Int(32), is_small ? value : Clamped(value));
}

RandomDefinitions::Lines RandomDefinitions::LinesAlong(const RandomTensor& t,
                                                       size_t dim) {
  Lines lines = {.shape = t.shape};
  lines.shape.erase(lines.shape.begin() + dim);
  lines.vars = Vars(lines.shape);
  const Halide::RDom r = Domain({t.shape[dim]});
  Index index = AsIndex(lines.vars);
  index.insert(index.begin() + dim, r[0]);
  lines.element = Read(t, index);
  return lines;
}

double RandomDefinitions::Bound(const RandomTensor& t) const {
  return Wraps() ? Largest(type_) : std::min<double>(t.bound, kReadBound);
}

Expr RandomDefinitions::Parameter() {
  Halide::Parameter number(type_, /*is_buffer=*/false, /*dimensions=*/0,
                           absl::StrCat("number", num_parameters_++));
  number.set_estimate(Number(static_cast<double>(rng_.Uniform(1, 4))));
  return Halide::Internal::Variable::make(type_, number.name(), number);
}

Expr RandomDefinitions::Flag() {
  Halide::Param<bool> flag(absl::StrCat("flag", num_parameters_++));
  flag.set_estimate(rng_.Chance(0.5));
  return flag;
}

Func RandomDefinitions::NewFunc() {
  funcs_.emplace_back(
      Halide::Internal::Function(absl::StrCat("f", funcs_.size())));
  is_read_.push_back(false);
  return funcs_.back();
}

std::vector<Halide::Var> RandomDefinitions::Vars(const Shape& shape) {
  std::vector<Halide::Var> vars;
  for (size_t d = 0; d < shape.size(); ++d)
    vars.emplace_back(absl::StrCat("v", d));
  return vars;
}

Halide::RDom RandomDefinitions::Domain(const std::vector<int>& extents) {
  Halide::Region region;
  for (int extent : extents) {
    if (sizes_ == Sizes::kEstimates && rng_.Chance(0.4)) {
      Halide::Param<int> size(absl::StrCat("size", num_sizes_++));
      size.set_estimate(extent);
      region.push_back({0, size});
    } else {
      region.push_back({0, extent});
    }
  }
  return Halide::RDom(region, "r");
}

void RandomDefinitions::AddTensors(const Shape& shape, double bound,
                                   int inlined_reads) {
  const Func func = funcs_.back();
  const int values = func.outputs();
  shapes_.push_back(shape);
  for (int i = 0; i < values; ++i) {
    const Type type = func.types()[i];
    tensors_.push_back(
        {.at =
             [func, i, values](const Index& index) {
               return values == 1 ? Expr(func(index)) : Expr(func(index)[i]);
             },
         .type = type,
         .shape = shape,
         .bound = type.is_float() ? bound : std::min(bound, Largest(type)),
         .inlined_reads = inlined_reads,
         .func = static_cast<int>(funcs_.size()) - 1});
  }
}

// Sometimes in another type than it was computed in, wrapped or the nearest
// value; `bound` becomes that type's where it is smaller.
Expr RandomDefinitions::Stored(const Expr& value, double& bound) {
  if (!HasAllTypes() || !rng_.Chance(0.3)) return value;
  const Type type = DrawStoredType(0.3);
  const bool saturates = rng_.Chance(0.5);
  const bool is_whole = !value.type().is_float();
  if (type.is_bool()) {
    bound = 1;
    return value > Constant(value.type(), 1);
  }
  const bool holds_all = bound <= Largest(type);
  bound = std::min(bound, Largest(type));
  if (type.is_float()) {
    // Of other numbers no order of sums is exact.
    if (!holds_all) bound = kReadBound;
    return Cast(type, holds_all ? value : Clamped(value));
  }
  const bool wraps = type.is_uint() || type.bits() <= 16;
  if (!is_whole || !(wraps || holds_all)) {
    bound = kReadBound;
    return Cast(type, Clamped(value, !is_whole));
  }
  return saturates && type.bits() <= 16 ? Halide::saturating_cast(type, value)
                                        : Cast(type, value);
}

RandomTensor RandomDefinitions::Define(const Shape& shape, double bound,
                                       int inlined_reads,
                                       const ValueAt& value) {
  const Index index = AsIndex(Vars(shape));
  // Before the new Func can be read.
  const Expr e = Stored(value(index), bound);
  NewFunc()(Vars(shape)) = e;
  AddTensors(shape, bound, inlined_reads);
  return tensors_.back();
}

void RandomDefinitions::Reduce(const Shape& shape,
                               const std::vector<int>& extents, double bound,
                               const TermAt& term) {
  const std::vector<Halide::Var> vars = Vars(shape);
  const Halide::RDom r = Domain(extents);
  const Expr e = term(AsIndex(vars), r);
  const bool is_integer = !type_.is_float();
  const int kind = static_cast<int>(rng_.Uniform(0, Wraps() ? 5 : 3));
  Func func = NewFunc();
  switch (kind) {
    case 0:
      func(vars) = is_integer ? type_.min() : Number(-1e9);
      func(vars) = Halide::max(func(vars), e);
      break;
    case 1:
      func(vars) = is_integer ? type_.max() : Number(1e9);
      func(vars) = Halide::min(func(vars), e);
      break;
    case 2:
    case 3:
      func(vars) = Number(kind == 2 ? 0 : 2);
      func(vars) += e;
      bound = bound * Size(extents) + 2;
      break;
    case 4:
      func(vars) = Number(1);
      func(vars) *= e | 1;
      break;
    default:
      func(vars) = Number(0);
      func(vars) = func(vars) ^ e;
      break;
  }
  AddTensors(shape, bound, 1);
}

}  // namespace pruner
