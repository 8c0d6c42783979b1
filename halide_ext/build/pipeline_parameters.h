// The parameters of a pipeline, which Halide serializes only by name and type.
#ifndef HALIDE_EXT_BUILD_PIPELINE_PARAMETERS_H_
#define HALIDE_EXT_BUILD_PIPELINE_PARAMETERS_H_

#include <map>
#include <string>

#include "Halide.h"
#include "halide_ext/analyze/definitions.h"
#include "halide_ext/build/stored_pipeline.pb.h"

namespace pruner {

// By name: input buffers and numbers that the pipeline's definitions, extern
// stages or reduction domains read.
std::map<std::string, Halide::Parameter> ParametersOf(
    const Halide::Pipeline& pipeline);

// As Halide serializes it; if sizes are estimates with the bounds, or else the
// estimates, of those of its inputs that have some in every dimension, and with
// the estimates, or else the defaults, of its numbers.
proto::StoredPipeline StorePipeline(const Halide::Pipeline& pipeline,
                                    Sizes sizes);

// The pipeline again, unscheduled, with the parameters that are given: those of
// what Halide serialized, with what was stored of them.
std::map<std::string, Halide::Parameter> StoredParameters(
    const proto::StoredPipeline& stored);
Halide::Pipeline DeserializePipeline(
    const proto::StoredPipeline& stored,
    const std::map<std::string, Halide::Parameter>& parameters);
Halide::Pipeline DeserializePipeline(const proto::StoredPipeline& stored);

Sizes SizesOf(const proto::StoredPipeline& stored);

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_PIPELINE_PARAMETERS_H_
