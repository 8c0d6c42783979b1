// An append-only file of records that loses nothing: what was appended is on
// disk, and damage costs the damaged records only.
//
// The file is the line "pruner-records 1\n" and then frames:
//
//   marker   8 bytes   f1 50 52 4e d2 c5 8e 0a
//   length   4 bytes   of the payload as stored, little-endian
//   checksum 4 bytes   CRC-32C of length and payload, little-endian
//   payload            with a 00 put in after each f1 50 52 4e d2 c5 8e
//
// So a marker occurs nowhere but at the start of a frame. Where a frame is
// damaged, even in its length, reading goes on at the next marker, and a
// payload that contains a record file cannot be mistaken for frames of this
// one.
#ifndef PRUNER_BASE_OS_RECORD_FILE_H_
#define PRUNER_BASE_OS_RECORD_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/file_descriptor.h"

namespace pruner {

inline constexpr size_t kMaxRecordBytes = size_t{256} << 20;

// A part of a record file in which there is no valid record.
struct DroppedBytes {
  int64_t offset = 0;
  int64_t bytes = 0;
  std::string reason;

  template <typename Sink>
  friend void AbslStringify(Sink& sink, const DroppedBytes& dropped) {
    absl::Format(&sink, "%d bytes at offset %d dropped: %s", dropped.bytes,
                 dropped.offset, dropped.reason);
  }
};

struct RecordFileContents {
  std::vector<std::string> records;  // in the order in which they were appended
  std::vector<DroppedBytes> dropped;  // by offset
};

// Reads a record file and leaves it as it is, also while somebody writes to it:
// the record being written then counts as dropped. FailedPrecondition if the
// file is not a record file of this version. A damaged first line before a
// whole frame counts as dropped; it stays where it is.
absl::StatusOr<RecordFileContents> ReadRecordFile(const std::string& path);

// The frames of whatever file it is, such as what was cut off of a record file,
// or one whose beginning is lost.
absl::StatusOr<RecordFileContents> SalvageRecordFile(const std::string& path);

// Whether `path` itself, not what a link leads to, is a record file of any
// version, as far as its first bytes tell.
bool IsRecordFile(const std::string& path);

// The one writer of a record file. Not thread-safe.
class RecordFileWriter {
 public:
  // Opens the file, or makes it, and reads what is in it. A damaged end is cut
  // off, after its bytes were appended to `path`.dropped; other damage stays
  // where it is. Both are told in contents.dropped. FailedPrecondition, and
  // nothing is touched, if another writer has the file open or it is not a
  // record file of this version.
  struct Opened;
  static absl::StatusOr<Opened> Open(const std::string& path);

  // Appends a record of at most kMaxRecordBytes, which is on disk on return.
  // Aborted if the file was deleted meanwhile.
  // After an error the record is not in the file; if that cannot be ensured,
  // this and all later calls fail, and opening the file again puts it in order.
  absl::Status Append(absl::string_view record);

  const std::string& path() const { return path_; }

 private:
  RecordFileWriter(std::string path, FileDescriptor file, int64_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  absl::Status WriteFrame(absl::string_view frame);

  std::string path_;
  FileDescriptor file_;
  int64_t size_;  // where the next frame starts
  bool broken_ = false;
};

struct RecordFileWriter::Opened {
  RecordFileWriter writer;
  RecordFileContents contents;
};

}  // namespace pruner

#endif  // PRUNER_BASE_OS_RECORD_FILE_H_
