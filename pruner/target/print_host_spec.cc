// Prints what Pruner takes this machine to be.
//   bazel run //pruner/target:print_host_spec -- --measure_again

#include <iostream>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "pruner/target/host_spec.h"
#include "pruner/target/target_spec.h"

ABSL_FLAG(bool, measure_again, false,
          "measure the peaks even if they are cached");
ABSL_FLAG(std::string, cache_dir, pruner::DefaultCacheDirectory(),
          "where the description is kept between runs; empty: nowhere");

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("Prints the target \"host\" as text.");
  absl::ParseCommandLine(argc, argv);
  const absl::StatusOr<pruner::TargetSpec> spec = pruner::HostTargetSpec(
      {.cache_directory = absl::GetFlag(FLAGS_cache_dir),
       .measure_again = absl::GetFlag(FLAGS_measure_again),
       .note = [](absl::string_view text) { std::cerr << text << "\n"; }});
  if (!spec.ok()) {
    std::cerr << spec.status().message() << "\n";
    return 1;
  }
  std::cout << pruner::TargetSpecToText(*spec);
  return 0;
}
