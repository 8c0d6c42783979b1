// The description of one target as plain data: what CPU, CUDA and OpenCL
// targets differ in. Rules, samplers and models read it and never ask what sort
// of machine it is.
//
// Levels in the terms of Pruner's abstraction (docs/algorithms.md B1, E3): L0
// is `registers`, L1 is `l1`, L2 is `llc` and DRAM. "Core" is a CPU core or a
// GPU's streaming multiprocessor (SM), "lane" an element of a SIMD vector or a
// thread of a warp.
//
// GB/s and GFLOP/s are 10^9 per second; an FMA is two operations.

#ifndef PRUNER_TARGET_TARGET_SPEC_H_
#define PRUNER_TARGET_TARGET_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

namespace proto {
class TargetSpec;
}  // namespace proto

// Which code generator builds programs and which driver runs them.
enum class Backend { kHost, kCuda, kOpenCl };

// What the loops of a tile level become.
enum class Binding {
  kParallel,  // fused into one loop over CPU threads
  kBlock,     // blocks of the GPU's grid
  kVThread,   // strided copies of the tile inside one thread (virtual threads)
  kThread,    // threads of a block
  kSerial,    // an ordinary loop
  kRegister,  // vectorized or unrolled; what it indexes lives in registers
};

enum class TileAxis { kSpatial, kReduction };

struct TileLevel {
  TileAxis axis = TileAxis::kSpatial;
  Binding binding = Binding::kSerial;

  bool operator==(const TileLevel&) const = default;
};

// The register file of one core.
struct RegisterFile {
  int64_t count = 0;
  int64_t bytes = 0;  // of one register

  int64_t size_bytes() const { return count * bytes; }

  bool operator==(const RegisterFile&) const = default;
};

struct MemoryLevel {
  int64_t size_bytes = 0;
  double gb_per_s =
      0;  // read and written together, by all who share this level
  int64_t line_bytes = 0;

  bool operator==(const MemoryLevel&) const = default;
};

struct Units {
  int64_t cores = 0;
  int64_t simd_lanes = 0;  // fp32 elements of a vector; threads of a warp
  int64_t fma_pipes =
      0;  // FMA instructions of simd_lanes a core starts per cycle
  int64_t sub_partitions = 0;  // warp schedulers of a core; 1 on CPUs

  bool operator==(const Units&) const = default;
};

struct Peaks {
  double fp32_gflops_per_core = 0;  // one core, the others idle
  double fp32_gflops = 0;           // all cores
  double dram_gb_per_s = 0;         // all cores; device memory of a GPU

  bool operator==(const Peaks&) const = default;
};

struct Limits {
  int64_t threads_per_block = 0;  // 1 where no tile level binds to threads
  int64_t shared_bytes_per_block =
      0;  // 0: the threads of a block share no storage, so
          // there is nothing to stage inputs in
  int64_t registers_per_thread = 0;  // of registers.bytes each
  int64_t vthreads = 0;  // 1 where no tile level binds to virtual threads
  int64_t unrolled_statements =
      0;  // innermost statements after unrolling; bounds code size
  int64_t vectorize_elements = 0;      // fp32 elements of a vectorized loop
  int64_t innermost_split_factor = 0;  // largest innermost factor of a split
  // Statements after unrolling, so that the compiler comes to an end: of a
  // whole program, and for each of its stages that is not inlined; 0: any
  // number.
  int64_t program_statements = 0;
  int64_t statements_per_stage = 0;
  // Stages of sizes that the compiler has to solve for, in loops of the same
  // one (pruner/program/unsized_stages.h); 0: any number. Draft models score
  // programs with more of them lower; no program is refused for it.
  int64_t unsized_stages = 0;

  bool operator==(const Limits&) const = default;
};

// Multi-level tiling (docs/algorithms.md A4).
struct Tiling {
  std::vector<TileLevel> levels;  // outermost first
  std::vector<int64_t>
      fusion_levels;  // how many spatial levels a fused consumer follows
  std::vector<int64_t>
      auto_unroll_steps;  // candidates of auto_unroll_max_step, ascending

  bool operator==(const Tiling&) const = default;
};

struct TargetSpec {
  std::string name;
  Backend backend = Backend::kHost;
  // As Halide::Target parses it, for example
  // "x86-64-linux-avx-avx2-f16c-fma-sse41" or "host-cuda-cuda_capability_80".
  std::string halide_target;

  RegisterFile registers;
  MemoryLevel l1;   // of one core: L1d; shared memory
  MemoryLevel l2;   // of one core, or a core's even share where cores share it
  MemoryLevel llc;  // the last cache before DRAM, of all cores together
  Units units;
  Peaks peaks;
  Limits limits;
  Tiling tiling;
  // A core writes lines that others have read about as fast as its own: kernels
  // need not claim what they are going to write (docs/cold_constants.md).
  bool cheap_shared_writes = false;

  // Index of the outermost tile level bound to `binding`; nullopt if there is
  // none.
  std::optional<int> TileLevelBoundTo(Binding binding) const;

  // Whether loops of tiles are bound to threads of a block, as on GPUs.
  bool HasThreads() const;

  // One letter per tile level, for example "SSRSRS".
  std::string TileStructure() const;

  bool operator==(const TargetSpec&) const = default;
};

// Every field is written that is not false: the inverse of TargetSpecFromProto
// for every valid spec.
proto::TargetSpec TargetSpecToProto(const TargetSpec& spec);

// `source` (a file name, say) begins the message of an error, which names the
// offending field.
absl::StatusOr<TargetSpec> TargetSpecFromProto(const proto::TargetSpec& proto,
                                               absl::string_view source);

// The most that is read of a file with such a text; it has two kilobytes.
inline constexpr int64_t kMaxTargetSpecBytes = int64_t{1} << 20;

// The same as text-format protocol buffer: ParseTargetSpec(TargetSpecToText(s),
// …) == s.
std::string TargetSpecToText(const TargetSpec& spec);
absl::StatusOr<TargetSpec> ParseTargetSpec(absl::string_view text,
                                           absl::string_view source);

// OK iff every field of `spec` is within its range and the fields agree with
// each other.
absl::Status ValidateTargetSpec(const TargetSpec& spec,
                                absl::string_view source);

}  // namespace pruner

#endif  // PRUNER_TARGET_TARGET_SPEC_H_
