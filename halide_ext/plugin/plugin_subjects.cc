#include "halide_ext/plugin/plugin_subjects.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "gtest/gtest.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {
namespace {

using bazel::tools::cpp::runfiles::Runfiles;
using Halide::Buffer;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Param;
using Halide::RDom;
using Halide::Var;

// By so much inputs are larger than outputs: what stencils and products need.
constexpr int kMore = 60;

Var x("x"), y("y"), c("c");

// An image whose elements are those of no pattern.
template <typename T>
Buffer<> Image(int width, int height) {
  Buffer<T> image(width, height);
  image.for_each_element([&](int i, int j) {
    const uint32_t bits = (i * 7919u + j * 104729u) * 2654435761u;
    image(i, j) = static_cast<T>(static_cast<int32_t>(bits >> 24));
  });
  return image;
}

Buffer<> ImageOf(const Halide::Type& type, int width, int height) {
  if (type == Halide::UInt(8)) return Image<uint8_t>(width, height);
  if (type == Halide::UInt(16)) return Image<uint16_t>(width, height);
  if (type == Halide::Int(16)) return Image<int16_t>(width, height);
  return Image<float>(width, height);
}

template <typename T>
bool AreEqual(const Buffer<>& a, const Buffer<>& b) {
  const Buffer<T> first = a, second = b;
  bool equal = true;
  first.for_each_element([&](int i, int j) {
    const T p = first(i, j), q = second(i, j);
    const double scale = std::max(1.0, std::abs(static_cast<double>(p)));
    // Sums of floats come in another order.
    const double error = std::is_same_v<T, float> ? 1e-4 * scale : 0;
    equal = equal &&
            std::abs(static_cast<double>(p) - static_cast<double>(q)) <= error;
  });
  return equal;
}

}  // namespace

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

Subject Blur() {
  ImageParam in(Halide::UInt(16), 2, "in");
  Func rows("rows"), out("out");
  rows(x, y) = (in(x, y) + in(x + 1, y) + in(x + 2, y)) / 3;
  out(x, y) = (rows(x, y) + rows(x, y + 1) + rows(x, y + 2)) / 3;
  return {.pipeline = out, .input = in};
}

Subject Unsharp() {
  ImageParam in(Halide::UInt(8), 2, "in");
  Param<float> strength("strength", 1.5f);
  strength.set_estimate(1.5f);
  const Func edge = Halide::BoundaryConditions::repeat_edge(in);
  Func wide("wide"), rows("rows"), both("both"), out("out");
  wide(x, y) = cast<float>(edge(x, y));
  rows(x, y) = wide(x - 1, y) + 2 * wide(x, y) + wide(x + 1, y);
  both(x, y) = (rows(x, y - 1) + 2 * rows(x, y) + rows(x, y + 1)) / 16;
  out(x, y) = cast<uint8_t>(Halide::clamp(
      wide(x, y) + strength * (wide(x, y) - both(x, y)), 0.0f, 255.0f));
  return {.pipeline = out, .input = in, .set_params = [strength]() mutable {
            strength.set(0.7f);
          }};
}

Subject Equalize() {
  ImageParam in(Halide::UInt(8), 2, "in");
  Func histogram("histogram"), sums("sums"), out("out");
  RDom r(in), bins(1, 255);
  histogram(x) = 0;
  histogram(cast<int>(in(r.x, r.y))) += 1;
  sums(x) = histogram(0);
  sums(bins) = sums(bins - 1) + histogram(bins);
  out(x, y) = cast<uint8_t>(sums(cast<int>(in(x, y))) * 255 /
                            Halide::max(1, in.width() * in.height()));
  return {.pipeline = out, .input = in};
}

Subject Pyramid() {
  ImageParam in(Halide::Float(32), 2, "in");
  const Func edge = Halide::BoundaryConditions::mirror_interior(in);
  Func small("small"), smaller("smaller"), up("up"), out("out");
  small(x, y) = (edge(2 * x, 2 * y) + edge(2 * x + 1, 2 * y) +
                 edge(2 * x, 2 * y + 1) + edge(2 * x + 1, 2 * y + 1)) /
                4;
  smaller(x, y) = (small(2 * x - 1, y) + small(2 * x, y)) / 2;
  up(x, y) = small(x, y) - (smaller(x / 2, y) + smaller((x + 1) / 2, y)) / 2;
  out(x, y) = edge(x, y) - up(x / 2, y / 2);
  return {.pipeline = out, .input = in};
}

Subject Product() {
  ImageParam in(Halide::Float(32), 2, "in");
  Func product("product"), out("out");
  RDom k(0, 50, "k");
  product(x, y) += in(x, k) * in(k, y);
  out(x, y) = Halide::max(product(x, y), 0.0f);
  return {.pipeline = out, .input = in};
}

