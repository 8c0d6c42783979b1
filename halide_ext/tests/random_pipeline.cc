#include "halide_ext/tests/random_pipeline.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "pruner/base/factors.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::Var;

using Shape = std::vector<int>;  // innermost first, as in Halide
using Index = std::vector<Expr>;

// Larger values are clamped to this where they are read: the product of two,
// summed over the largest reduction domain, stays below 2^24.
constexpr int kReadBound = 64;
constexpr int kMaxReduction = 2048;
constexpr int kMaxElements = 12000;
constexpr int kMaxWork = 400000;  // iterations of a stage
constexpr int kMaxRank = 4;
// Reads of stored tensors for an element where everything is inlined that can
// be; the reference and the default schedule do that.
constexpr int kMaxInlinedReads = 48;

int Size(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
}

// What stages read: an input, a Func, or a value of a tuple-valued Func.
struct Tensor {
  std::function<Expr(const Index&)> at;
  Shape shape;
  double bound = kRandomInputBound;  // of the absolute values
  int inlined_reads = 1;
  int func = -1;  // index of the Func, -1: an input
};

class Generator {
 public:
  Generator(uint64_t seed, const StageLimits& stages, Sizes sizes)
      : rng_(seed), stages_(stages), sizes_(sizes) {}

  RandomPipeline Make() {
    const int num_inputs = static_cast<int>(rng_.Uniform(1, 3));
    for (int i = 0; i < num_inputs; ++i) AddInput(RandomShape());
    const int num_stages =
        static_cast<int>(rng_.Uniform(stages_.least, stages_.most));
    while (static_cast<int>(funcs_.size()) < num_stages) AddStage();
    const std::vector<Func> outputs = ChooseOutputs();
    return {.pipeline = Halide::Pipeline(outputs), .text = Text(outputs)};
  }

 private:
  using Maker = void (Generator::*)();

