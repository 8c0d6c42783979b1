// Programs that are made on one thread and read on another: reading off what
// models want takes as long as drawing a candidate and resolving it.
#ifndef PRUNER_SEARCH_PROGRAM_PIPE_H_
#define PRUNER_SEARCH_PROGRAM_PIPE_H_

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "pruner/program/program.h"

namespace pruner {

// To be used from one thread.
class ProgramPipe {
 public:
  using Read = std::function<void(const Program&)>;

  // `read` is called on another thread, or in Drain, until Drain returns.
  explicit ProgramPipe(Read read) : read_(std::move(read)) {}
  ~ProgramPipe() { Drain(); }

  ProgramPipe(const ProgramPipe&) = delete;
  ProgramPipe& operator=(const ProgramPipe&) = delete;

  // Has a copy of it read, after those that were added before. Waits while many
  // have not been read.
  void Add(const Program& program);

  // Returns when all have been read; then neither thread nor memory is left.
  void Drain();

 private:
  static constexpr size_t kChunk = 16;
  static constexpr size_t kMaxChunks = 16;
  struct Chunk {
    std::array<Program, kChunk> programs;
    size_t size = 0;
  };
  using ChunkPointer = std::unique_ptr<Chunk>;

  // One to be filled.
  ChunkPointer TakeFree();
  void ReadChunk(const Chunk& chunk) const;
  // Reads until no more come.
  void ReadAll();

  // Each for absl::Condition, with the mutex held.
  bool HasFree() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return !free_.empty() || num_chunks_ < kMaxChunks;
  }
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return !full_.empty() || is_last_;
  }

  const Read read_;
  ChunkPointer open_;  // that is being filled
  std::thread reader_;
  absl::Mutex mutex_;
  std::vector<ChunkPointer> full_ ABSL_GUARDED_BY(mutex_);  // oldest first
  std::vector<ChunkPointer> free_ ABSL_GUARDED_BY(mutex_);
  size_t num_chunks_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_last_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace pruner

#endif  // PRUNER_SEARCH_PROGRAM_PIPE_H_
