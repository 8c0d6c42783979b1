// What fuzzing found once and was mended: testdata/crashers, made with
// fuzz_test's --save.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "halide_ext/tests/fuzz_cases.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

TEST(CrashersTest, AreRightOrRefused) {
  const std::string directory = "testdata/crashers";
  int cases = 0;
  const auto names = ListDirectory(directory);
  ASSERT_TRUE(names.ok()) << names.status();
  for (const std::string& name : *names) {
    if (!absl::EndsWith(name, ".txtpb")) continue;
    SCOPED_TRACE(name);
    proto::FuzzCrasher crasher;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
        ReadFile(absl::StrCat(directory, "/", name)).value(), &crasher));
    const absl::Status status = RunCrasher(crasher);
    EXPECT_TRUE(status.ok()) << status << "\n"
                             << crasher.about() << "\n"
                             << crasher.schedule();
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace pruner
