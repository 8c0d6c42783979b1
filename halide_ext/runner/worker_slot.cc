#include "halide_ext/runner/worker_slot.h"

#include <csignal>
#include <utility>

#include "absl/log/check.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

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

std::optional<Failure> WorkerSlot::EnsurePrepared(FailureKind on_timeout) {
  if (!child_) {
    ProcessOptions process;
    process.max_memory_bytes = options_.max_memory_bytes;
    absl::StatusOr<MessageChild> child =
        MessageChild::Start(options_.command, process);
    if (!child.ok()) return Died(child.status());
    child_.emplace(*std::move(child));
    prepared_ = false;
  }
  if (prepared_) return std::nullopt;
  Answer answer = Exchange(preparation_, options_.prepare_timeout, on_timeout);
  if (!answer.failure && !answer.reply.error().empty()) {
    answer.failure = Failure{.kind = FailureKind::kRunError,
                             .message = answer.reply.error()};
  }
  prepared_ = !answer.failure.has_value();
  return std::move(answer.failure);
}

void WorkerSlot::Drop() {
  child_.reset();  // kills it
  ++generation_;
}

Failure WorkerSlot::Died(const absl::Status& status) {
  const bool memory = child_ && RanOutOfMemory(child_->output());
  Drop();
  return {.kind = memory ? FailureKind::kOutOfMemory : FailureKind::kCrash,
          .message = std::string(status.message())};
}

WorkerSlot::Answer WorkerSlot::Ask(const proto::WorkerRequest& request,
                                   absl::Duration timeout,
                                   FailureKind on_timeout) {
  Answer answer;
  answer.failure = EnsurePrepared(on_timeout);
  return answer.failure ? answer : Exchange(request, timeout, on_timeout);
}

WorkerSlot::Answer WorkerSlot::Exchange(const proto::WorkerRequest& request,
                                        absl::Duration timeout,
                                        FailureKind on_timeout) {
  Answer answer;
  absl::Status status = child_->Send(request.SerializeAsString(), timeout);
  if (status.ok()) {
    absl::StatusOr<std::string> text = child_->Receive(timeout);
    status = text.status();
    if (status.ok() && !answer.reply.ParseFromString(*text)) {
      status = absl::DataLossError("the worker's reply is garbage");
    }
  }
  if (absl::IsDeadlineExceeded(status)) {
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
