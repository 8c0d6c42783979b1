// A network in files that programs in other languages read without any of our
// code.
#ifndef MODELS_JOB_EXPORT_NETWORK_H_
#define MODELS_JOB_EXPORT_NETWORK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "models/job/network_job.h"
#include "models/runtime/tensor_buffer.h"

namespace pruner {

// OK if `folder` holds none of the files that ExportNetwork writes, or those of
// an earlier export; else InvalidArgument with the name of one.
absl::Status CheckExportFolder(const std::string& folder);

// Writes to `folder`, which is made if need be and has passed
// CheckExportFolder:
//   graph.json     proto::ExportedNetwork as JSON, the simplified graph
//   constants.f32  values of its constants, one after another in its order
//   input.f32      `inputs`, one after another
//   expected.f64   outputs for these: what the interpreter makes of the
//                  original graph in double precision
// Numbers are raw and little-endian, tensors row-major. `threads` are the
// interpreter's.
absl::Status ExportNetwork(const NetworkJob& job,
                           absl::Span<const TensorBuffer> inputs, int threads,
                           const std::string& folder);

}  // namespace pruner

#endif  // MODELS_JOB_EXPORT_NETWORK_H_
