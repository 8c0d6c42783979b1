#include "pruner/target/measure_peaks.h"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <functional>
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

class Measurement {
 public:
  Measurement(Clock& clock, const PeakOptions& options)
      : clock_(clock), options_(options) {}

  // Rounds per second of all threads together, in the best repetition.
  double BestRate(int64_t threads, const MakeWork& make_work) const {
    std::vector<int64_t> rounds(threads);
    double best = 0;
    absl::Duration start;
    std::barrier gate(threads);
    const auto run = [&](int64_t thread) {
      const Work work = make_work();
      rounds[thread] = Calibrate(work);
      for (int i = 0; i < options_.repetitions; ++i) {
        gate.arrive_and_wait();
        if (thread == 0) start = clock_.Elapsed();
        gate.arrive_and_wait();
        // Every thread does the first thread's rounds, so that all end
        // together.
        work(rounds[0]);
        gate.arrive_and_wait();
        if (thread == 0) {
          best = std::max(best, static_cast<double>(threads * rounds[0]) /
                                    SecondsSince(start));
        }
      }
    };
    std::vector<std::thread> others;
    for (int64_t i = 1; i < threads; ++i) others.emplace_back(run, i);
    run(0);
    for (std::thread& other : others) other.join();
    return best;
  }

 private:
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

  Clock& clock_;
  const PeakOptions options_;
};

double MeasureFma(const Measurement& measurement, FmaChains chains,
                  int64_t threads) {
  const VectorIsa isa = WidestVectorIsa();
  const double rounds_per_second = measurement.BestRate(threads, [=]() -> Work {
    return [=](int64_t rounds) {
      // A store the compiler must keep, or the loop could go.
      volatile float sink = RunFmaLoop(isa, chains, rounds);
      static_cast<void>(sink);
    };
  });
  const int64_t flops = 2 * FmaLoopLanes(isa, chains);
  return rounds_per_second * static_cast<double>(flops) / 1e9;
}

// Every thread has three arrays of `bytes` together.
double MeasureTriad(const Measurement& measurement, int64_t threads,
                    int64_t bytes) {
  const VectorIsa isa = WidestVectorIsa();
  const int64_t lines = std::max<int64_t>(1, bytes / 3 / kLineBytes);
  const double rounds_per_second = measurement.BestRate(threads, [=]() -> Work {
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
  return rounds_per_second * static_cast<double>(lines * 3 * kLineBytes) / 1e9;
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

MeasuredPeaks MeasurePeaks(const HostInfo& host, Clock& clock,
                           const PeakOptions& options) {
  const Measurement measurement(clock, options);
  const int64_t cores = host.cores;
  const CpuCaches& caches = host.caches;
  MeasuredPeaks peaks;
  peaks.fp32_gflops_per_core =
      MeasureFma(measurement, FmaChains::kThroughput, 1);
  peaks.fma_pipes = FmaPipes(peaks.fp32_gflops_per_core,
                             MeasureFma(measurement, FmaChains::kLatency, 1));
  peaks.fp32_gflops = MeasureFma(measurement, FmaChains::kThroughput, cores);
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
