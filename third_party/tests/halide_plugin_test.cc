// An autoscheduler loaded as a plugin, and how many libHalide the process then
// has.
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "Halide.h"
#include "gtest/gtest.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace {

using bazel::tools::cpp::runfiles::Runfiles;
using Halide::Func;
using Halide::Pipeline;
using Halide::Var;

// How many different files of this name are mapped. (dl_iterate_phdr would do,
// but <link.h> brings macros that break Halide.h.)
int CountLoaded(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> paths;
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(name)) paths.insert(line.substr(line.find('/')));
  }
  return paths.size();
}

TEST(HalidePluginTest, SchedulesAndRuns) {
  std::string error;
  std::unique_ptr<Runfiles> runfiles(Runfiles::CreateForTest(&error));
  ASSERT_NE(runfiles, nullptr) << error;
  Halide::load_plugin(
      runfiles->Rlocation("pruner/third_party/tests/libautoschedule_toy.so"));
  EXPECT_EQ(CountLoaded("/libHalide.so"), 1);

  Func f("f");
  Var x("x"), y("y");
  f(x, y) = Halide::cast<float>(x + 10 * y);
  f.set_estimates({{0, 64}, {0, 64}});
  Pipeline p(f);
  const Halide::Target target = Halide::get_jit_target_from_environment();
  const Halide::AutoSchedulerResults results =
      p.apply_autoscheduler(target, {"Toy"});
  EXPECT_EQ(results.schedule_source, "// Toy: vectorize and parallel\n");
  Halide::Buffer<float> out = p.realize({64, 64}, target);
  EXPECT_EQ(out(3, 4), 43.0f);
}

}  // namespace
