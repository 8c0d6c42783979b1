#include "pruner/vta/cycles.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "absl/log/check.h"
#include "pruner/base/factors.h"

namespace pruner {
namespace {

int64_t Product(absl::Span<const int64_t> values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1},
                         std::multiplies<>());
}

// Of elements of so many bytes.
int64_t TransferCycles(const VtaBox& part, int64_t element_bytes,
                       const VtaSpec& spec) {
  return spec.transfer_latency +
         spec.run_latency * RunsOf(part.box, part.tensor) +
         CeilDiv(part.Elements() * element_bytes, spec.bus_bytes_per_cycle);
}

int64_t StepLoadCycles(const VtaWorkload& workload, const VtaSpec& spec,
                       const VtaTiling& tiling) {
  const int64_t kernel = workload.kernel_height * workload.kernel_width;
  const VtaBox weights = {
      .box = {kernel, tiling.ci, tiling.co, 1},
      .tensor = {kernel, workload.in_channels / spec.block_in,
                 workload.out_channels / spec.block_out, 1}};
  return TransferCycles(InputBoxOf(workload, spec, tiling), spec.block_in,
                        spec) +
         TransferCycles(weights, spec.block_in * spec.block_out, spec);
}

// Of tiles that do not divide an extent evenly there are none: knobs are
// divisors.
int64_t Tiles(const VtaWorkload& workload, const VtaSpec& spec,
              const VtaTiling& tiling) {
  return workload.batch / tiling.b * (workload.OutHeight() / tiling.h) *
         (workload.OutWidth() / tiling.w) *
         (workload.out_channels / spec.block_out / tiling.co);
}

}  // namespace

int64_t RunsOf(absl::Span<const int64_t> box,
               absl::Span<const int64_t> tensor) {
  CHECK_EQ(box.size(), tensor.size());
  int64_t run = 1;
  for (size_t d = 0; d < box.size(); ++d) {
    run *= box[d];
    if (box[d] != tensor[d]) break;
  }
  return Product(box) / run;
}

VtaTileCycles TileCyclesOf(const VtaWorkload& workload, const VtaSpec& spec,
                           const VtaTiling& tiling) {
  const int64_t steps = workload.in_channels / spec.block_in / tiling.ci;
  const int64_t outputs = OutputBoxOf(workload, spec, tiling).Elements();
  const int64_t products =
      outputs * tiling.ci * workload.kernel_height * workload.kernel_width;
  // Clearing takes the GEMM core a cycle for each vector, too.
  const int64_t passes = 1 + spec.vector_instructions;
  return {.load = steps * StepLoadCycles(workload, spec, tiling),
          .compute = steps * (spec.instruction_latency + products) +
                     passes * (spec.instruction_latency + outputs),
          .store = TransferCycles(OutputBoxOf(workload, spec, tiling),
                                  spec.block_out, spec)};
}

int64_t CyclesOf(const VtaWorkload& workload, const VtaSpec& spec,
                 const VtaTiling& tiling) {
  const VtaTileCycles tile = TileCyclesOf(workload, spec, tiling);
  const int64_t tiles = Tiles(workload, spec, tiling);
  const int64_t bus = tile.load + tile.store;
  if (tiling.h_threads * tiling.oc_threads == 1)
    return tiles * (bus + tile.compute);
  return tiles * std::max(bus, tile.compute) + std::min(bus, tile.compute);
}

double ThroughputOf(const VtaWorkload& workload, const VtaSpec& spec,
                    const VtaTiling& tiling) {
  const int64_t products = workload.batch * workload.out_channels *
                           workload.OutHeight() * workload.OutWidth() *
                           workload.in_channels * workload.kernel_height *
                           workload.kernel_width;
  const double seconds =
      static_cast<double>(CyclesOf(workload, spec, tiling)) / spec.clock_hz;
  return 2 * static_cast<double>(products) / seconds;
}

}  // namespace pruner
