#include "models/onnx/tensor_data.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/onnx/element_type.h"
#include "models/operators/shape.h"
#include "onnx/onnx.pb.h"
#include "pruner/base/os/files.h"

namespace pruner {
namespace {

using ::absl_testing::StatusIs;
using ::onnx::TensorProto;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TensorProto Of(TensorProto::DataType type, absl::Span<const int64_t> dims) {
  TensorProto tensor;
  tensor.set_data_type(type);
  for (const int64_t dim : dims) tensor.add_dims(dim);
  return tensor;
}

TensorProto Raw(TensorProto::DataType type, absl::Span<const int64_t> dims,
                std::string bytes) {
  TensorProto tensor = Of(type, dims);
  tensor.set_raw_data(std::move(bytes));
  return tensor;
}

absl::StatusOr<OnnxTensor> Read(const TensorProto& tensor) {
  return ReadOnnxTensor(tensor, std::nullopt, "initializer \"w\"");
}

TEST(TensorDataTest, ReadsFloats) {
  TensorProto listed = Of(TensorProto::FLOAT, {3, 1});
  for (const float value : {1.0F, -2.5F, 0.0F}) listed.add_float_data(value);
  for (const TensorProto& tensor :
       {listed, Raw(TensorProto::FLOAT, {3, 1},
                    std::string("\0\0\x80\x3f\0\0\x20\xc0\0\0\0\0", 12))}) {
    const auto read = Read(tensor);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->type, DataType::kFloat32);
    EXPECT_EQ(read->dims, (Shape{3, 1}));
    EXPECT_THAT(*read->floats, ElementsAre(1, -2.5, 0));
    EXPECT_THAT(read->ints, IsEmpty());
  }
}

TEST(TensorDataTest, ConvertsOtherFloats) {
  // 1, -2, the largest, the smallest, minus infinity.
  const std::vector<uint16_t> halves = {0x3c00, 0xc000, 0x7bff, 0x0001, 0xfc00};
  TensorProto listed = Of(TensorProto::FLOAT16, {5});
  std::string bytes;
  for (const uint16_t half : halves) {
    listed.add_int32_data(half);
    bytes += {static_cast<char>(half & 0xff), static_cast<char>(half >> 8)};
  }
  for (const TensorProto& tensor :
       {listed, Raw(TensorProto::FLOAT16, {5}, bytes)}) {
    const auto read = Read(tensor);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_THAT(*read->floats, ElementsAre(1, -2, 65504, 0x1p-24F, -kInfinity));
  }

  TensorProto doubles = Of(TensorProto::DOUBLE, {3});
  for (const double value : {0.1, -1e300, 1e-300}) {
    doubles.add_double_data(value);
  }
  EXPECT_THAT(*Read(doubles)->floats, ElementsAre(0.1F, -kInfinity, 0));

  EXPECT_THAT(*Read(Raw(TensorProto::BFLOAT16, {1}, "\x20\xc0"))->floats,
              ElementsAre(-2.5));
}

TEST(TensorDataTest, ReadsIntegers) {
  TensorProto longs = Of(TensorProto::INT64, {2});
  longs.add_int64_data(-5);
  longs.add_int64_data(int64_t{1} << 40);
  TensorProto bytes = Of(TensorProto::INT8, {2});
  bytes.add_int32_data(-128);
  bytes.add_int32_data(127);
  TensorProto words = Of(TensorProto::UINT32, {1});
  words.add_uint64_data(0xffffffff);
  const struct {
    TensorProto tensor;
    std::vector<int64_t> values;
  } cases[] = {
      {longs, {-5, int64_t{1} << 40}},
      {bytes, {-128, 127}},
      {words, {0xffffffff}},
      {Raw(TensorProto::INT64, {1}, std::string("\2\0\0\0\0\0\0\x80", 8)),
       {std::numeric_limits<int64_t>::min() + 2}},
      {Raw(TensorProto::INT32, {1}, "\xff\xff\xff\xff"), {-1}},
      {Raw(TensorProto::INT16, {2}, std::string("\xfe\xff\1\0", 4)), {-2, 1}},
      {Raw(TensorProto::UINT8, {2}, "\xff\1"), {255, 1}},
      {Raw(TensorProto::UINT16, {1}, "\xff\xff"), {65535}},
  };
  for (const auto& [tensor, values] : cases) {
    const auto read = Read(tensor);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->type, DataType::kInt64);
    EXPECT_EQ(read->ints, values);
    EXPECT_EQ(read->floats, nullptr);
  }
}

TEST(TensorDataTest, ReadsBools) {
  const auto read = Read(Raw(TensorProto::BOOL, {3}, std::string("\0\1\2", 3)));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->type, DataType::kBool);
  EXPECT_THAT(read->ints, ElementsAre(0, 1, 1));
}

TEST(TensorDataTest, ReadsScalarsAndNothing) {
  TensorProto scalar = Of(TensorProto::FLOAT, {});
  scalar.add_float_data(3);
  EXPECT_THAT(Read(scalar)->dims, IsEmpty());
  EXPECT_THAT(*Read(scalar)->floats, ElementsAre(3));

  const auto nothing = Read(Of(TensorProto::FLOAT, {2, 0}));
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(nothing->dims, (Shape{2, 0}));
  EXPECT_THAT(*nothing->floats, IsEmpty());
  EXPECT_THAT(Read(Raw(TensorProto::INT64, {0}, ""))->ints, IsEmpty());
}

