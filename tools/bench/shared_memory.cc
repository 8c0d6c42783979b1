#include "tools/bench/shared_memory.h"

#include <cstddef>

#include "absl/time/time.h"
#include "halide_ext/build/kernel_threads.h"
#include "pruner/base/clock.h"

namespace pruner {
namespace {

constexpr size_t kLine = 64;

}  // namespace

void SharedMemory::Write(char* begin, char* end) {
  for (volatile char* line = begin; line < end; line += kLine) *line = 1;
}

void SharedMemory::Read(char* begin, char* end) {
  for (volatile char* line = begin; line < end; line += kLine) (void)*line;
}

absl::Duration SharedMemory::Run(Action action, bool is_own) {
  const absl::Duration before = RealClock().Elapsed();
  OnKernelThreads([&](int k, int) {
    const size_t half = bytes_ / 2;
    char* const begin =
        static_cast<char*>(memory_.data()) + (is_own == (k == 0) ? 0 : half);
    action(begin, begin + half);
  });
  return RealClock().Elapsed() - before;
}

double SharedMemory::Speed(Action action, bool is_own) {
  return static_cast<double>(bytes_) /
         absl::ToDoubleNanoseconds(Run(action, is_own));
}

void SharedMemory::Share() {
  Run(Write);
  Run(Read, /*is_own=*/false);
  Run(Read);
}

}  // namespace pruner
