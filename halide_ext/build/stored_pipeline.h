// A pipeline as bytes, and back.
#ifndef HALIDE_EXT_BUILD_STORED_PIPELINE_H_
#define HALIDE_EXT_BUILD_STORED_PIPELINE_H_

#include <cstdint>
#include <map>
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
// a hash: Halide's reader trusts its input and crashes on anything else.
std::string SealPipeline(const Halide::Pipeline& pipeline,
                         const PipelineRegions& regions);

// Whether the bytes begin like what SealPipeline returns.
bool IsSealed(absl::string_view bytes);

// Error: the bytes are damaged or something else.
absl::StatusOr<proto::StoredPipeline> UnsealPipeline(absl::string_view sealed);

// The pipeline's parameters with the bounds that were stored for them. `bytes`
// is what Halide serialized.
std::map<std::string, Halide::Parameter> BoundedParameters(
    const std::vector<uint8_t>& bytes, const proto::StoredPipeline& stored);

// A fresh pipeline, unscheduled, with all shapes fixed and the outputs in the
// order of the arguments.
Halide::Pipeline MakePipeline(const std::vector<uint8_t>& bytes,
                              const std::vector<KernelArgument>& arguments);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_STORED_PIPELINE_H_
