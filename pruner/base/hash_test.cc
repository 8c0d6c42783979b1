#include "pruner/base/hash.h"

#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace pruner {
namespace {

// Stored keys depend on these values: they must never change.
TEST(FingerprintTest, IsXxh64) {
  EXPECT_EQ(Fingerprint(""), 0xef46db3751d8e999u);
  EXPECT_EQ(Fingerprint("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(Fingerprint("abc"), 0x44bc2cf5ad770999u);
}

TEST(FingerprintTest, SeesEveryByteAtAnyAlignment) {
  std::string data = "0123456789abcdef0123456789abcdef0123456789";
  const std::string shifted = "x" + data;
  EXPECT_EQ(Fingerprint(data),
            Fingerprint(absl::string_view(shifted).substr(1)));
  const uint64_t before = Fingerprint(data);
  for (char& byte : data) {
    const char old = byte;
    byte = '?';
    EXPECT_NE(Fingerprint(data), before);
    byte = old;
  }
  EXPECT_NE(Fingerprint(absl::string_view("\0", 1)), Fingerprint(""));
}

}  // namespace
}  // namespace pruner
