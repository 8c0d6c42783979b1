#include "halide_ext/runtime/claim_lines.h"

#include <vector>

#include "gtest/gtest.h"

namespace {

TEST(ClaimLinesTest, OnlyWholeLinesAreLost) {
  alignas(64) char memory[512];
  for (const size_t begin : {0, 1, 63, 64, 100}) {
    for (const size_t bytes : {0, 1, 63, 64, 65, 128, 200, 300}) {
      for (char& c : memory) c = 7;
      PrunerClaimLines(memory + begin, bytes);
      for (size_t i = 0; i < sizeof(memory); ++i) {
        const size_t line = i / 64 * 64;
        const bool is_whole = line >= begin && line + 64 <= begin + bytes;
        // Elsewhere than on x86-64 nothing is.
        if (is_whole) continue;
        EXPECT_EQ(memory[i], 7) << begin << " " << bytes;
      }
    }
  }
}

}  // namespace
