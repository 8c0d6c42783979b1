// Prints the sample schedules as C++, and a table of the printed functions.
#include <iostream>

#include "absl/log/check.h"
#include "halide_ext/lower/lower.h"
#include "halide_ext/tests/sample_schedules.h"
#include "pruner/target/sample_targets.h"

int main() {
  const std::vector<pruner::SampleSchedule> samples = pruner::SampleSchedules();
  for (const pruner::SampleSchedule& sample : samples) {
    const auto directives = pruner::LowerSchedule(
        sample.schedule, sample.analyzed, pruner::SampleCpuTarget());
    CHECK_OK(directives.status());
    std::cout << pruner::PrintDirectives(*directives, sample.name);
  }
  std::cout << "inline constexpr void (*kPrintedSchedules[])(\n"
               "    std::map<std::string, Halide::Func>) = {\n";
  for (const pruner::SampleSchedule& sample : samples)
    std::cout << "    " << sample.name << ",\n";
  std::cout << "};\n";
}