  Shape RandomShape() {
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

  void AddInput(const Shape& shape) {
    ImageParam input(Halide::Float(32), static_cast<int>(shape.size()),
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
    tensors_.push_back(
        {.at = [input](const Index& i) { return input(i); }, .shape = shape});
  }

  void AddStage() {
    static constexpr Maker kMakers[] = {
        &Generator::Unary,        &Generator::Binary,
        &Generator::Binary,       &Generator::Stencil,
        &Generator::Stencil,      &Generator::Pad,
        &Generator::Reduction,    &Generator::Reduction,
        &Generator::Contraction,  &Generator::Contraction,
        &Generator::Window,       &Generator::Window,
        &Generator::Transpose,    &Generator::Gather,
        &Generator::Resample,     &Generator::Detail,
        &Generator::TuplePair,    &Generator::TupleReduction,
        &Generator::Ramp,         &Generator::Scan,
        &Generator::TwoUpdates,   &Generator::PartialUpdate,
        &Generator::TriangularSum};
    (this->*rng_.Pick(kMakers))();
  }

  // ---- Reading ----

  // A tensor to read, for preference one that nothing reads yet; only an input
  // is sure to fit.
  const Tensor Source(int reads = 1, int min_rank = 0) {
    std::vector<size_t> all, fresh;
    for (size_t i = 0; i < tensors_.size(); ++i) {
      const Tensor& t = tensors_[i];
      if (t.inlined_reads * reads > kMaxInlinedReads) continue;
      if (static_cast<int>(t.shape.size()) < min_rank) continue;
      all.push_back(i);
      if (t.func >= 0 && !is_read_[t.func]) fresh.push_back(i);
    }
    if (all.empty()) {
      AddInput(RandomShape());
      return tensors_.back();
    }
    return tensors_[!fresh.empty() && rng_.Chance(0.75) ? rng_.Pick(fresh)
                                                        : rng_.Pick(all)];
  }

  Expr Read(const Tensor& t, const Index& index) {
    if (t.func >= 0) is_read_[t.func] = true;
    Expr value = t.at(index);
    if (t.bound <= kReadBound) return value;
    return clamp(value, static_cast<float>(-kReadBound),
                 static_cast<float>(kReadBound));
  }
  static double Bound(const Tensor& t) {
    return std::min<double>(t.bound, kReadBound);
  }

  size_t Dim(const Tensor& t) { return rng_.Index(t.shape.size()); }

  // ---- Defining ----

  // Not made unique by Halide: the same names whenever it is built.
  Func NewFunc() {
    funcs_.emplace_back(
        Halide::Internal::Function(absl::StrCat("f", funcs_.size())));
    is_read_.push_back(false);
    return funcs_.back();
  }

  static std::vector<Var> Vars(const Shape& shape) {
    std::vector<Var> vars;
    for (size_t d = 0; d < shape.size(); ++d)
      vars.emplace_back(absl::StrCat("v", d));
    return vars;
  }
  static Index AsIndex(const std::vector<Var>& vars) {
    return {vars.begin(), vars.end()};
  }
  // Where sizes are estimates, so may be those of domains.
  RDom Domain(const std::vector<int>& extents) {
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
    return RDom(region, "r");
  }

  void AddTensor(const Func& func, Shape shape, double bound,
                 int inlined_reads) {
    shapes_.push_back(shape);
    tensors_.push_back({.at = [func](const Index& i) { return func(i); },
                        .shape = std::move(shape),
                        .bound = bound,
                        .inlined_reads = inlined_reads,
                        .func = static_cast<int>(funcs_.size()) - 1});
  }
  void AddTuple(const Func& func, const Shape& shape, double bound,
                int inlined_reads) {
    shapes_.push_back(shape);
    for (int i : {0, 1}) {
      tensors_.push_back(
          {.at = [func, i](const Index& index) { return func(index)[i]; },
           .shape = shape,
           .bound = bound,
           .inlined_reads = inlined_reads,
           .func = static_cast<int>(funcs_.size()) - 1});
    }
  }

  void Define(const Shape& shape, double bound, int inlined_reads,
              const std::function<Expr(const Index&)>& value) {
    const Index index = AsIndex(Vars(shape));
    const Expr e = value(index);  // before the new Func can be read
    Func func = NewFunc();
    func(Vars(shape)) = e;
    AddTensor(func, shape, bound, inlined_reads);
  }

  // The sum, maximum or minimum of `term`, whose absolute value is below
  // `bound`.
  void Reduce(const Shape& shape, const std::vector<int>& extents, double bound,
              const std::function<Expr(const Index&, const RDom&)>& term) {
    const std::vector<Var> vars = Vars(shape);
    const RDom r = Domain(extents);
    const Expr e = term(AsIndex(vars), r);
    const int kind = static_cast<int>(rng_.Uniform(0, 3));
    Func func = NewFunc();
    if (kind == 0) {
      func(vars) = -1e9f;
      func(vars) = Halide::max(func(vars), e);
    } else if (kind == 1) {
      func(vars) = 1e9f;
      func(vars) = Halide::min(func(vars), e);
    } else {
      func(vars) = kind == 2 ? 0.0f : 2.0f;
      func(vars) += e;
      bound = bound * Size(extents) + 2;
    }
    AddTensor(func, shape, bound, 1);
  }

  // ---- Kinds of stages ----

  void Unary() {
    const Tensor t = Source();
    const int kind = static_cast<int>(rng_.Uniform(0, 4));
    Define(t.shape, 2 * Bound(t) + 1, t.inlined_reads, [&](const Index& i) {
      const Expr e = Read(t, i);
      switch (kind) {
        case 0:
          return Halide::max(e, 0.0f);
        case 1:
          return Halide::abs(e) - 1.0f;
        case 2:
          return e * 2.0f + 1.0f;
        case 3:
          return Halide::select(e > 1.0f, e, -e);
        default:
          return cast<float>(cast<int>(e) % 5);
      }
    });
  }

  // `u` along some of the dimensions of an index into something of shape
  // `shape`.
  Index Broadcast(const Tensor& u, const Shape& shape, const Index& index) {
    std::vector<size_t> dims(shape.size());
    std::iota(dims.begin(), dims.end(), 0);
    while (dims.size() > u.shape.size())
      dims.erase(dims.begin() + rng_.Index(dims.size()));
    Index result;
    for (size_t d = 0; d < u.shape.size(); ++d) {
      const int extent = u.shape[d];
      if (d >= dims.size() || extent == 1) {
        result.push_back(0);
      } else if (extent >= shape[dims[d]]) {
        result.push_back(index[dims[d]]);
      } else if (rng_.Chance(0.5)) {
        result.push_back(clamp(index[dims[d]], 0, extent - 1));
      } else {
        result.push_back(index[dims[d]] % extent);
      }
    }
    return result;
  }

  void Binary() {
    const Tensor t = Source(2), u = Source(2);
    const int kind = static_cast<int>(rng_.Uniform(0, 4));
    Define(t.shape, Bound(t) * Bound(u) + Bound(t) + Bound(u),
           t.inlined_reads + u.inlined_reads, [&](const Index& i) {
             const Expr a = Read(t, i);
             const Expr b = Read(u, Broadcast(u, t.shape, i));
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
                 return Halide::select(a > b, a, b + 1.0f);
             }
           });
  }

  // Weighted sum of neighbours along one or two dimensions.
  void Stencil() {
    const Tensor t = Source(9, 1);
    const bool two = t.shape.size() > 1 && rng_.Chance(0.5);
    const size_t first = Dim(t);
    const size_t second =
        (first + 1 + rng_.Index(std::max<size_t>(t.shape.size() - 1, 1))) %
        t.shape.size();
    const int step = static_cast<int>(rng_.Uniform(1, 2));  // dilation
    const int border = static_cast<int>(rng_.Uniform(0, 2));
    Shape shape = t.shape;
    bool shrinks = border == 2;
    for (size_t d : {first, second}) {
      if ((d == first || two) && shape[d] <= 2 * step) shrinks = false;
    }
    if (shrinks) shape[first] -= 2 * step;
    if (shrinks && two) shape[second] -= 2 * step;
    const auto neighbour = [&](Index i, int a, int b) {
      Expr inside = Halide::Internal::const_true();
      const auto move = [&](size_t d, int offset) {
        if (shrinks) {
          i[d] = i[d] + (offset + 1) * step;
          return;
        }
        const Expr moved = i[d] + offset * step;
        inside = inside && moved >= 0 && moved < t.shape[d];
        i[d] = clamp(moved, 0, t.shape[d] - 1);
      };
      move(first, a);
      if (two) move(second, b);
      const Expr value = Read(t, i);
      return border == 0 || shrinks ? value
                                    : Halide::select(inside, value, 0.0f);
    };
    Define(shape, 36 * Bound(t), t.inlined_reads * (two ? 9 : 3),
           [&](const Index& i) {
             Expr sum = 0.0f;
             for (int a = -1; a <= 1; ++a) {
               for (int b = two ? -1 : 0; b <= (two ? 1 : 0); ++b)
                 sum += neighbour(i, a, b) * static_cast<float>(a + 2 * b + 4);
             }
             return sum;
           });
  }

  void Pad() {
    const Tensor t = Source(1, 1);
    const size_t d = Dim(t);
    const int before = static_cast<int>(rng_.Uniform(0, 2));
    const int after = static_cast<int>(rng_.Uniform(before == 0, 3));
    Shape shape = t.shape;
    shape[d] += before + after;
    if (Size(shape) > kMaxElements) return;
    Define(shape, Bound(t), t.inlined_reads, [&](Index i) {
      const Expr moved = i[d] - before;
      i[d] = clamp(moved, 0, t.shape[d] - 1);
      return Halide::select(moved >= 0 && moved < t.shape[d], Read(t, i), 0.0f);
    });
  }

  // Over one or more whole dimensions.
  void Reduction() {
    const Tensor t = Source(1, 1);
    std::vector<bool> reduced(t.shape.size());
    reduced[Dim(t)] = true;
    if (rng_.Chance(0.4)) reduced[Dim(t)] = true;
    if (rng_.Chance(0.2)) reduced.flip();
    Shape shape;
    std::vector<int> extents;
    for (size_t d = 0; d < t.shape.size(); ++d)
      (reduced[d] ? extents : shape).push_back(t.shape[d]);
    if (extents.empty() || Size(extents) > kMaxReduction) return;
    Reduce(shape, extents, Bound(t), [&](const Index& i, const RDom& r) {
      Index index;
      int from_r = 0;
      size_t from_i = 0;
      for (size_t d = 0; d < t.shape.size(); ++d) {
        if (reduced[d]) {
          index.push_back(r[from_r++]);
        } else {
          index.push_back(i[from_i++]);
        }
      }
      return Read(t, index);
    });
  }

  // The products of two tensors, summed over one or two dimensions of both.
  void Contraction() {
    const Tensor t = Source(1, 1), u = Source(1, 1);
    const size_t td = Dim(t), ud = Dim(u);
    const std::vector<int> extents = {std::min(t.shape[td], u.shape[ud])};
    Shape shape;
    for (size_t d = 0; d < t.shape.size(); ++d) {
      if (d != td) shape.push_back(t.shape[d]);
    }
    for (size_t d = 0; d < u.shape.size(); ++d) {
      if (d != ud) shape.push_back(u.shape[d]);
    }
    if (shape.size() > kMaxRank || Size(shape) > kMaxElements ||
        Size(shape) * extents[0] > kMaxWork) {
      return;
    }
    Reduce(shape, extents, Bound(t) * Bound(u),
           [&](const Index& i, const RDom& r) {
             size_t next = 0;
             Index ti, ui;
             for (size_t d = 0; d < t.shape.size(); ++d)
               ti.push_back(d == td ? Expr(r[0]) : i[next++]);
             for (size_t d = 0; d < u.shape.size(); ++d)
               ui.push_back(d == ud ? Expr(r[0]) : i[next++]);
             return Read(t, ti) * Read(u, ui);
           });
  }

  // A reduction over strided, dilated windows, as in convolutions and pooling;
  // sometimes weighted.
  void Window() {
    const Tensor t = Source(1, 1);
    const size_t first = Dim(t), second = Dim(t);
    std::vector<size_t> dims = {first};
    if (second != first) dims.push_back(second);
    const int stride = static_cast<int>(rng_.Uniform(1, 3));
    const int dilation = static_cast<int>(rng_.Uniform(1, 2));
    Shape shape = t.shape;
    std::vector<int> extents;
    for (size_t d : dims) {
      const int window = static_cast<int>(rng_.Uniform(1, 4));
      const int covered = (window - 1) * dilation + 1;
      if (covered > t.shape[d]) return;
      shape[d] = (t.shape[d] - covered) / stride + 1;
      extents.push_back(window);
    }
    const bool weighted = rng_.Chance(0.5);
    if (weighted) AddInput(extents);
    const Tensor weights = tensors_.back();
    Reduce(shape, extents, Bound(t) * kRandomInputBound,
           [&](Index i, const RDom& r) {
             Index w;
             for (size_t k = 0; k < dims.size(); ++k) {
               const int which = static_cast<int>(k);
               i[dims[k]] = i[dims[k]] * stride + r[which] * dilation;
               w.push_back(r[which]);
             }
             const Expr value = Read(t, i);
             return weighted ? value * Read(weights, w) : value;
           });
  }

  void Transpose() {
    const Tensor t = Source(1, 2);
    std::vector<size_t> order(t.shape.size());
    std::iota(order.begin(), order.end(), 0);
    rng_.Shuffle(order);
    Shape shape;
    for (size_t d : order) shape.push_back(t.shape[d]);
    Define(shape, Bound(t) + 1, t.inlined_reads, [&](const Index& i) {
      Index index(order.size());
      for (size_t d = 0; d < order.size(); ++d) index[order[d]] = i[d];
      return Read(t, index) + 1.0f;
    });
  }

  // One index comes from a tensor.
  void Gather() {
    const Tensor t = Source(2, 1);
    const Tensor table = Source(2, 1);
    // What is read at a single element Halide wants to know before it says how
    // large inputs are to be.
    if (sizes_ == Sizes::kEstimates && table.shape[0] == 1) return;
    const size_t d = Dim(t);
    Shape shape = t.shape;
    shape[d] = table.shape[0];
    if (Size(shape) > kMaxElements) return;
    Define(shape, Bound(t), t.inlined_reads + table.inlined_reads,
           [&](Index i) {
             Index at(table.shape.size(), 0);
             at[0] = i[d];
             i[d] = clamp(cast<int>(Read(table, at)) + 1, 0, t.shape[d] - 1);
             return Read(t, i);
           });
  }

  static int PartsOf(int extent, int factor) {
    return static_cast<int>(CeilDiv(extent, factor));
  }

  // At every `factor`-th index along a dimension, and the next one.
  Expr ReadDown(const Tensor& t, size_t d, int factor, const Index& i) {
    Index a = i, b = i;
    a[d] = i[d] * factor;
    b[d] = Halide::min(i[d] * factor + 1, t.shape[d] - 1);
    return Read(t, a) + Read(t, b);
  }
  // Each `factor` times, and a mean in between.
  Expr ReadUp(const Tensor& t, size_t d, int factor, const Index& i) {
    Index a = i, b = i;
    a[d] = i[d] / factor;
    b[d] = Halide::min((i[d] + 1) / factor, t.shape[d] - 1);
    return Read(t, a) + Read(t, b);
  }

  void Resample() {
    const Tensor t = Source(2, 1);
    const size_t d = Dim(t);
    const int factor = static_cast<int>(rng_.Uniform(2, 3));
    const bool up = rng_.Chance(0.5);
    Shape shape = t.shape;
    shape[d] = up ? shape[d] * factor : PartsOf(shape[d], factor);
    if (Size(shape) > kMaxElements) return;
    Define(shape, 2 * Bound(t), 2 * t.inlined_reads, [&](const Index& i) {
      return up ? ReadUp(t, d, factor, i) : ReadDown(t, d, factor, i);
    });
  }

  // A level of a pyramid: what a smaller image lacks.
  void Detail() {
    const Tensor t = Source(5, 1);
    const size_t d = Dim(t);
    const int factor = static_cast<int>(rng_.Uniform(2, 3));
    Shape shape = t.shape;
    shape[d] = PartsOf(shape[d], factor);
    Define(shape, 2 * Bound(t), 2 * t.inlined_reads,
           [&](const Index& i) { return ReadDown(t, d, factor, i); });
    const Tensor small = tensors_.back();
    Define(t.shape, Bound(t) + 2 * Bound(small),
           t.inlined_reads + 2 * small.inlined_reads, [&](const Index& i) {
             return Read(t, i) - ReadUp(small, d, factor, i);
           });
  }

  void TuplePair() {
    const Tensor t = Source(2);
    const Index index = AsIndex(Vars(t.shape));
    const Expr e = Read(t, index);
    Func func = NewFunc();
    func(Vars(t.shape)) = Halide::Tuple(e + 1.0f, Halide::max(e, 0.0f));
    AddTuple(func, t.shape, Bound(t) + 1, t.inlined_reads);
  }

  // The sum and the maximum along a dimension.
  void TupleReduction() {
    const Tensor t = Source(1, 1);
    const size_t d = Dim(t);
    Shape shape = t.shape;
    shape.erase(shape.begin() + d);
    const std::vector<Var> vars = Vars(shape);
    const RDom r = Domain({t.shape[d]});
    Index index = AsIndex(vars);
    index.insert(index.begin() + d, r[0]);
    const Expr e = Read(t, index);
    Func func = NewFunc();
    func(vars) = Halide::Tuple(0.0f, -1e9f);
    func(vars) =
        Halide::Tuple(func(vars)[0] + e, Halide::max(func(vars)[1], e));
    AddTuple(func, shape, Bound(t) * t.shape[d], 1);
  }

  // Reads nothing.
  void Ramp() {
    const Shape shape = RandomShape();
    Define(shape, 8, 1, [&](const Index& i) {
      Expr sum = 0;
      for (const Expr& e : i) sum = sum * 3 + e;
      return cast<float>(sum % 8);
    });
  }

  // ---- Definitions that are computed as written ----

  void Scan() {
    const Tensor t = Source(1, 1);
    const size_t d = Dim(t);
    if (t.shape[d] < 2) return;
    const std::vector<Var> vars = Vars(t.shape);
    Index index = AsIndex(vars);
    const Expr start = Read(t, index);
    const RDom r({{1, t.shape[d] - 1}}, "r");
    Index here = index, before = index;
    here[d] = r[0];
    before[d] = r[0] - 1;
    Func func = NewFunc();
    func(vars) = start;
    func(here) = func(before) + func(here);
    AddTensor(func, t.shape, Bound(t) * t.shape[d], 1);
  }

  void TwoUpdates() {
    const Tensor t = Source(1, 1);
    const size_t d = Dim(t);
    // The second update doubles once per element of the domain.
    if (t.shape[d] > 8) return;
    Shape shape = t.shape;
    shape.erase(shape.begin() + d);
    const std::vector<Var> vars = Vars(shape);
    const RDom r = Domain({t.shape[d]});
    Index index = AsIndex(vars);
    index.insert(index.begin() + d, r[0]);
    const Expr e = Read(t, index);
    Func func = NewFunc();
    func(vars) = 1.0f;
    func(vars) += e;
    func(vars) = Halide::max(func(vars) * 2.0f, e);
    AddTensor(func, shape, 1e5, 1);
  }

  void PartialUpdate() {
    const Tensor t = Source(1, 1);
    const size_t d = Dim(t);
    const std::vector<Var> vars = Vars(t.shape);
    const Expr e = Read(t, AsIndex(vars));
    Func func = NewFunc();
    func(vars) = e;
    Index edge = AsIndex(vars);
    edge[d] = t.shape[d] / 2;
    func(edge) += 5.0f;
    AddTensor(func, t.shape, Bound(t) + 5, 1);
  }

  void TriangularSum() {
    const Tensor t = Source(1, 1);
    const size_t d = Dim(t);
    const std::vector<Var> vars = Vars(t.shape);
    RDom r = Domain({t.shape[d]});
    r.where(r[0] <= vars[d]);
    Index index = AsIndex(vars);
    index[d] = r[0];
    const Expr e = Read(t, index);
    if (Size(t.shape) * t.shape[d] > kMaxWork) return;
    Func func = NewFunc();
    func(vars) = 0.0f;
    func(vars) += e;
    AddTensor(func, t.shape, Bound(t) * t.shape[d], 1);
  }

  // ---- The pipeline ----

  // The last Func, and sometimes others. Only Funcs of one value: tuples cannot
  // be outputs.
  std::vector<Func> ChooseOutputs() {
    if (funcs_.back().outputs() != 1) Binary();
    std::vector<Func> outputs;
    const bool several = rng_.Chance(0.5);
    for (size_t i = 0; i < funcs_.size(); ++i) {
      const bool last = i + 1 == funcs_.size();
      if (funcs_[i].outputs() != 1) continue;
      if (!last && !(several && (!is_read_[i] || rng_.Chance(0.15)))) continue;
      Func output = funcs_[i];
      for (size_t d = 0; d < shapes_[i].size(); ++d) {
        if (sizes_ == Sizes::kEstimates) {
          output.set_estimate(output.args()[d], 0, shapes_[i][d]);
        } else {
          output.bound(output.args()[d], 0, shapes_[i][d]);
        }
      }
      outputs.push_back(output);
    }
    rng_.Shuffle(outputs);
    return outputs;
  }

  std::string Text(const std::vector<Func>& outputs) const {
    std::ostringstream text;
    for (size_t i = 0; i < funcs_.size(); ++i) {
      const Halide::Internal::Function function = funcs_[i].function();
      text << function.name() << " [";
      for (size_t d = shapes_[i].size(); d-- > 0;)
        text << shapes_[i][d] << (d > 0 ? " x " : "");
      text << "]";
      for (const Func& output : outputs) {
        if (output.name() == function.name()) text << " (output)";
      }
      for (const Expr& value : function.values()) text << " = " << value;
      for (const auto& update : function.updates()) {
        text << "; over (";
        for (const auto& r : update.schedule().rvars())
          text << r.var << " " << r.min << "+" << r.extent << ", ";
        text << "):";
        for (const Expr& value : update.values()) text << " = " << value;
      }
      text << "\n";
    }
    return text.str();
  }

  Rng rng_;
  const StageLimits stages_;
  const Sizes sizes_;
  int num_inputs_ = 0, num_sizes_ = 0;
  std::vector<Tensor> tensors_;
  std::vector<Func> funcs_;
  std::vector<Shape> shapes_;  // by Func
  std::vector<bool> is_read_;  // by Func
};

}  // namespace

RandomPipeline MakeRandomPipeline(uint64_t seed, const StageLimits& stages,
                                  Sizes sizes) {
  return Generator(seed, stages, sizes).Make();
}

}  // namespace pruner
