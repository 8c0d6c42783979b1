#include "models/runtime/network.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status CheckBuffers(absl::string_view what,
                          absl::Span<const void* const> buffers,
                          size_t expected) {
  if (buffers.size() != expected) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the network has ", expected, " ", what, "s, not ", buffers.size()));
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] == nullptr ||
        reinterpret_cast<uintptr_t>(buffers[i]) % kTensorAlignment != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(what, " ", i, " is not at a multiple of ",
                       kTensorAlignment, " bytes: use TensorBuffer"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Network::Bind(absl::Span<const void* const> inputs,
                           absl::Span<void* const> outputs) {
  RETURN_IF_ERROR(CheckBuffers("input", inputs, inputs_.size()));
  RETURN_IF_ERROR(CheckBuffers("output", outputs, outputs_.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const Use& use : input_uses_[i]) {
      // Kernels do not write to what they read.
      steps_[use.step].tensors[use.argument] = const_cast<void*>(inputs[i]);
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const Use& use : output_uses_[i]) {
      steps_[use.step].tensors[use.argument] =
          static_cast<char*>(outputs[i]) + use.offset;
    }
  }
  return absl::OkStatus();
}

absl::Status Network::RunStep(size_t step) const {
  // Other kernels have used the memory since this one did.
  absl::Status status =
      steps_[step].kernel.Run(steps_[step].tensors, {.claim_memory = claim_});
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat("kernel ", step, ", ", names_[step], ": ",
                                   status.message()));
}

void Network::CopyOutputs(absl::Span<const void* const> inputs,
                          absl::Span<void* const> outputs) const {
  for (const Copy& copy : copies_) {
    const void* from = copy.from;
    if (copy.from_input >= 0) from = inputs[copy.from_input];
    if (copy.from_output >= 0) from = outputs[copy.from_output];
    std::memcpy(outputs[copy.output], from, outputs_[copy.output].bytes());
  }
}

absl::Status Network::Run(absl::Span<const void* const> inputs,
                          absl::Span<void* const> outputs) {
  return RunWatched(inputs, outputs, [](size_t, const TensorView&) {});
}

absl::Status Network::RunWatched(absl::Span<const void* const> inputs,
                                 absl::Span<void* const> outputs,
                                 AfterStep after_step) {
  RETURN_IF_ERROR(Bind(inputs, outputs));
  for (size_t step = 0; step < steps_.size(); ++step) {
    RETURN_IF_ERROR(RunStep(step));
    after_step(step, {.spec = steps_[step].written,
                      .data = steps_[step].tensors.back(),
                      .rows = steps_[step].rows});
  }
  CopyOutputs(inputs, outputs);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> Network::RunTimed(
    absl::Span<const void* const> inputs, absl::Span<void* const> outputs,
    Clock& clock) {
  RETURN_IF_ERROR(Bind(inputs, outputs));
  std::vector<double> seconds(steps_.size());
  absl::Duration before = clock.Elapsed();
  for (size_t step = 0; step < steps_.size(); ++step) {
    RETURN_IF_ERROR(RunStep(step));
    const absl::Duration after = clock.Elapsed();
    seconds[step] = absl::ToDoubleSeconds(after - before);
    before = after;
  }
  CopyOutputs(inputs, outputs);
  return seconds;
}

}  // namespace pruner
