#include "pruner/search/program_pipe.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "pruner/program/program.h"

namespace pruner {
namespace {

// One that is told from others by a number.
Program Numbered(int64_t number) {
  Program program;
  program.axis_extents = {number};
  return program;
}

std::vector<int64_t> UpTo(int64_t count) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

// Fewer than fill a chunk, many more than wait to be read, and again.
TEST(ProgramPipeTest, ReadsCopiesInOrder) {
  std::vector<int64_t> read;
  ProgramPipe pipe(
      [&](const Program& program) { read.push_back(program.axis_extents[0]); });
  for (const int64_t count : {0, 1, 15, 16, 17, 5000, 3}) {
    Program program;
    for (const int64_t number : UpTo(count)) {
      program = Numbered(number);
      pipe.Add(program);
    }
    program.Clear();
    pipe.Drain();
    EXPECT_EQ(read, UpTo(count));
    read.clear();
  }
}

TEST(ProgramPipeTest, ReadsAllBeforeItEnds) {
  for (const int64_t count : {1, 100}) {
    std::vector<int64_t> read;
    {
      ProgramPipe pipe([&](const Program& program) {
        read.push_back(program.axis_extents[0]);
      });
      for (const int64_t number : UpTo(count)) pipe.Add(Numbered(number));
    }
    EXPECT_EQ(read, UpTo(count));
  }
}

}  // namespace
}  // namespace pruner
