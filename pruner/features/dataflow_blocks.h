// The dataflow blocks that PaCM reads of a program (docs/algorithms.md B4): how
// the operands of its product go from memory to where they are used, and what
// becomes of them.
#ifndef PRUNER_FEATURES_DATAFLOW_BLOCKS_H_
#define PRUNER_FEATURES_DATAFLOW_BLOCKS_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "pruner/features/footprints.h"
#include "pruner/features/statement_row.h"
#include "pruner/program/program.h"

namespace pruner {

// In this order: the accumulators begin; the first operand is read from memory
// and written to where it is kept; so is the second; the product reads the
// second, then the first; and adds to the accumulators.
inline constexpr int kDataflowBlocks = 8;
inline constexpr int kDataflowColumns = 23;

// Where a step of it finds or leaves its operand; near: in shared memory or in
// a cache.
enum class DataflowPlace { kMemory, kNear, kRegister };

using DataflowBlocks =
    std::array<std::array<float, kDataflowColumns>, kDataflowBlocks>;

// Such as "dataflow blocks 1": changes whenever a column does.
std::string DataflowName();

// Of a block, in order.
const std::vector<std::string>& DataflowColumnNames();

struct DataflowOptions {
  // The authors' code multiplies operations by how often they are executed
  // twice; models that they published learned so.
  bool compat_operations = false;
};

// Keeps its memory from call to call. Not thread-safe.
class DataflowExtractor {
 public:
  explicit DataflowExtractor(const DataflowOptions& options = {})
      : options_(options) {}

  // On targets with threads the blocks are of a product in registers whose two
  // operands are staged in shared memory. Without such a product, of the one
  // with the most operations that reads two tensors in tiles (E4): an operand's
  // tile, what the loops inside of the outermost reduction touch, is fetched
  // from memory and then kept in a cache. All 0 where there is neither: in
  // element-wise programs, or where nothing is tiled.
  const DataflowBlocks& Extract(const Program& program);

 private:
  // One access of a block.
  struct Step {
    BufferUse use = {};
    double operations = 0;  // of the whole statement
    double executions = 1;
    DataflowPlace place = DataflowPlace::kMemory;
    double allocated_bytes = 0;
  };

  // The statements and accesses of a product.
  struct Product {
    int statement = 0;
    int begin = 0;  // the statement with which its accumulators begin
    int write = 0;  // accesses
    int first = 0, second = 0;
  };

  // The product of a body that reads just two tensors; none if it does not.
  std::optional<Product> ProductOf(int statement) const;
  // Those whose operands are staged are told from those that are not.
  std::optional<Product> StagedProduct() const;
  std::optional<Product> TiledProduct() const;
  void AddStaged(const Product& product);
  void AddTiled(const Product& product);
  // What the stage of a buffer's stores copies into it.
  int CopyInto(int access) const;
  // How many loops around the statement lie inside of its outermost reduction.
  int TileLoops(int statement) const;

  // An access as each execution of the statement does it.
  Step StepOf(int statement, int access, DataflowPlace place) const;
  // The same as the tile does it at once, each time the loops around it move.
  Step TileStepOf(int statement, int access, int tile_loops) const;
  void Write(int block, const Step& step);

  const DataflowOptions options_;
  const Program* program_ = nullptr;
  Footprints footprints_;
  StatementRows rows_;
  std::vector<float> values_;
  DataflowBlocks blocks_ = {};
};

}  // namespace pruner

#endif  // PRUNER_FEATURES_DATAFLOW_BLOCKS_H_
