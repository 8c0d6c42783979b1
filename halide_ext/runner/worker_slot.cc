#include "halide_ext/runner/worker_slot.h"

#include <csignal>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/runner/guard_report.h"
#include "pruner/base/os/process.h"
#include "pruner/base/retry.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Of the time that a process may compute: for so long it is waited for.
constexpr int kBusyFactor = 10;

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
    if (IsUnwanted()) return absl::CancelledError("unwanted");
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
  const Answer answer = Exchange(
      preparation_,
      {.time = options_.prepare_timeout, .failure = FailureKind::kRunTimeout});
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
                                   const Limit& limit) {
  absl::Status prepared = EnsurePrepared();
  if (!prepared.ok())
    return {.reply = {}, .failure = {}, .broken = std::move(prepared)};
  return Exchange(request, limit);
}

absl::StatusOr<std::string> WorkerSlot::Receive(const Limit& limit) {
  if (!limit.of_computing)
    return child_->Receive(limit.time, options_.is_unwanted);
  const absl::Duration before = CpuTimeOf(child_->pid());
  const auto is_too_long = [&] {
    return CpuTimeOf(child_->pid()) - before >= limit.time;
  };
  absl::StatusOr<std::string> text = child_->Receive(
      kBusyFactor * limit.time, [&] { return IsUnwanted() || is_too_long(); });
  // Also of an answer that came before anybody looked.
  if ((text.ok() || absl::IsCancelled(text.status())) && is_too_long())
    return absl::DeadlineExceededError("too long");
  return text;
}

WorkerSlot::Answer WorkerSlot::Exchange(const proto::WorkerRequest& request,
                                        const Limit& limit) {
  Answer answer;
  absl::Status status = child_->Send(request.SerializeAsString(), limit.time);
  if (status.ok()) {
    const absl::StatusOr<std::string> text = Receive(limit);
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
        Failure{.kind = limit.failure,
                .message = absl::StrCat(
                    "no answer within ", absl::FormatDuration(limit.time),
                    limit.of_computing ? " of computing" : "")};
  } else if (!status.ok()) {
    answer.failure = Died(status);
  }
  return answer;
}

}  // namespace pruner
