// LibTorch and XGBoost each come with an OpenMP run time; a program that links
// both gets one.
#include <link.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace {

std::vector<std::string> LoadedLibraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t /*size*/, void* data) {
        static_cast<std::vector<std::string>*>(data)->emplace_back(
            info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

int CountNamed(absl::string_view part) {
  int count = 0;
  for (const std::string& name : LoadedLibraries()) {
    if (name.find(part) != std::string::npos) ++count;
  }
  return count;
}

TEST(OpenmpTest, OneRunTimeServesAll) {
  EXPECT_EQ(CountNamed("libtorch_cpu"), 1);
  EXPECT_EQ(CountNamed("libxgboost"), 1);
  EXPECT_EQ(CountNamed("gomp"), 1);
  EXPECT_EQ(CountNamed("libomp"), 0);
  EXPECT_EQ(CountNamed("iomp"), 0);
}

}  // namespace
