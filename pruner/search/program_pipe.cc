#include "pruner/search/program_pipe.h"

#include <cstddef>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "pruner/program/program.h"

namespace pruner {

void ProgramPipe::Add(const Program& program) {
  if (open_ == nullptr) open_ = TakeFree();
  open_->programs[open_->size++] = program;
  if (open_->size < kChunk) return;
  if (!reader_.joinable()) reader_ = std::thread([this] { ReadAll(); });
  const absl::MutexLock lock(mutex_);
  full_.push_back(std::move(open_));
}

ProgramPipe::ChunkPointer ProgramPipe::TakeFree() {
  const absl::MutexLock lock(mutex_,
                             absl::Condition(this, &ProgramPipe::HasFree));
  if (free_.empty()) {
    ++num_chunks_;
    return std::make_unique<Chunk>();
  }
  ChunkPointer chunk = std::move(free_.back());
  free_.pop_back();
  return chunk;
}

void ProgramPipe::ReadChunk(const Chunk& chunk) const {
  for (size_t i = 0; i < chunk.size; ++i) read_(chunk.programs[i]);
}

void ProgramPipe::ReadAll() {
  while (true) {
    std::vector<ChunkPointer> chunks;
    {
      const absl::MutexLock lock(mutex_,
                                 absl::Condition(this, &ProgramPipe::HasWork));
      if (full_.empty()) return;
      chunks.swap(full_);
    }
    for (ChunkPointer& chunk : chunks) {
      ReadChunk(*chunk);
      chunk->size = 0;
      const absl::MutexLock lock(mutex_);
      free_.push_back(std::move(chunk));
    }
  }
}

void ProgramPipe::Drain() {
  if (reader_.joinable()) {
    {
      const absl::MutexLock lock(mutex_);
      is_last_ = true;
    }
    reader_.join();
  }
  if (open_ != nullptr) ReadChunk(*open_);
  open_.reset();
  const absl::MutexLock lock(mutex_);
  is_last_ = false;
  free_.clear();
  num_chunks_ = 0;
}

}  // namespace pruner
