// A workload from the bytes of a file: a pipeline as Halide::serialize_pipeline
// writes it, or sealed, as workloads carry it.
#ifndef HALIDE_EXT_BUILD_PIPELINE_FILE_H_
#define HALIDE_EXT_BUILD_PIPELINE_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "halide_ext/build/input_sizes.h"
#include "pruner/measure/measurer.h"

namespace pruner {

// Whether the bytes begin like Workload::pipeline.
bool IsSealedPipeline(absl::string_view bytes);

// Whether the bytes are sealed and whole, or pass CheckPipelineBytes. Runs
// nothing of Halide's. `file` is for the error's text.
absl::Status CheckPipelineFile(absl::string_view bytes, absl::string_view file);

// Has Halide read what it serialized, which passed CheckPipelineFile: if the
// bytes are damaged all the same, the process may crash. (halide_ext/runner has
// LoadPipelineFile, which does that in a process of its own.) Errors: those of
// MakeWorkload; sizes of what is no input, or of other dimensions; a name
// that cannot be printed; a Func that is scheduled, for schedules are made from
// scratch.
absl::StatusOr<Workload> WorkloadFromHalide(const std::string& name,
                                            const std::vector<uint8_t>& bytes,
                                            const InputSizes& sizes = {});

// Workload::pipeline as a workload again, which keeps the bytes. Errors: they
// are damaged or something else; those of MakeWorkload.
absl::StatusOr<Workload> WorkloadFromSealed(const std::string& name,
                                            const std::string& sealed);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_PIPELINE_FILE_H_
