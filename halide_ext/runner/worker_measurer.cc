#include "halide_ext/runner/worker_measurer.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "pruner/base/median.h"
#include "pruner/base/os/files.h"
#include "pruner/base/retry.h"
#include "pruner/base/status_macros.h"
#include "pruner/schedule/schedule_proto.h"
#include "pruner/target/device_available.h"

namespace pruner {
namespace {

// After so many of a workload it is known how long its candidates take. A first
// round must be enough for that: one candidate that takes until the end of the
// long limit, 15 s, has cost a search of a minute a fifth of its trials.
constexpr size_t kUsualCompilations = 3;

// Whether somebody else may have ended the process.
bool MayBeLost(const std::optional<Failure>& failure) {
  return failure && (failure->kind == FailureKind::kLostWorker ||
                     failure->kind == FailureKind::kCrash);
}

// What a worker answers about a candidate.
MeasureResult ResultOf(const proto::WorkerReply& reply) {
  absl::StatusOr<MeasureResult> result = FromProto(reply.result());
  if (result.ok()) return *std::move(result);
  return FailedResult(FailureKind::kProtocol,
                      std::string(result.status().message()));
}

// What a workload gets beyond a limit, by its size.
absl::Duration Allowance(const Workload& workload, absl::Duration per_gflop) {
  return 1e-9 * static_cast<double>(workload.dag.Flops()) * per_gflop;
}

// That a candidate's worker is lost every time; `last` is what became of it.
absl::Status LostError(const Retry& retry, const std::string& last) {
  return absl::InternalError(absl::StrCat(
      "something ends the worker processes, ", retry.tries(), " in ",
      absl::FormatDuration(absl::Trunc(retry.elapsed(), absl::Seconds(1))),
      " with one candidate, so nothing can be measured: the machine may be "
      "short of memory (the last one: ",
      last, ")"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerMeasurer>> WorkerMeasurer::Create(
    Options options) {
  RETURN_IF_ERROR(CheckWritableDirectory(options.scratch_directory));
  RETURN_IF_ERROR(DeviceAvailable(options.target));
  return std::unique_ptr<WorkerMeasurer>(
      new WorkerMeasurer(std::move(options)));
}

WorkerMeasurer::WorkerMeasurer(Options options) : options_(std::move(options)) {
  for (int i = 0; i < std::max(1, options_.workers); ++i) {
    // Input data and the reference may take a while for large workloads.
    slots_.push_back(std::make_unique<WorkerSlot>(WorkerSlot::Options{
        .command = options_.command,
        .max_memory_bytes = options_.target.backend == Backend::kCuda
                                ? 0
                                : options_.max_memory_bytes,
        .prepare_timeout = absl::Seconds(60),
        .lost_patience = options_.lost_patience,
        .is_unwanted = [this] { return Unwanted(); }}));
  }
}

WorkerMeasurer::~WorkerMeasurer() = default;

void WorkerMeasurer::Prepare(const Workload& workload, MeasurePolicy policy) {
  const Prepared wanted = {workload.key, policy};
  if (wanted == prepared_) return;
  prepared_ = wanted;
  proto::WorkerRequest request;
  proto::WorkerRequest::Prepare& prepare = *request.mutable_prepare();
  prepare.set_workload_key(workload.key.value);
  prepare.set_pipeline(workload.pipeline);
  prepare.set_target(TargetSpecToText(options_.target));
  prepare.set_threads(options_.threads);
  prepare.set_seed(options_.seed);
  prepare.set_inputs(options_.inputs);
  prepare.set_large_outputs_only(options_.large_outputs_only);
  prepare.set_reference_file(absl::StrCat(
      options_.scratch_directory, "/reference-",
      absl::Hex(workload.key.value ^ options_.seed, absl::kZeroPad16), "-",
      static_cast<int>(options_.inputs)));
  prepare.mutable_constants()->Assign(workload.constants.begin(),
                                      workload.constants.end());
  prepare.set_bytes_between_uses(BytesBetweenUses(policy, options_.target));
  for (auto& slot : slots_) {
    slot->Post([&] { slot->SetPreparation(request); });
    slot->Wait();
  }
}

void WorkerMeasurer::Compile(int slot, absl::Duration timeout, Job& job) {
  const WorkerSlot::Answer answer =
      slots_[slot]->Ask(job.compile, {.time = timeout,
                                      .failure = FailureKind::kCompileTimeout,
                                      .of_computing = true});
  job.slot = slot;
  job.generation = slots_[slot]->generation();
  job.compile_seconds = answer.reply.compile_seconds();
  job.failure = answer.failure;
  job.broken = answer.broken;
  if (!job.failure && answer.reply.has_result())
    job.failure = ResultOf(answer.reply).failure;
  job.compiled = job.broken.ok() && !job.failure;
}

std::vector<WorkerMeasurer::Job> WorkerMeasurer::JobsOf(
    absl::Span<const Schedule> schedules) {
  std::vector<Job> jobs(schedules.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    proto::WorkerRequest::Compile& compile = *jobs[i].compile.mutable_compile();
    compile.set_id(static_cast<int64_t>(i));
    *compile.mutable_schedule() = ToProto(schedules[i]);
  }
  return jobs;
}

absl::Duration WorkerMeasurer::CompileTimeout() const {
  const auto known = compile_seconds_.find(prepared_->first);
  if (known == compile_seconds_.end() ||
      known->second.size() < kUsualCompilations) {
    return options_.compile_timeout;
  }
  const absl::Duration usual = absl::Seconds(Median(known->second));
  return std::min(
      options_.compile_timeout,
      std::max(options_.min_compile_timeout, options_.compile_factor * usual));
}

absl::Status WorkerMeasurer::CompileAll(absl::Duration timeout,
                                        std::vector<Job>& jobs,
                                        const std::function<void()>& before) {
  std::atomic<size_t> next = 0;
  for (size_t s = 0; s < slots_.size(); ++s) {
    slots_[s]->Post([this, s, timeout, &before, &next, &jobs] {
      if (s == 0 && before) before();
      for (size_t i; (i = next.fetch_add(1)) < jobs.size();) {
        if (jobs[i].slot >= 0) continue;
        if (Unwanted()) {
          jobs[i].broken = absl::CancelledError("unwanted");
        } else {
          Compile(static_cast<int>(s), timeout, jobs[i]);
        }
      }
    });
  }
  for (auto& slot : slots_) slot->Wait();
  for (const Job& job : jobs) RETURN_IF_ERROR(job.broken);
  return absl::OkStatus();
}

proto::WorkerRequest WorkerMeasurer::RunRequest(int64_t id,
                                                absl::Duration timeout) const {
  proto::WorkerRequest request;
  proto::WorkerRequest::Run& run = *request.mutable_run();
  run.set_id(id);
  const bool host = options_.target.backend == Backend::kHost;
  run.set_min_samples(host ? options_.min_samples : 1);
  run.set_max_samples(1000);
  run.set_min_seconds(host ? options_.min_seconds : 0);
  run.set_sample_seconds(host ? 0 : options_.device_seconds);
  // Before, it is run once to be checked.
  run.set_max_seconds(absl::ToDoubleSeconds(timeout) / 2);
  const auto best = best_.find(*prepared_);
  run.set_give_up_seconds(
      best == best_.end() ? 0.1 : options_.give_up_factor * best->second);
  return request;
}

WorkerSlot::Answer WorkerMeasurer::AskForReference(const Workload& workload) {
  proto::WorkerRequest request;
  request.mutable_reference();
  return slots_[0]->Ask(request,
                        {.time = options_.reference_timeout +
                                 Allowance(workload, absl::Seconds(20)),
                         .failure = FailureKind::kRunTimeout});
}

absl::Status WorkerMeasurer::EnsureReference(
    const Workload& workload, std::optional<WorkerSlot::Answer> answer) {
  if (references_.contains(workload.key)) return absl::OkStatus();
  WorkerSlot& slot = *slots_[0];
  slot.Post([&] {
    Retry retry;
    if (!answer) answer = AskForReference(workload);
    while (MayBeLost(answer->failure) &&
           retry.Again(answer->failure->kind == FailureKind::kLostWorker
                           ? options_.lost_patience
                           : absl::ZeroDuration())) {
      answer = AskForReference(workload);
    }
  });
  slot.Wait();
  RETURN_IF_ERROR(answer->broken);
  const std::string& reason =
      answer->failure ? answer->failure->message : answer->reply.error();
  if (!reason.empty()) {
    return absl::InternalError(
        absl::StrCat("the reference output of ", workload.name,
                     ", which candidates are compared with, cannot be "
                     "computed: ",
                     reason));
  }
  references_.insert(workload.key);
  return absl::OkStatus();
}

MeasureResult WorkerMeasurer::TryToRun(int64_t id, absl::Duration timeout,
                                       WorkerSlot& slot, Job& job) {
  // The process it was compiled in may have died with another candidate.
  if (job.lost() || (job.compiled && job.generation != slot.generation()))
    Compile(job.slot, CompileTimeout(), job);
  if (!job.compiled) return {.seconds = {}, .failure = job.failure};
  const WorkerSlot::Answer answer =
      slot.Ask(RunRequest(id, timeout),
               {.time = timeout, .failure = FailureKind::kRunTimeout});
  job.broken = answer.broken;
  if (answer.failure) return {.seconds = {}, .failure = answer.failure};
  return ResultOf(answer.reply);
}

absl::StatusOr<MeasureResult> WorkerMeasurer::Run(int64_t id,
                                                  absl::Duration timeout,
                                                  Job& job) {
  MeasureResult result;
  WorkerSlot& slot = *slots_[job.slot];
  Retry retry;
  do {
    slot.Post([&] { result = TryToRun(id, timeout, slot, job); });
    slot.Wait();
    RETURN_IF_ERROR(job.broken);
    if (result.ok() || result.failure->kind != FailureKind::kLostWorker) {
      // What it was compiled on may be of no use after an error.
      if (!result.ok() && result.failure->kind == FailureKind::kDevice) {
        slot.Post([&] { slot.Drop(); });
        slot.Wait();
      }
      result.compile_seconds = job.compile_seconds;
      return result;
    }
  } while (retry.Again(options_.lost_patience));
  return LostError(retry, result.failure->message);
}

absl::Status WorkerMeasurer::Measure(const Workload& workload,
                                     MeasurePolicy policy,
                                     absl::Span<const Schedule> schedules,
                                     const OnResult& on_result,
                                     const IsUnwanted& is_unwanted) {
  is_unwanted_ = is_unwanted;
  const absl::Cleanup forget = [this] { is_unwanted_ = nullptr; };
  Prepare(workload, policy);
  std::vector<Job> jobs = JobsOf(schedules);
  std::optional<WorkerSlot::Answer> reference;
  RETURN_IF_ERROR(CompileAll(CompileTimeout(), jobs, [&] {
    if (!references_.contains(workload.key))
      reference = AskForReference(workload);
  }));
  for (const Job& job : jobs) {
    if (job.compiled)
      compile_seconds_[workload.key].push_back(job.compile_seconds);
  }
  // Only for what could run: otherwise it may be the compiler that is broken.
  if (std::any_of(jobs.begin(), jobs.end(),
                  [](const Job& job) { return job.compiled || job.lost(); })) {
    RETURN_IF_ERROR(EnsureReference(workload, std::move(reference)));
  }
  const absl::Duration run_timeout =
      options_.run_timeout + Allowance(workload, absl::Seconds(2));
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (Unwanted()) return absl::CancelledError("unwanted");
    ASSIGN_OR_RETURN(const MeasureResult result,
                     Run(static_cast<int64_t>(i), run_timeout, jobs[i]));
    if (result.ok()) {
      const auto [best, first] = best_.emplace(*prepared_, Cost(result));
      best->second = std::min(best->second, Cost(result));
    }
    if (!on_result(i, result)) break;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::optional<Failure>>> WorkerMeasurer::Check(
    const Workload& workload, MeasurePolicy policy,
    absl::Span<const Schedule> schedules, const IsUnwanted& is_unwanted) {
  is_unwanted_ = is_unwanted;
  const absl::Cleanup forget = [this] { is_unwanted_ = nullptr; };
  Prepare(workload, policy);
  std::vector<Job> jobs = JobsOf(schedules);
  for (Job& job : jobs) job.compile.mutable_compile()->set_only_check(true);
  Retry retry;
  for (;;) {
    RETURN_IF_ERROR(CompileAll(options_.compile_timeout, jobs));
    const auto lost = std::find_if(jobs.begin(), jobs.end(),
                                   [](const Job& job) { return job.lost(); });
    if (lost == jobs.end()) break;
    if (!retry.Again(options_.lost_patience))
      return LostError(retry, lost->failure->message);
    for (Job& job : jobs) {
      if (job.lost()) job.slot = -1;
    }
  }
  std::vector<std::optional<Failure>> failures;
  for (Job& job : jobs) failures.push_back(std::move(job.failure));
  return failures;
}

MeasureResult WorkerMeasurer::MeasureAutoscheduler(
    const Workload& workload, MeasurePolicy policy,
    const std::string& autoscheduler, const std::string& plugin,
    absl::Duration timeout, const IsUnwanted& is_unwanted) {
  is_unwanted_ = is_unwanted;
  const absl::Cleanup forget = [this] { is_unwanted_ = nullptr; };
  Prepare(workload, policy);
  Job job;
  proto::WorkerRequest::Compile& compile = *job.compile.mutable_compile();
  compile.set_autoscheduler(autoscheduler);
  compile.set_plugin(plugin);
  slots_[0]->Post([&] { Compile(0, timeout, job); });
  slots_[0]->Wait();
  absl::Status status = job.broken;
  if (job.compiled) status = EnsureReference(workload);
  if (status.ok()) {
    absl::StatusOr<MeasureResult> result = Run(0, timeout, job);
    if (result.ok()) return *std::move(result);
    status = result.status();
  }
  return FailedResult(FailureKind::kLostWorker, std::string(status.message()));
}

}  // namespace pruner
