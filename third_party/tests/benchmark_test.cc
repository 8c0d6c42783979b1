#include "benchmark/benchmark.h"

#include <cstddef>

#include "gtest/gtest.h"

namespace {

void Count(benchmark::State& state) {
  int64_t count = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++count);
  state.counters["count"] = count;
}

class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) count += run.counters.at("count").value;
  }

  double count = 0;
};

TEST(BenchmarkTest, RunsAndReports) {
  benchmark::RegisterBenchmark("Count", Count)->Iterations(1000);
  Collector collector;
  EXPECT_EQ(benchmark::RunSpecifiedBenchmarks(&collector), size_t{1});
  EXPECT_EQ(collector.count, 1000);
}

}  // namespace
