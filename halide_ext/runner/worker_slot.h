// One worker process and the thread that speaks to it. Replaces the process
// when it dies or does not answer in time.
#ifndef HALIDE_EXT_RUNNER_WORKER_SLOT_H_
#define HALIDE_EXT_RUNNER_WORKER_SLOT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "halide_ext/runner/worker.pb.h"
#include "pruner/base/os/message_child.h"
#include "pruner/measure/measure_result.h"

namespace pruner {

class WorkerSlot {
 public:
  struct Options {
    std::vector<std::string> command;
    int64_t max_memory_bytes = 0;
    absl::Duration prepare_timeout;
    // For so long processes are prepared that somebody ends (Retry).
    absl::Duration lost_patience = absl::Seconds(30);
    // Whether nobody wants the answer any more. Asked several times a second by
    // the slot's thread; empty: somebody always does.
    std::function<bool()> is_unwanted = {};
  };

  explicit WorkerSlot(Options options);
  ~WorkerSlot();
  WorkerSlot(const WorkerSlot&) = delete;
  WorkerSlot& operator=(const WorkerSlot&) = delete;

  // Runs `task` on the slot's thread, from which alone the methods below may be
  // called: the process must be started by a thread that outlives it. One task
  // at a time.
  void Post(std::function<void()> task);
  // Waits for the posted task.
  void Wait();

  // What the process is to be prepared with, now and whenever it is replaced.
  void SetPreparation(const proto::WorkerRequest& prepare);

  struct Limit {
    absl::Duration time;
    FailureKind failure;  // if it takes longer
    // The time is what the process computes, so that it is not a candidate's
    // fault if the machine has other things to do; but nobody waits for ten
    // times as long.
    bool of_computing = false;
  };

  // Sends a request and waits for the reply. Failures: the process died or did
  // not answer in time; it is then killed.
  struct Answer {
    proto::WorkerReply reply;
    std::optional<Failure> failure;
    // Why nothing could be asked, which is no candidate's doing: for two
    // seconds and a few tries no process starts or none can be prepared, or
    // somebody ends them for as long as options allow. Cancelled if it is
    // unwanted.
    absl::Status broken;
  };
  Answer Ask(const proto::WorkerRequest& request, const Limit& limit);

  // Ends the process. The next request starts another one.
  void Drop();

  // Counts the processes that ended; what was compiled under another count is
  // gone.
  int generation() const { return generation_; }

 private:
  absl::Status EnsurePrepared();
  struct Preparation {
    absl::Status status;
    bool lost = false;  // somebody ended the process
  };
  absl::Status Start();
  Preparation Prepare();
  Answer Exchange(const proto::WorkerRequest& request, const Limit& limit);
  bool IsUnwanted() const {
    return options_.is_unwanted && options_.is_unwanted();
  }
  // What the process answers. Cancelled if it is unwanted, DeadlineExceeded if
  // that takes longer than the limit.
  absl::StatusOr<std::string> Receive(const Limit& limit);
  Failure Died(const absl::Status& status);
  void Loop();

  const Options options_;
  std::optional<MessageChild> child_;
  int generation_ = 0;
  proto::WorkerRequest preparation_;
  bool prepared_ = false;

  absl::Mutex mutex_;
  std::function<void()> task_ ABSL_GUARDED_BY(mutex_);
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_WORKER_SLOT_H_