TEST(TensorDataTest, SaysWhatIsWrong) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  TensorProto too_wide = Of(TensorProto::UINT8, {1});
  too_wide.add_int32_data(300);
  TensorProto too_large = Of(TensorProto::UINT64, {1});
  too_large.add_uint64_data(uint64_t{1} << 63);
  TensorProto twice = Raw(TensorProto::FLOAT, {1}, "abcd");
  twice.add_float_data(1);
  TensorProto segment = Raw(TensorProto::FLOAT, {1}, "abcd");
  segment.mutable_segment()->set_begin(0);
  TensorProto other_field = Of(TensorProto::FLOAT, {1});
  other_field.add_int32_data(1);
  TensorProto unknown = Of(TensorProto::FLOAT, {});
  unknown.set_data_type(1000);
  const struct {
    TensorProto tensor;
    absl::string_view text;
  } cases[] = {
      {Of(TensorProto::FLOAT, {2, -1}), "has dims {2, -1}, of which one is"},
      {Of(TensorProto::FLOAT, {kMax, kMax}), "which make more than 536870911"},
      {Of(TensorProto::FLOAT, {1 << 15, 1 << 14}), "more than 536870911"},
      {Of(TensorProto::FLOAT, {kMax, 0, kMax}), "more than 536870911"},
      {Of(TensorProto::FLOAT, std::vector<int64_t>(65, 1)), "has 65 dims"},
      {Of(TensorProto::FLOAT, {1 << 29 >> 1}),
       "has 0 values of type FLOAT; its dims {268435456} take 268435456"},
      {Raw(TensorProto::FLOAT, {2, 3}, "abcde"),
       "has 5 bytes of values; its dims {2, 3} take 24"},
      {Raw(TensorProto::FLOAT, {0}, "abcd"), "its dims {0} take 0"},
      {other_field, "has 0 values of type FLOAT; its dims {1} take 1"},
      {too_wide, "has the value 300, which is no UINT8"},
      {too_large, "has the value 9223372036854775808, which no int64"},
      {twice, "has its values twice"},
      {segment, "is a segment of a tensor"},
      {Of(TensorProto::STRING, {}), "is of type STRING, which is not supp"},
      {Of(TensorProto::FLOAT8E5M2, {}), "is of type FLOAT8E5M2"},
      {unknown, "is of type 1000, which is not supported"},
      {TensorProto(), "is of type UNDEFINED"},
  };
  for (const auto& [tensor, text] : cases) {
    EXPECT_THAT(
        Read(tensor).status(),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 AllOf(StartsWith("initializer \"w\" "), HasSubstr(text))));
  }
}

class ExternalDataTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(temp_.ok());
    ASSERT_TRUE(WriteFileAtomically(temp_->File("w.bin"),
                                    std::string("____\0\0\x80\x3f__", 10))
                    .ok());
  }

  absl::StatusOr<OnnxTensor> Read(absl::string_view location,
                                  absl::string_view offset,
                                  absl::string_view length,
                                  bool has_folder = true) const {
    TensorProto tensor = Of(TensorProto::FLOAT, {1});
    tensor.set_data_location(TensorProto::EXTERNAL);
    const auto add = [&](absl::string_view key, absl::string_view value) {
      if (value.empty()) return;
      onnx::StringStringEntryProto& entry = *tensor.add_external_data();
      entry.set_key(std::string(key));
      entry.set_value(std::string(value));
    };
    add("location", location);
    add("offset", offset);
    add("length", length);
    add("checksum", "not looked at");
    std::optional<std::string> folder;
    if (has_folder) folder = temp_->path();
    return ReadOnnxTensor(tensor, folder, "w");
  }

  absl::StatusOr<TempDirectory> temp_ = TempDirectory::Create();
};

TEST_F(ExternalDataTest, ReadsAPartOfAFile) {
  for (const absl::string_view length : {"4", ""}) {
    const auto read = Read("w.bin", "4", length);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_THAT(*read->floats, ElementsAre(1));
  }
  EXPECT_TRUE(Read("w.bin", "", "4").ok());
}

TEST_F(ExternalDataTest, SaysWhatIsWrong) {
  const struct {
    absl::string_view location, offset, length, text;
  } cases[] = {
      {"w.bin", "7", "4", "there are no 4 from 7 on"},
      {"w.bin", "9223372036854775807", "4", "w.bin has 10 bytes"},
      {"w.bin", "4", "6", "has 6 bytes of external data; its dims {1} take 4"},
      {"w.bin", "-4", "4", "the offset \"-4\", which is no number of bytes"},
      {"w.bin", "4", "four", "the length \"four\""},
      {"../w.bin", "", "", "has \"..\""},
      {"/etc/passwd", "", "", "is absolute"},
      {"", "", "", "is empty"},
  };
  for (const auto& [location, offset, length, text] : cases) {
    EXPECT_THAT(Read(location, offset, length).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(StartsWith("w"), HasSubstr(text))));
  }
  EXPECT_THAT(Read("none", "", "").status(),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(Read("w.bin", "4", "4", /*has_folder=*/false).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace pruner
