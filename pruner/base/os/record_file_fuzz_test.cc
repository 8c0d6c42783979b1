// Whatever is done to a record file, the records whose bytes are still there
// are read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/files.h"
#include "pruner/base/os/record_file.h"

namespace pruner {
namespace {

constexpr absl::string_view kMarker("\xf1PRN\xd2\xc5\x8e\n", 8);

// A byte of the damaged file: what it is, and where it was; -1: nowhere.
struct Byte {
  char value;
  int origin;
};
using Bytes = std::vector<Byte>;

struct Frame {
  int begin, end;
  std::string record;
};

// A record file as it was written.
class Original {
 public:
  Original() {
    const std::string path = folder_->File("original");
    auto opened = RecordFileWriter::Open(path);
    CHECK_OK(opened);
    std::vector<std::string> records = {"", "a", std::string(300, '\0'),
                                        std::string(kMarker), "the last"};
    // A record that is a record file itself.
    records.insert(records.begin() + 3, absl::StrCat(kMarker, "nested"));
    for (const std::string& record : records) {
      const int begin = static_cast<int>(ReadFile(path)->size());
      CHECK_OK(opened->writer.Append(record));
      const int end = static_cast<int>(ReadFile(path)->size());
      frames_.push_back({begin, end, record});
    }
    bytes_ = *ReadFile(path);
  }

  std::string File(absl::string_view name) const { return folder_->File(name); }

  Bytes Copy() const {
    Bytes copy;
    for (const char byte : bytes_)
      copy.push_back({byte, static_cast<int>(copy.size())});
    return copy;
  }

  // The records that are still in the file as a whole, in its order.
  std::vector<std::string> Intact(const Bytes& file) const {
    std::vector<std::string> records;
    for (size_t i = 0; i < file.size(); ++i) {
      for (const Frame& frame : frames_) {
        if (IsAt(frame, file, i)) records.push_back(frame.record);
      }
    }
    return records;
  }

 private:
  static bool IsAt(const Frame& frame, const Bytes& file, size_t place) {
    const size_t size = frame.end - frame.begin;
    if (file[place].origin != frame.begin || file.size() - place < size)
      return false;
    for (size_t i = 0; i < size; ++i) {
      if (file[place + i].origin != frame.begin + static_cast<int>(i))
        return false;
    }
    return true;
  }

  absl::StatusOr<TempDirectory> folder_ = TempDirectory::Create();
  std::vector<Frame> frames_;
  std::string bytes_;
};

const Original& TheOriginal() {
  static const Original kOriginal;
  return kOriginal;
}

// One change, of which `edit` says what, where, how much and with what.
void Damage(const uint8_t edit[5], Bytes& file) {
  const size_t place = (edit[1] | edit[2] << 8) % (file.size() + 1);
  const size_t most = std::min<size_t>(edit[3], file.size() - place);
  const auto here = file.begin() + static_cast<std::ptrdiff_t>(place);
  const auto there = here + static_cast<std::ptrdiff_t>(most);
  const Byte byte = {static_cast<char>(edit[4]), -1};
  switch (edit[0] % 6) {
    case 0:
      std::fill(here, there, byte);
      break;
    case 1:
      file.erase(here, there);
      break;
    case 2:
      file.insert(here, edit[3], byte);
      break;
    case 3:
      file.erase(here, file.end());
      break;
    case 4: {  // a part of a marker, perhaps all of it
      Bytes marker;
      for (const char c : kMarker.substr(0, 1 + edit[4] % kMarker.size()))
        marker.push_back({c, -1});
      file.insert(here, marker.begin(), marker.end());
      break;
    }
    default: {  // as after a file was appended to itself
      const Bytes again(here, there);
      file.insert(file.end(), again.begin(), again.end());
      break;
    }
  }
}

// Whether `wanted` are among `records`, in this order.
bool AreAmong(const std::vector<std::string>& wanted,
              const std::vector<std::string>& records) {
  auto next = wanted.begin();
  for (const std::string& record : records) {
    if (next != wanted.end() && record == *next) ++next;
  }
  return next == wanted.end();
}

void CheckDropped(const RecordFileContents& contents, size_t size) {
  int64_t end = 0;
  for (const DroppedBytes& dropped : contents.dropped) {
    CHECK_GE(dropped.offset, end);
    CHECK_GE(dropped.bytes, 0);
    end = dropped.offset + dropped.bytes;
  }
  CHECK_LE(end, static_cast<int64_t>(size));
}

// Opening the file and going on with it loses nothing either.
void CheckAppend(const std::string& path, std::vector<std::string> intact) {
  {
    auto opened = RecordFileWriter::Open(path);
    CHECK_OK(opened);
    CHECK_OK(opened->writer.Append("appended"));
  }
  intact.push_back("appended");
  const auto contents = ReadRecordFile(path);
  CHECK_OK(contents);
  CHECK(AreAmong(intact, contents->records));
}

void CheckFile(const Bytes& file, bool appends) {
  const Original& original = TheOriginal();
  const std::string path = original.File("damaged");
  std::string bytes;
  for (const Byte& byte : file) bytes += byte.value;
  std::ofstream(path, std::ios::binary) << bytes;
  const std::vector<std::string> intact = original.Intact(file);

  const auto salvaged = SalvageRecordFile(path);
  CHECK_OK(salvaged);
  CHECK(AreAmong(intact, salvaged->records));
  CheckDropped(*salvaged, bytes.size());
  const auto contents = ReadRecordFile(path);
  if (!contents.ok()) return;  // Its first line is gone; it is left as it is.
  CHECK(AreAmong(intact, contents->records));
  CheckDropped(*contents, bytes.size());
  if (appends) CheckAppend(path, intact);
}

}  // namespace
}  // namespace pruner

// The first byte says whether what follows are changes of a file, five bytes
// each, or a file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  pruner::Bytes file;
  if (data[0] % 4 == 0) {
    for (size_t i = 1; i < size; ++i)
      file.push_back({static_cast<char>(data[i]), -1});
  } else {
    file = pruner::TheOriginal().Copy();
    for (size_t i = 1; i + 5 <= size; i += 5) pruner::Damage(data + i, file);
  }
  // Writing to disk takes as long as a hundred inputs without.
  pruner::CheckFile(file, /*appends=*/data[0] % 4 == 3);
  return 0;
}
