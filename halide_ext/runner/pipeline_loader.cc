#include "halide_ext/runner/pipeline_loader.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/build/pipeline_bytes.h"
#include "halide_ext/build/pipeline_file.h"
#include "halide_ext/runner/worker.pb.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/message_child.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

proto::WorkerRequest LoadRequest(const InputSizes& sizes, std::string bytes) {
  proto::WorkerRequest request;
  proto::WorkerRequest::Load& load = *request.mutable_load();
  load.set_pipeline_file(std::move(bytes));
  for (const auto& [name, extents] : sizes) {
    proto::WorkerRequest::Load::InputSize& size = *load.add_input_sizes();
    size.set_name(name);
    for (const int extent : extents) size.add_extent(extent);
  }
  return request;
}

// Why there was no reply. `worker` is the process that was asked.
absl::Status NoReply(const std::string& path, const MessageChild& worker,
                     const absl::Status& status,
                     const PipelineLoaderOptions& options) {
  if (absl::IsDeadlineExceeded(status)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path,
        " is damaged or too large: Halide's reader did not come to an "
        "end within ",
        absl::FormatDuration(options.timeout)));
  }
  if (worker.exit_status() && worker.exit_status()->signal != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is damaged: Halide's reader crashed on it (it ",
                     *worker.exit_status(), "); write it anew with ",
                     "Halide::serialize_pipeline"));
  }
  return absl::InternalError(absl::StrCat("the worker that reads ", path,
                                          " failed: ", status.message()));
}

// Sends the request to a worker of its own and waits for its reply.
absl::StatusOr<proto::WorkerReply> Ask(const std::string& path,
                                       const proto::WorkerRequest& request,
                                       const PipelineLoaderOptions& options) {
  ProcessOptions process;
  process.max_memory_bytes = options.max_memory_bytes;
  ASSIGN_OR_RETURN(MessageChild worker,
                   MessageChild::Start(options.command, process));
  const absl::Status sent =
      worker.Send(request.SerializeAsString(), options.timeout);
  if (!sent.ok()) return NoReply(path, worker, sent, options);
  const absl::StatusOr<std::string> text = worker.Receive(options.timeout);
  if (!text.ok()) return NoReply(path, worker, text.status(), options);
  proto::WorkerReply reply;
  if (!reply.ParseFromString(*text))
    return absl::InternalError("the worker's reply is garbage");
  return reply;
}

}  // namespace

absl::StatusOr<Workload> LoadPipelineFile(
    const std::string& path, const std::string& name,
    const PipelineLoaderOptions& options) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(path, kMaxPipelineBytes));
  RETURN_IF_ERROR(CheckPipelineFile(bytes, path));
  if (IsSealedPipeline(bytes) && !options.input_sizes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, " has the sizes of its inputs in it: give none beside it"));
  }
  ASSIGN_OR_RETURN(
      proto::WorkerReply reply,
      Ask(path, LoadRequest(options.input_sizes, std::move(bytes)), options));
  if (!reply.error().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot use ", path, ": ", reply.error()));
  }
  ASSIGN_OR_RETURN(Workload workload,
                   WorkloadFromSealed(name, reply.pipeline()),
                   _ << "while loading " << path);
  return workload;
}

}  // namespace pruner
