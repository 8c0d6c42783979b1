#include "tools/common/companion_files.h"

#include <string>

#include "gtest/gtest.h"
#include "pruner/base/os/environment.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

class CompanionFilesTest : public testing::Test {
 protected:
  // The runfiles of the test are not those of the program.
  void SetUp() override {
    for (const char* name :
         {"RUNFILES_DIR", "RUNFILES_MANIFEST_FILE", "TEST_SRCDIR"})
      UnsetEnv(name);
  }

  std::string Path(const std::string& name) const { return folder_.File(name); }

  void Write(const std::string& name) {
    const std::string path = Path(name);
    ASSERT_EQ(MakeDirectories(DirectoryOf(path)), absl::OkStatus());
    ASSERT_EQ(WriteFileAtomically(path, ""), absl::OkStatus());
  }

  std::string Lookup() {
    return PluginDirectory(Path("bin/tune"), Path("bin/tune"));
  }

  const TempDirectory folder_ = TempDirectory::Create().value();
};

using PluginDirectoryTest = CompanionFilesTest;
using NetworkProgramTest = CompanionFilesTest;

TEST_F(PluginDirectoryTest, OfAnInstalledProgram) {
  Write("lib/libautoschedule_adams2019.so");
  Write("bin/tune.runfiles/MANIFEST");
  EXPECT_EQ(Lookup(), Path("lib"));
  // It may be started through a link elsewhere, or be replaced since.
  EXPECT_EQ(PluginDirectory(Path("bin/tune"), "tune"), Path("lib"));
  EXPECT_EQ(PluginDirectory(Path("bin/tune (deleted)"), "tune"), Path("lib"));
}

TEST_F(PluginDirectoryTest, AmongRunfiles) {
  Write("lib/libHalide.so");  // a lib/ without plugins is another's
  Write("bin/tune.runfiles/halide/halide/lib64/libautoschedule_adams2019.so");
  EXPECT_EQ(Lookup(), Path("bin/tune.runfiles/halide/halide/lib64"));
}

TEST_F(PluginDirectoryTest, NowhereIsWhereTheyWereInstalled) {
  EXPECT_EQ(Lookup(), Path("lib"));
}

TEST_F(PluginDirectoryTest, NeverBesideTheUser) {
  EXPECT_EQ(PluginDirectory("", Path("bin/tune")), "");
}

TEST_F(NetworkProgramTest, OfAnInstalledProgram) {
  Write("bin/network_worker");
  Write("bin/tune.runfiles/MANIFEST");
  EXPECT_EQ(NetworkProgram(Path("bin/tune"), "tune"),
            Path("bin/network_worker"));
  EXPECT_EQ(NetworkProgram(Path("bin/tune (deleted)"), "tune"),
            Path("bin/network_worker"));
}

TEST_F(NetworkProgramTest, AmongRunfiles) {
  Write("bin/tune.runfiles/pruner/pruner/pacm/network_worker");
  EXPECT_EQ(NetworkProgram(Path("bin/tune"), Path("bin/tune")),
            Path("bin/tune.runfiles/pruner/pruner/pacm/network_worker"));
}

TEST_F(NetworkProgramTest, NowhereIsWhereItWasInstalled) {
  EXPECT_EQ(NetworkProgram(Path("bin/tune"), Path("bin/tune")),
            Path("bin/network_worker"));
}

}  // namespace
}  // namespace pruner
