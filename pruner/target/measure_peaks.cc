#include "pruner/target/measure_peaks.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "pruner/base/clock.h"
#include "pruner/target/detect_host.h"
#include "pruner/target/measuring_loops.h"

namespace pruner {
namespace {

constexpr int64_t kLineBytes = sizeof(FloatLine);

// Does some work so many times.
using Work = std::function<void(int64_t rounds)>;
// Prepares the work of one thread, in that thread: memory belongs where it is
// first touched.
using MakeWork = std::function<Work()>;

// Rounds per second of all threads together.
struct Rate {
  double best = 0;
  bool confirmed = false;
};

// Keeps this thread on one CPU, so that threads do not share a core while
// another idles; where that is not allowed, the scheduler decides.
void PinTo(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

class Measurement {
 public:
  // Thread i runs on cpus[i] if there is such.
  Measurement(std::vector<int> cpus, Clock& clock, const PeakOptions& options)
      : cpus_(std::move(cpus)), clock_(clock), options_(options) {}

  Rate Measure(int64_t threads, const MakeWork& make_work) const {
    // Thread 0 writes these before a gate, all read them after it.
    int64_t rounds = 0;
    bool go_on = true;
    std::vector<double> rates;
    std::barrier gate(threads);
    const auto run = [&](int64_t thread) {
      if (thread < std::ssize(cpus_)) PinTo(cpus_[thread]);
      const Work work = make_work();
      // All calibrate, so that none measures a machine that is half idle.
      const int64_t own_rounds = Calibrate(work);
      if (thread == 0) rounds = own_rounds;
      gate.arrive_and_wait();
      absl::Duration begin;
      if (thread == 0) begin = clock_.Elapsed();
      for (int i = 0;; ++i) {
        // From before the first gate to behind the second: whatever the threads
        // wait for counts as time, never as speed.
        absl::Duration start;
        if (thread == 0) {
          start = clock_.Elapsed();
          go_on = GoOn(i, start - begin);
        }
        gate.arrive_and_wait();
        if (!go_on) break;
        work(rounds);
        gate.arrive_and_wait();
        if (thread == 0) {
          rates.push_back(static_cast<double>(threads * rounds) /
                          SecondsSince(start));
        }
      }
    };
    std::vector<std::thread> running;
    running.reserve(threads);
    for (int64_t i = 0; i < threads; ++i) running.emplace_back(run, i);
    for (std::thread& thread : running) thread.join();
    return {.best = *std::max_element(rates.begin(), rates.end()),
            .confirmed = IsConfirmed(rates)};
  }

 private:
  bool GoOn(int repetitions, absl::Duration taken) const {
    if (repetitions < options_.min_repetitions) return true;
    return repetitions < options_.max_repetitions && taken < options_.total;
  }

  double SecondsSince(absl::Duration start) const {
    // A clock too coarse for the repetition must not give infinity.
    return std::max(1e-9, absl::ToDoubleSeconds(clock_.Elapsed() - start));
  }

  // Rounds that take about one repetition; doubling also warms up.
  int64_t Calibrate(const Work& work) const {
    constexpr int64_t kMaxRounds = 1000000000000;
    const double target = absl::ToDoubleSeconds(options_.repetition);
    for (int64_t rounds = 1;; rounds *= 2) {
      const absl::Duration start = clock_.Elapsed();
      work(rounds);
      const double seconds = SecondsSince(start);
      if (seconds * 4 >= target || rounds >= kMaxRounds) {
        return std::max<int64_t>(
            1, std::llround(static_cast<double>(rounds) * target / seconds));
      }
    }
  }

  const std::vector<int> cpus_;
  Clock& clock_;
  const PeakOptions options_;
};

// In GFLOP/s.
Rate MeasureFma(const Measurement& measurement, FmaChains chains,
                int64_t threads) {
  const VectorIsa isa = WidestVectorIsa();
  const Rate rounds = measurement.Measure(threads, [=]() -> Work {
    return [=](int64_t rounds) {
      // A store the compiler must keep, or the loop could go.
      volatile float sink = RunFmaLoop(isa, chains, rounds);
      static_cast<void>(sink);
    };
  });
  const auto flops = static_cast<double>(2 * FmaLoopLanes(isa, chains));
  return {.best = rounds.best * flops / 1e9, .confirmed = rounds.confirmed};
}

// In GB/s. Every thread has three arrays of `bytes` together.
double MeasureTriad(const Measurement& measurement, int64_t threads,
                    int64_t bytes) {
  const VectorIsa isa = WidestVectorIsa();
  const int64_t lines = std::max<int64_t>(1, bytes / 3 / kLineBytes);
  const Rate rounds = measurement.Measure(threads, [=]() -> Work {
    // The vectors move into the work and are touched here, in the thread that
    // uses them.
    return [isa, a = std::vector<FloatLine>(lines),
            b = std::vector<FloatLine>(lines),
            c = std::vector<FloatLine>(lines)](int64_t rounds) mutable {
      for (; rounds > 0; --rounds) {
        RunTriadLoop(isa, absl::MakeSpan(a), b, c, 2.0F);
        // Whoever reads an array written so often wants only its last content.
        std::swap(a, b);
      }
    };
  });
  return rounds.best * static_cast<double>(lines * 3 * kLineBytes) / 1e9;
}

// An FMA takes 4 cycles on nearly all current cores, so that a core that runs n
// times as fast with independent FMAs as with a chain of them starts n / 4 in a
// cycle.
int64_t FmaPipes(double throughput, double latency_bound) {
  constexpr double kFmaLatency = 4;
  return std::clamp<int64_t>(
      std::llround(throughput / latency_bound / kFmaLatency), 1, 4);
}

}  // namespace

bool IsConfirmed(absl::Span<const double> rates) {
  constexpr int kWitnesses = 5;
  constexpr double kClose = 0.97;
  const double best = *std::max_element(rates.begin(), rates.end());
  return std::count_if(rates.begin(), rates.end(), [&](double rate) {
           return rate >= kClose * best;
         }) >= kWitnesses;
}

MeasuredPeaks MeasurePeaks(const HostInfo& host, Clock& clock,
                           const PeakOptions& options) {
  const Measurement measurement(host.cpus, clock, options);
  const int64_t cores = host.cores;
  const CpuCaches& caches = host.caches;
  MeasuredPeaks peaks;
  peaks.fp32_gflops_per_core =
      MeasureFma(measurement, FmaChains::kThroughput, 1).best;
  peaks.fma_pipes =
      FmaPipes(peaks.fp32_gflops_per_core,
               MeasureFma(measurement, FmaChains::kLatency, 1).best);
  const Rate all_cores = MeasureFma(measurement, FmaChains::kThroughput, cores);
  peaks.fp32_gflops = all_cores.best;
  peaks.reliable = all_cores.confirmed;
  // Half a cache: the rest is for what else the machine does.
  peaks.l1_gb_per_s = MeasureTriad(measurement, 1, caches.l1.size_bytes / 2);
  peaks.l2_gb_per_s = MeasureTriad(measurement, 1, caches.l2.size_bytes / 2);
  peaks.llc_gb_per_s =
      MeasureTriad(measurement, cores, caches.llc.size_bytes / 2 / cores);
  const int64_t dram_bytes =
      std::min(options.max_dram_bytes, 4 * caches.llc.size_bytes);
  peaks.dram_gb_per_s = MeasureTriad(measurement, cores, dram_bytes / cores);
  return peaks;
}

}  // namespace pruner
