#include "halide_ext/runner/worker_slot.h"

#include <csignal>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/runner/guard_report.h"
#include "pruner/base/retry.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Whether what a dead process last wrote speaks of memory that it could not
// get.
bool RanOutOfMemory(absl::string_view output) {
  const std::string text = absl::AsciiStrToLower(output);
  return absl::StrContains(text, "bad_alloc") ||
         absl::StrContains(text, "out of memory") ||
         absl::StrContains(text, "allocation failed");
}

// Whether people or the system send the signal, and no process itself.
bool IsFromOutside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT ||
         signal == SIGHUP;
}

}  // namespace

WorkerSlot::WorkerSlot(Options options)
    : options_(std::move(options)), thread_([this] { Loop(); }) {}

WorkerSlot::~WorkerSlot() {
  Wait();
  {
    absl::MutexLock lock(mutex_);
    stop_ = true;
  }
  thread_.join();
}

void WorkerSlot::Loop() {
  for (;;) {
    std::function<void()> task;
    {
      absl::MutexLock lock(mutex_);
      const auto ready = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
        return stop_ || task_ != nullptr;
      };
      mutex_.Await(absl::Condition(&ready));
      if (stop_) break;
      task = task_;
    }
    task();
    absl::MutexLock lock(mutex_);
    task_ = nullptr;
  }
  child_.reset();
}

void WorkerSlot::Post(std::function<void()> task) {
  absl::MutexLock lock(mutex_);
  CHECK(task_ == nullptr);
  task_ = std::move(task);
}

void WorkerSlot::Wait() {
  absl::MutexLock lock(mutex_);
  const auto idle = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return task_ == nullptr;
  };
  mutex_.Await(absl::Condition(&idle));
}

void WorkerSlot::SetPreparation(const proto::WorkerRequest& prepare) {
  preparation_ = prepare;
  prepared_ = false;
}

absl::Status WorkerSlot::EnsurePrepared() {
  for (Retry retry;;) {
    absl::Status status = Start();
    bool lost = false;
    if (status.ok() && !prepared_) {
      Preparation preparation = Prepare();
      status = std::move(preparation.status);
      lost = preparation.lost;
    }
    if (status.ok() || absl::IsCancelled(status)) return status;
    // Memory may be short for a moment.
    if (!retry.Again(lost ? options_.lost_patience : absl::Seconds(2)))
      return status;
    if (options_.is_unwanted && options_.is_unwanted())
      return absl::CancelledError("unwanted");
  }
}

absl::Status WorkerSlot::Start() {
  if (child_) return absl::OkStatus();
  ProcessOptions process;
  process.max_memory_bytes = options_.max_memory_bytes;
  absl::StatusOr<MessageChild> child =
      MessageChild::Start(options_.command, process);
  if (!child.ok()) {
    return absl::InternalError(
        absl::StrCat("no worker process can be started, so nothing can be "
                     "measured: ",
                     child.status().message()));
  }
  child_.emplace(*std::move(child));
  prepared_ = false;
  return absl::OkStatus();
}

WorkerSlot::Preparation WorkerSlot::Prepare() {
  const Answer answer = Exchange(preparation_, options_.prepare_timeout,
                                 FailureKind::kRunTimeout);
  if (!answer.broken.ok()) return {.status = answer.broken};
  const std::string& reason =
      answer.failure ? answer.failure->message : answer.reply.error();
  prepared_ = reason.empty();
  if (prepared_) return {};
  return {
      .status = absl::InternalError(absl::StrCat(
          "a worker process cannot be prepared for a workload, so nothing can "
          "be measured: ",
          reason)),
      .lost =
          answer.failure && answer.failure->kind == FailureKind::kLostWorker};
}

void WorkerSlot::Drop() {
  child_.reset();  // kills it
  ++generation_;
}

Failure WorkerSlot::Died(const absl::Status& status) {
  const std::string output = child_->output();
  const std::optional<ExitStatus> exit = child_->exit_status();
  Drop();
  if (std::optional<std::string> bounds = FindOutOfBounds(output))
    return {.kind = FailureKind::kOutOfBounds, .message = *std::move(bounds)};
  FailureKind kind = FailureKind::kCrash;
  if (absl::IsDataLoss(status)) {
    kind = FailureKind::kProtocol;
  } else if (RanOutOfMemory(output)) {
    kind = FailureKind::kOutOfMemory;
  } else if (exit && IsFromOutside(exit->signal)) {
    kind = FailureKind::kLostWorker;
  }
  return {.kind = kind, .message = std::string(status.message())};
}

WorkerSlot::Answer WorkerSlot::Ask(const proto::WorkerRequest& request,
                                   absl::Duration timeout,
                                   FailureKind on_timeout) {
  absl::Status prepared = EnsurePrepared();
  if (!prepared.ok())
    return {.reply = {}, .failure = {}, .broken = std::move(prepared)};
  return Exchange(request, timeout, on_timeout);
}

WorkerSlot::Answer WorkerSlot::Exchange(const proto::WorkerRequest& request,
                                        absl::Duration timeout,
                                        FailureKind on_timeout) {
  Answer answer;
  absl::Status status = child_->Send(request.SerializeAsString(), timeout);
  if (status.ok()) {
    absl::StatusOr<std::string> text =
        child_->Receive(timeout, options_.is_unwanted);
    status = text.status();
    if (status.ok() && !answer.reply.ParseFromString(*text)) {
      status = absl::DataLossError("the worker's reply is garbage");
    }
  }
  if (absl::IsCancelled(status)) {
    Drop();
    answer.broken = std::move(status);
  } else if (absl::IsDeadlineExceeded(status)) {
    Drop();
    answer.failure =
        Failure{.kind = on_timeout,
                .message = absl::StrCat("no answer within ",
                                        absl::FormatDuration(timeout))};
  } else if (!status.ok()) {
    answer.failure = Died(status);
  }
  return answer;
}

}  // namespace pruner
