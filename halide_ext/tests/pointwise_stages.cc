#include <functional>
#include <numeric>
#include <vector>

#include "Halide.h"
#include "halide_ext/tests/random_stages.h"

namespace pruner {
namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;

// `u` along some of the dimensions of an index into something of shape `shape`.
Index Broadcast(RandomDefinitions& d, const RandomTensor& u, const Shape& shape,
                const Index& index) {
  std::vector<size_t> dims(shape.size());
  std::iota(dims.begin(), dims.end(), 0);
  while (dims.size() > u.shape.size())
    dims.erase(dims.begin() + d.rng().Index(dims.size()));
  Index result;
  for (size_t k = 0; k < u.shape.size(); ++k) {
    const int extent = u.shape[k];
    if (k >= dims.size() || extent == 1) {
      result.push_back(0);
    } else if (extent >= shape[dims[k]]) {
      result.push_back(index[dims[k]]);
    } else if (d.rng().Chance(0.5)) {
      result.push_back(clamp(index[dims[k]], 0, extent - 1));
    } else {
      result.push_back(index[dims[k]] % extent);
    }
  }
  return result;
}

// Of each element of `t` and one of `u`.
void DefineOfTwo(RandomDefinitions& d, const RandomTensor& t,
                 const RandomTensor& u, double bound,
                 const std::function<Expr(const Expr&, const Expr&)>& value) {
  d.Define(t.shape, bound, t.inlined_reads + u.inlined_reads,
           [&](const Index& i) {
             const Expr a = d.Read(t, i);
             return value(a, d.Read(u, Broadcast(d, u, t.shape, i)));
           });
}

}  // namespace

void AddUnary(RandomDefinitions& d) {
  const RandomTensor t = d.Source();
  const int kind = static_cast<int>(d.rng().Uniform(0, 4));
  const double bound = d.Factor(2) * d.Bound(t) + 1;
  d.Define(t.shape, bound, t.inlined_reads, [&](const Index& i) {
    const Expr e = d.Read(t, i);
    switch (kind) {
      case 0:
        return Halide::max(e, d.Number(0));
      case 1:
        // The absolute value of a signed integer is an unsigned one.
        return (e.type().is_uint() ? e : d.Converted(Halide::abs(e))) -
               d.Number(1);
      case 2:
        return e * d.Number(d.Factor(2)) + d.Number(1);
      case 3:
        return Halide::select(e > d.Number(1), e, -e);
      default:
        return d.Converted(cast<int>(e) % 5);
    }
  });
}

void AddBinary(RandomDefinitions& d) {
  const RandomTensor t = d.Source(2), u = d.Source(2);
  const int kind = static_cast<int>(d.rng().Uniform(0, 4));
  const double bound = d.Bound(t) * d.Bound(u) + d.Bound(t) + d.Bound(u);
  DefineOfTwo(d, t, u, bound, [&](const Expr& a, const Expr& b) {
    switch (kind) {
      case 0:
        return a + b;
      case 1:
        // Of a - a nothing is left to be read: Halide crashes at some
        // of these without a schedule, too.
        return Halide::Internal::equal(a, b) ? a + b : a - b;
      case 2:
        return a * b;
      case 3:
        return Halide::max(a, b);
      default:
        return Halide::select(a > b, a, b + d.Number(1));
    }
  });
}

void AddTranspose(RandomDefinitions& d) {
  const RandomTensor t = d.Source(1, 2);
  std::vector<size_t> order(t.shape.size());
  std::iota(order.begin(), order.end(), 0);
  d.rng().Shuffle(order);
  Shape shape;
  for (size_t k : order) shape.push_back(t.shape[k]);
  d.Define(shape, d.Bound(t) + 1, t.inlined_reads, [&](const Index& i) {
    Index index(order.size());
    for (size_t k = 0; k < order.size(); ++k) index[order[k]] = i[k];
    return d.Read(t, index) + d.Number(1);
  });
}

void AddTuplePair(RandomDefinitions& d) {
  const RandomTensor t = d.Source(2);
  const std::vector<Halide::Var> vars = d.Vars(t.shape);
  const Expr e = d.Read(t, d.AsIndex(vars));
  const double bound = d.Bound(t) + 1;
  const Expr first = e + d.Number(1);
  const Expr second = Halide::max(e, d.Number(0));
  d.NewFunc()(vars) = d.HasAllTypes()
                          ? Halide::Tuple(first, cast<uint16_t>(second))
                          : Halide::Tuple(first, second);
  d.AddTensors(t.shape, bound, t.inlined_reads);
}

void AddRamp(RandomDefinitions& d) {
  const Shape shape = d.RandomShape();
  d.Define(shape, 8, 1, [&](const Index& i) {
    Expr sum = 0;
    for (const Expr& e : i) sum = sum * 3 + e;
    return d.Converted(sum % 8);
  });
}

void AddFixedPoint(RandomDefinitions& d) {
  const RandomTensor t = d.Source(2), u = d.Source(2);
  // Of what is made of a float Halide makes unsigned numbers on the way.
  if (d.type().is_float() || t.type.is_float() || u.type.is_float()) return;
  const int kind = static_cast<int>(d.rng().Uniform(0, 9));
  const double bound = d.Bound(t) + d.Bound(u);
  d.Define(t.shape, bound, t.inlined_reads + u.inlined_reads,
           [&](const Index& i) {
             const Expr a = d.Read(t, i);
             const Expr b = d.Read(u, Broadcast(d, u, t.shape, i));
             switch (kind) {
               case 0:
                 return d.Converted(Halide::absd(a, b));
               case 1:
                 return Halide::halving_add(a, b);
               case 2:
                 return Halide::rounding_halving_add(a, b);
               case 3:
                 return Halide::saturating_add(a, b);
               case 4:
                 return Halide::saturating_sub(a, b);
               case 5:
                 return a >> 2;
               case 6:
                 return (a & b) | d.Number(1);
               case 7:
                 // Rounded down, and 0 where there is nothing to divide by.
                 return a / b;
               case 8:
                 return a % b;
               default:
                 // Of 64 bits there is nothing wider.
                 if (d.type().bits() > 32) return a ^ b;
                 return d.Converted(Halide::widening_add(a, b) >> 1);
             }
           });
}

void AddParameter(RandomDefinitions& d) {
  const RandomTensor t = d.Source(2), u = d.Source(2);
  const int kind = static_cast<int>(d.rng().Uniform(0, 4));
  const Expr number = d.Parameter();
  const Expr flag = d.Flag();
  const double bound = d.kMaxParameter * (d.Bound(t) + d.Bound(u) + 1);
  d.Define(t.shape, bound, t.inlined_reads + u.inlined_reads,
           [&](const Index& i) {
             const Expr e = d.Read(t, i);
             switch (kind) {
               case 0:
                 return e * number;
               case 1:
                 return e + number;
               case 2:
                 return Halide::select(e > number, e, number);
               case 3:
                 return Halide::min(e, number);
               default:
                 // Of what is typical only one of them is read.
                 return Halide::select(flag && number > d.Number(1), e,
                                       d.Read(u, Broadcast(d, u, t.shape, i)));
             }
           });
}

}  // namespace pruner
