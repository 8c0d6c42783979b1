// What the simulated accelerator has: the Versatile Tensor Accelerator's
// published default configuration, as data. Nothing here was measured.
#ifndef PRUNER_VTA_VTA_SPEC_H_
#define PRUNER_VTA_VTA_SPEC_H_

#include <cstdint>

namespace pruner {

// Sizes in bytes, times in cycles. Source: Moreau et al., "A Hardware-Software
// Blueprint for Flexible Deep Learning Specialization", IEEE Micro 2019, and
// the configuration published with it.
struct VtaSpec {
  // The GEMM core multiplies a vector of block_in int8 by a block of block_out
  // x block_in int8, and adds the block_out products to int32 accumulators.
  int64_t block_in = 16;
  int64_t block_out = 16;
  // Steps after which the sum of a step is in its accumulator.
  int64_t gemm_latency = 4;
  // Of one load or store: a run, and one stride.
  int transfer_dimensions = 2;

  // What follows is the cycle model's (cycles.h). The memory bus is 64 bits
  // wide and shared by loads and stores, the clock that of the published
  // design on a Pynq; latencies are ours, of the usual size.
  int64_t bus_bytes_per_cycle = 8;
  int64_t transfer_latency = 32;    // once for each load or store
  int64_t run_latency = 4;          // for each run of neighbours in it
  int64_t instruction_latency = 8;  // of the GEMM core or the vector unit
  // Vector instructions on what a tile has summed up: shift, limit.
  int64_t vector_instructions = 2;
  double clock_hz = 100e6;

  int64_t input_bytes = 32 << 10;
  int64_t weight_bytes = 256 << 10;
  int64_t accumulator_bytes = 128 << 10;
  int64_t micro_op_bytes = 32 << 10;
  int64_t bytes_per_micro_op = 4;

  // Vectors of block_in int8.
  int64_t InputVectors() const { return input_bytes / block_in; }
  // Blocks of block_out x block_in int8.
  int64_t WeightBlocks() const { return weight_bytes / (block_in * block_out); }
  // Vectors of block_out int32.
  int64_t AccumulatorVectors() const {
    return accumulator_bytes / (block_out * 4);
  }
  int64_t MicroOps() const { return micro_op_bytes / bytes_per_micro_op; }
};

}  // namespace pruner

#endif  // PRUNER_VTA_VTA_SPEC_H_
