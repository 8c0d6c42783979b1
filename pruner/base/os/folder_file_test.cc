#include "pruner/base/os/folder_file.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

class FolderFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(temp_.ok());
    folder_ = temp_->File("model");
    ASSERT_TRUE(MakeDirectories(folder_ + "/parts").ok());
    ASSERT_TRUE(WriteFileAtomically(folder_ + "/weights", "0123456789").ok());
    ASSERT_TRUE(WriteFileAtomically(temp_->File("secret"), "secret").ok());
    std::filesystem::create_symlink("../weights", folder_ + "/parts/inside");
    std::filesystem::create_symlink("../secret", folder_ + "/outside");
    std::filesystem::create_symlink("..", folder_ + "/above");
    std::filesystem::create_symlink(folder_, temp_->File("link"));
  }

  absl::Status OpenError(absl::string_view name) const {
    return FolderFile::Open(folder_, name).status();
  }

  absl::StatusOr<TempDirectory> temp_ = TempDirectory::Create();
  std::string folder_;
};

TEST_F(FolderFileTest, ReadsAPart) {
  const auto file = FolderFile::Open(folder_, "weights");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), 10);
  EXPECT_THAT(file->Read(0, 10), IsOkAndHolds("0123456789"));
  EXPECT_THAT(file->Read(3, 4), IsOkAndHolds("3456"));
  EXPECT_THAT(file->Read(10, 0), IsOkAndHolds(""));
}

TEST_F(FolderFileTest, RefusesPartsBeyondTheEnd) {
  const auto file = FolderFile::Open(folder_, "weights");
  ASSERT_TRUE(file.ok()) << file.status();
  const struct {
    int64_t offset, size;
  } parts[] = {{0, 11},   {10, 1}, {11, 0}, {kMax, 1},
               {1, kMax}, {-1, 2}, {2, -1}};
  for (const auto& part : parts) {
    EXPECT_THAT(file->Read(part.offset, part.size),
                StatusIs(absl::StatusCode::kOutOfRange,
                         HasSubstr("weights has 10 bytes")));
  }
}

TEST_F(FolderFileTest, FollowsLinksWithinTheFolder) {
  EXPECT_TRUE(FolderFile::Open(folder_, "parts/inside").ok());
  EXPECT_TRUE(FolderFile::Open(folder_, "./parts//inside").ok());
  EXPECT_TRUE(FolderFile::Open(temp_->File("link"), "weights").ok());
}

TEST_F(FolderFileTest, RefusesWhatIsNotInTheFolder) {
  const struct {
    std::string name;
    absl::string_view text;
  } cases[] = {
      {"", "is empty"},
      {folder_ + "/weights", "is absolute"},
      {"../secret", "has \"..\""},
      {"parts/../weights", "has \"..\""},
      {"outside", "outside of the folder"},
      {"above/secret", "outside of the folder"},
      {"parts", "is a directory"},
      {".", "is a directory"},
      {std::string("weights\0", 8), "has a zero byte"},
  };
  for (const auto& [name, text] : cases) {
    EXPECT_THAT(OpenError(name),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)))
        << name;
  }
  EXPECT_THAT(OpenError("nothing"), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace pruner
