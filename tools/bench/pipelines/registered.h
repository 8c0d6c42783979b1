// Pipelines that generators compiled ahead of time and that are linked into
// this program.
#ifndef TOOLS_BENCH_PIPELINES_REGISTERED_H_
#define TOOLS_BENCH_PIPELINES_REGISTERED_H_

#include <map>
#include <string>

#include "HalideRuntime.h"

namespace pruner {

struct CompiledPipeline {
  int (*call)(void** arguments) = nullptr;
  const halide_filter_metadata_t* metadata = nullptr;
};

// By pipeline, by schedule: those whose function is PIPELINE_by_SCHEDULE.
const std::map<std::string, std::map<std::string, CompiledPipeline>>&
RegisteredPipelines();

}  // namespace pruner

#endif  // TOOLS_BENCH_PIPELINES_REGISTERED_H_
