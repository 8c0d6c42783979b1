// A host that links another version of Protocol Buffers than the plugin does:
// neither disturbs the other.
#include <map>
#include <memory>
#include <string>

#include "Halide.h"
#include "google/protobuf/stubs/common.h"
#include "google/protobuf/timestamp.pb.h"
#include "google/protobuf/util/json_util.h"
#include "gtest/gtest.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace pruner {
namespace {

using bazel::tools::cpp::runfiles::Runfiles;
using google::protobuf::Timestamp;

// Through generated code, reflection and descriptors.
void UseProtobuf() {
  Timestamp time;
  time.set_seconds(1'700'000'000);
  Timestamp copy;
  ASSERT_TRUE(copy.ParseFromString(time.SerializeAsString()));
  std::string json;
  ASSERT_TRUE(google::protobuf::util::MessageToJsonString(copy, &json).ok());
  EXPECT_EQ(json, "\"2023-11-14T22:13:20Z\"");
  EXPECT_EQ(copy.GetDescriptor()->full_name(), "google.protobuf.Timestamp");
}

TEST(HostProtobufTest, ThePluginAndItsHostHaveEachTheirOwn) {
  static_assert(GOOGLE_PROTOBUF_VERSION < 4000000, "not Debian's");
  UseProtobuf();
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::CreateForTest(&error));
  ASSERT_NE(runfiles, nullptr) << error;
  Halide::load_plugin(runfiles->Rlocation(
      "pruner/halide_ext/plugin/libautoschedule_pruner.so"));
  UseProtobuf();

  const Halide::Var x("x"), y("y");
  Halide::Func rows("rows"), out("out");
  rows(x, y) = x * y + x / 3;
  out(x, y) = rows(x, y) + rows(x + 1, y) + rows(x, y + 1);
  out.set_estimates({{0, 100}, {0, 100}});
  Halide::Pipeline pipeline(out);
  const auto results = pipeline.apply_autoscheduler(
      Halide::get_host_target(),
      {"Pruner", {{"parallelism", "1"}, {"strict", "1"}}});
  EXPECT_NE(results.schedule_source, "");
  const Halide::Buffer<int> image = pipeline.realize({50, 50});
  EXPECT_EQ(image(6, 5), (6 * 5 + 2) + (7 * 5 + 2) + (6 * 6 + 2));
  UseProtobuf();
}

}  // namespace
}  // namespace pruner
