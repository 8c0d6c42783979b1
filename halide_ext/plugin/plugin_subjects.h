// Pipelines of all kinds for tests of the plugin, and the plugin as Halide's
// users have it.
#ifndef HALIDE_EXT_PLUGIN_PLUGIN_SUBJECTS_H_
#define HALIDE_EXT_PLUGIN_PLUGIN_SUBJECTS_H_

#include <functional>
#include <map>
#include <ostream>
#include <string>

#include "Halide.h"

namespace pruner {

// Estimates of outputs; inputs are larger by what stencils and products need.
inline constexpr int kWidth = 200, kHeight = 120;

// A pipeline with its inputs, made anew for each schedule.
struct Subject {
  Halide::Pipeline pipeline;
  Halide::ImageParam input;
  // Gives numbers other values than their estimates.
  std::function<void()> set_params = [] {};
};

struct Kind {
  const char* name;
  Subject (*make)();
};

void PrintTo(const Kind& kind, std::ostream* out);

Subject Blur();
Subject Unsharp();
Subject Equalize();
Subject Pyramid();
Subject Product();
// In rows over the whole image, whose width only the input knows.
Subject RowSums();
// A parameter says which of two Funcs is wanted.
Subject Switched();
// Products that Halide makes no vectors of, in a stage and in the output.
Subject Doubles();
Subject DoubleOutput();
// `pairs` and `sums`, which it is computed in, are scheduled.
Subject PartlyScheduled();

// Without a schedule; but what has updates is computed once, not for each
// pixel.
Subject Plain(const Kind& kind);

// An empty image, and a failure, where Halide refuses something.
Halide::Buffer<> ImageBy(
    Subject& subject, int width, int height,
    const Halide::Target& target = Halide::get_host_target());

// Floats may differ in their last bits: sums come in another order.
bool SameImage(const Halide::Buffer<>& a, const Halide::Buffer<>& b);

// Makes the plugin known to this process.
void LoadPlugin();

Halide::AutoSchedulerResults Autoschedule(
    Subject& subject,
    const std::map<std::string, std::string>& params = {{"parallelism", "2"},
                                                        {"strict", "1"}},
    const Halide::Target& target = Halide::get_host_target());

// Halide's words where it refuses what the action does; else empty.
std::string ErrorOf(const std::function<void()>& action);

}  // namespace pruner

#endif  // HALIDE_EXT_PLUGIN_PLUGIN_SUBJECTS_H_
