// A pipeline as bytes, and back.
#ifndef HALIDE_EXT_BUILD_STORED_PIPELINE_H_
#define HALIDE_EXT_BUILD_STORED_PIPELINE_H_

#include <string>
#include <vector>

#include "Halide.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "halide_ext/analyze/regions.h"
#include "halide_ext/build/kernel_argument.h"
#include "halide_ext/build/stored_pipeline.pb.h"

namespace pruner {

// The pipeline with the bounds of its inputs, which are those of `regions`, and
// a hash: Halide's reader trusts its input and crashes on anything else. If
// sizes are estimates, also with those of its numbers.
std::string SealPipeline(const Halide::Pipeline& pipeline,
                         const PipelineRegions& regions, Sizes sizes);

// Whether the bytes begin like what SealPipeline returns.
bool IsSealed(absl::string_view bytes);

// Error: the bytes are damaged or something else.
absl::StatusOr<proto::StoredPipeline> UnsealPipeline(absl::string_view sealed);

// A fresh pipeline, unscheduled, with the outputs in the order of the
// arguments, and with all shapes fixed to theirs unless sizes are estimates.
Halide::Pipeline MakePipeline(const proto::StoredPipeline& stored,
                              const std::vector<KernelArgument>& arguments);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_STORED_PIPELINE_H_
