#include "pruner/sample/rejection.h"

namespace pruner {

absl::string_view RejectionName(Rejection rejection) {
  switch (rejection) {
    case Rejection::kTileSize:
      return "tile_size";
    case Rejection::kRegisters:
      return "registers";
    case Rejection::kUnrolled:
      return "unrolled";
    case Rejection::kNestedParallel:
      return "nested_parallel";
    case Rejection::kImbalance:
      return "imbalance";
    case Rejection::kUnchanged:
      return "unchanged";
    case Rejection::kParents:
      return "parents";
    case Rejection::kThreads:
      return "threads";
    case Rejection::kVThreads:
      return "vthreads";
    case Rejection::kSharedMemory:
      return "shared_memory";
    case Rejection::kRecomputation:
      return "recomputation";
    case Rejection::kVectorLength:
      return "vector_length";
    case Rejection::kUnfit:
      return "unfit";
  }
  return "";
}

}  // namespace pruner
