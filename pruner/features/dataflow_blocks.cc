#include "pruner/features/dataflow_blocks.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "pruner/features/column_writer.h"
#include "pruner/features/footprints.h"
#include "pruner/features/statement_row.h"
#include "pruner/program/program.h"

namespace pruner {
namespace {

constexpr int kVersion = 1;
constexpr double kLineBytes = 64;

template <typename Writer>
void WriteStep(double operations, DataflowPlace place, const BufferUse& use,
               double allocated_bytes, Writer& writer) {
  writer.Log("operations", operations);
  writer.Raw("in_memory", place == DataflowPlace::kMemory ? 1 : 0);
  writer.Raw("near", place == DataflowPlace::kNear ? 1 : 0);
  writer.Raw("in_registers", place == DataflowPlace::kRegister ? 1 : 0);
  WriteBuffer(use, /*is_there=*/true, writer);
  writer.Log("allocated_bytes", allocated_bytes);
}

double ElementBytes(const Program& program, int access) {
  return static_cast<double>(
      program.buffers[program.accesses[access].buffer].element_bytes);
}

}  // namespace

std::string DataflowName() {
  return absl::StrCat("dataflow blocks ", kVersion);
}

const std::vector<std::string>& DataflowColumnNames() {
  static const auto* const kNames = [] {
    NameWriter writer;
    writer.Begin("step");
    WriteStep(0, DataflowPlace::kMemory, {}, 0, writer);
    return new std::vector<std::string>(writer.names);
  }();
  return *kNames;
}

const DataflowBlocks& DataflowExtractor::Extract(const Program& program) {
  program_ = &program;
  for (auto& block : blocks_) block.fill(0);
  footprints_.Compute(program);
  rows_.Compute(program, footprints_);
  if (const std::optional<Product> staged = StagedProduct()) {
    AddStaged(*staged);
  } else if (const std::optional<Product> tiled = TiledProduct()) {
    AddTiled(*tiled);
  }
  return blocks_;
}

std::optional<DataflowExtractor::Product> DataflowExtractor::ProductOf(
    int s) const {
  const Statement& statement = program_->statements[s];
  if (!IsBody(*program_, s) || statement.definition == 0 ||
      statement.ops.Flops() == 0 || statement.num_accesses != 3) {
    return std::nullopt;
  }
  const int write = statement.first_access;
  const auto buffer = [&](int access) {
    return program_->accesses[access].buffer;
  };
  if (buffer(write + 1) == buffer(write + 2) ||
      buffer(write + 1) == buffer(write) || buffer(write + 2) == buffer(write))
    return std::nullopt;
  for (int begin = 0; begin < s; ++begin) {
    const Statement& other = program_->statements[begin];
    if (other.stage != statement.stage || other.definition != 0 ||
        other.stream >= 0)
      continue;
    return Product{.statement = s,
                   .begin = begin,
                   .write = write,
                   .first = write + 1,
                   .second = write + 2};
  }
  return std::nullopt;
}

int DataflowExtractor::CopyInto(int access) const {
  const Buffer& buffer = program_->buffers[program_->accesses[access].buffer];
  return program_->stages[buffer.stage].body;
}

std::optional<DataflowExtractor::Product> DataflowExtractor::StagedProduct()
    const {
  const auto storage = [&](int access) {
    return program_->buffers[program_->accesses[access].buffer].storage;
  };
  for (size_t s = 0; s < program_->statements.size(); ++s) {
    std::optional<Product> product = ProductOf(static_cast<int>(s));
    if (!product || storage(product->write) != Storage::kRegister ||
        storage(product->first) != Storage::kShared ||
        storage(product->second) != Storage::kShared) {
      continue;
    }
    const int first = CopyInto(product->first);
    const int second = CopyInto(product->second);
    if (program_->statements[first].num_accesses != 2 ||
        program_->statements[second].num_accesses != 2) {
      continue;
    }
    if (second < first) std::swap(product->first, product->second);
    return product;
  }
  return std::nullopt;
}

int DataflowExtractor::TileLoops(int s) const {
  const absl::Span<const int> loops = footprints_.LoopsAround(s);
  for (auto k = static_cast<int>(loops.size()) - 1; k >= 0; --k) {
    if (program_->loops[loops[k]].is_reduction) return k;
  }
  return 0;
}

std::optional<DataflowExtractor::Product> DataflowExtractor::TiledProduct()
    const {
  std::optional<Product> most;
  double operations = 0;
  for (size_t s = 0; s < program_->statements.size(); ++s) {
    const std::optional<Product> product = ProductOf(static_cast<int>(s));
    if (!product) continue;
    const Statement& statement = program_->statements[s];
    const double all = static_cast<double>(statement.ops.Flops()) *
                       static_cast<double>(statement.executions);
    const int tile_loops = TileLoops(static_cast<int>(s));
    // A tile of what is written, not of the reduction alone.
    if (all <= operations ||
        footprints_.Of(product->write)[tile_loops].elements <= 1) {
      continue;
    }
    most = product;
    operations = all;
  }
  return most;
}

DataflowExtractor::Step DataflowExtractor::StepOf(int s, int access,
                                                  DataflowPlace place) const {
  const Statement& statement = program_->statements[s];
  const Buffer& buffer = program_->buffers[program_->accesses[access].buffer];
  const auto executions = static_cast<double>(statement.executions);
  return {.use = rows_.UseOf(s, access),
          .operations = static_cast<double>(statement.ops.Flops()) * executions,
          .executions = executions,
          .place = place,
          .allocated_bytes = place == DataflowPlace::kMemory
                                 ? 0
                                 : static_cast<double>(buffer.elements *
                                                       buffer.element_bytes)};
}

DataflowExtractor::Step DataflowExtractor::TileStepOf(int s, int access,
                                                      int tile_loops) const {
  const absl::Span<const int> loops = footprints_.LoopsAround(s);
  const absl::Span<const Footprint> footprints = footprints_.Of(access);
  const double element = ElementBytes(*program_, access);
  Step step;
  step.executions = static_cast<double>(program_->statements[s].executions);
  for (int k = 0; k < tile_loops; ++k)
    step.executions /= static_cast<double>(program_->loops[loops[k]].extent);
  const Footprint& tile = footprints[tile_loops];
  step.allocated_bytes = tile.elements * element;
  BufferUse& use = step.use;
  use.bytes = step.executions * step.allocated_bytes;
  use.lines = step.executions * tile.Lines(element, kLineBytes);
  use.unique_bytes = footprints.back().elements * element;
  use.unique_lines = footprints.back().Lines(element, kLineBytes);
  use.stride = footprints[tile_loops + 1].stride;
  use.reuse = BufferUse::Reuse::kNone;
  // Until it is fetched again: the iterations, and what they touch.
  double iterations = 1;
  for (auto k = static_cast<size_t>(tile_loops); k < loops.size(); ++k) {
    if (footprints[k + 1].stride == 0) {
      use.reuse = BufferUse::Reuse::kLoopMultipleRead;
      use.reuse_distance_iterations = iterations;
      use.reuse_distance_bytes = k > 0 ? footprints_.BytesIn(loops[k - 1]) : 0;
      use.reuse_count = 1;
      for (; k < loops.size() && footprints[k + 1].stride == 0; ++k) {
        use.reuse_count *=
            static_cast<double>(program_->loops[loops[k]].extent);
      }
      break;
    }
    iterations *= static_cast<double>(program_->loops[loops[k]].extent);
  }
  return step;
}

void DataflowExtractor::AddStaged(const Product& product) {
  Write(0,
        StepOf(product.begin, program_->statements[product.begin].first_access,
               DataflowPlace::kRegister));
  int block = 1;
  for (const int operand : {product.first, product.second}) {
    const int copy = CopyInto(operand);
    const int write = program_->statements[copy].first_access;
    Write(block++, StepOf(copy, write + 1, DataflowPlace::kMemory));
    Write(block++, StepOf(copy, write, DataflowPlace::kNear));
  }
  Write(5, StepOf(product.statement, product.second, DataflowPlace::kNear));
  Write(6, StepOf(product.statement, product.first, DataflowPlace::kNear));
  Write(7, StepOf(product.statement, product.write, DataflowPlace::kRegister));
}

void DataflowExtractor::AddTiled(const Product& product) {
  const int tile_loops = TileLoops(product.statement);
  const auto tile_bytes = [&](int access) {
    return footprints_.Of(access)[tile_loops].elements *
           ElementBytes(*program_, access);
  };
  const auto add = [&](int block, int statement, int access,
                       DataflowPlace place, int tile_of) {
    Step step = StepOf(statement, access, place);
    step.allocated_bytes = tile_bytes(tile_of);
    Write(block, step);
  };
  add(0, product.begin, program_->statements[product.begin].first_access,
      DataflowPlace::kRegister, product.write);
  int block = 1;
  for (const int operand : {product.first, product.second}) {
    Step step = TileStepOf(product.statement, operand, tile_loops);
    step.place = DataflowPlace::kNear;
    step.use.type = BufferUse::Type::kWrite;
    const int kept = block + 1;
    Write(kept, step);
    step.place = DataflowPlace::kMemory;
    step.use.type = BufferUse::Type::kRead;
    step.allocated_bytes = 0;
    Write(block, step);
    block += 2;
  }
  add(5, product.statement, product.second, DataflowPlace::kNear,
      product.second);
  add(6, product.statement, product.first, DataflowPlace::kNear, product.first);
  add(7, product.statement, product.write, DataflowPlace::kRegister,
      product.write);
}

void DataflowExtractor::Write(int block, const Step& step) {
  values_.clear();
  ValueWriter writer(values_);
  const double again = options_.compat_operations ? step.executions : 1;
  WriteStep(step.operations * again, step.place, step.use, step.allocated_bytes,
            writer);
  CHECK_EQ(values_.size(), static_cast<size_t>(kDataflowColumns));
  std::copy(values_.begin(), values_.end(), blocks_[block].begin());
}

}  // namespace pruner