Subject RowSums() {
  ImageParam in(Halide::Int(16), 2, "in");
  Func sums("sums"), out("out");
  RDom r(0, in.width(), "r");
  sums(y) += cast<int>(in(r, y));
  out(x, y) = sums(y) - cast<int>(in(x, y)) * in.width();
  return {.pipeline = out, .input = in};
}

Subject Switched() {
  ImageParam in(Halide::UInt(8), 2, "in");
  Param<bool> is_wide("is_wide", false);
  is_wide.set_estimate(false);
  Func wide("wide"), narrow("narrow"), out("out");
  wide(x, y) = cast<uint16_t>(in(x, y)) + in(x + 4, y) + in(x, y + 4);
  narrow(x, y) = cast<uint16_t>(in(x, y)) + in(x + 1, y);
  out(x, y) = Halide::select(is_wide, wide(x, y) / 3 + wide(x, y + 1) / 3,
                             narrow(x, y) / 2);
  return {.pipeline = out, .input = in, .set_params = [is_wide]() mutable {
            is_wide.set(true);
          }};
}

Subject Doubles() {
  ImageParam in(Halide::UInt(16), 2, "in");
  Func halves("halves"), out("out");
  halves(x, y) = cast<double>(in(x, y)) * Expr(0.5);
  out(x, y) = halves(x, y) + halves(x + 1, y) + halves(x, y + 2);
  return {.pipeline = out, .input = in};
}

Subject DoubleOutput() {
  ImageParam in(Halide::UInt(16), 2, "in");
  Func sums("sums"), out("out");
  sums(x, y) = in(x, y) + in(x + 1, y + 2);
  const Expr sum = cast<double>(sums(x, y));
  out(x, y) = sum + sum;
  return {.pipeline = out, .input = in};
}

Subject PartlyScheduled() {
  ImageParam in(Halide::Int(16), 2, "in");
  Func pairs("pairs"), sums("sums"), wide("wide"), out("out");
  Var inner("inner");
  pairs(x, y) = in(x, y) + in(x + 1, y);
  sums(x, y) = pairs(x, y) + pairs(x, y + 1);
  wide(x, y) = cast<int>(sums(x, y)) * sums(x + 3, y);
  out(x, y) = wide(x, y) - wide(x, y + 2);
  constexpr auto kGuard = Halide::TailStrategy::GuardWithIf;
  sums.compute_root().split(x, x, inner, 8, kGuard).vectorize(inner);
  pairs.compute_at(sums, y).vectorize(x, 4, kGuard);
  return {.pipeline = out, .input = in};
}

Subject Plain(const Kind& kind) {
  Subject subject = kind.make();
  for (size_t i = 0;; ++i) {
    Func func = subject.pipeline.get_func(i);
    if (func.name() == subject.pipeline.outputs()[0].name()) return subject;
    if (func.has_update_definition()) func.compute_root();
  }
}

Buffer<> ImageBy(Subject& subject, int width, int height,
                 const Halide::Target& target) {
  subject.input.set(
      ImageOf(subject.input.type(), width + kMore, height + kMore));
  try {
    Buffer<> image = subject.pipeline.realize({width, height}, target)[0];
    image.copy_to_host();
    return image;
  } catch (const Halide::Error& error) {
    ADD_FAILURE() << error.what();
    return {};
  }
}

bool SameImage(const Buffer<>& a, const Buffer<>& b) {
  if (!a.defined() || !b.defined()) return false;
  const Halide::Type type = a.type();
  if (type == Halide::UInt(8)) return AreEqual<uint8_t>(a, b);
  if (type == Halide::UInt(16)) return AreEqual<uint16_t>(a, b);
  if (type == Halide::Int(32)) return AreEqual<int32_t>(a, b);
  if (type == Halide::Float(64)) return AreEqual<double>(a, b);
  return AreEqual<float>(a, b);
}

void LoadPlugin() {
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::CreateForTest(&error));
  ASSERT_NE(runfiles, nullptr) << error;
  Halide::load_plugin(runfiles->Rlocation(
      "pruner/halide_ext/plugin/libautoschedule_pruner.so"));
}

Halide::AutoSchedulerResults Autoschedule(
    Subject& subject, const std::map<std::string, std::string>& params,
    const Halide::Target& target) {
  for (Func output : subject.pipeline.outputs())
    output.set_estimate(x, 0, kWidth).set_estimate(y, 0, kHeight);
  subject.input.dim(0).set_estimate(0, kWidth + kMore);
  subject.input.dim(1).set_estimate(0, kHeight + kMore);
  return subject.pipeline.apply_autoscheduler(target, {"Pruner", params});
}

std::string ErrorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Halide::CompileError& error) {
    return error.what();
  }
  return "";
}

}  // namespace pruner
