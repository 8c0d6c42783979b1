// Pipelines that users hand in as files. Halide's reader crashes on files that
// are damaged, so it first reads them in a process of its own.
#ifndef HALIDE_EXT_RUNNER_PIPELINE_LOADER_H_
#define HALIDE_EXT_RUNNER_PIPELINE_LOADER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "halide_ext/build/input_sizes.h"
#include "pruner/measure/measurer.h"

namespace pruner {

struct PipelineLoaderOptions {
  // Starts a worker: a program whose main begins with RunIfWorker. By default
  // the running program.
  std::vector<std::string> command = {"/proc/self/exe"};
  // Of those whose size cannot be told from what is read of them.
  InputSizes input_sizes = {};
  absl::Duration timeout = absl::Seconds(60);
  int64_t max_memory_bytes = int64_t{6} << 30;  // address space of the worker
};

// The workload of a file that Halide::serialize_pipeline wrote, or that holds
// Workload::pipeline. All errors name the file and are the user's to mend,
// unless the worker cannot be started: it cannot be read; it is too large, of
// another Halide version, cut off or damaged (also when Halide's reader crashes
// on it or finds no end); a size is missing; what MakeWorkload refuses.
absl::StatusOr<Workload> LoadPipelineFile(
    const std::string& path, const std::string& name,
    const PipelineLoaderOptions& options = {});

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_PIPELINE_LOADER_H_
