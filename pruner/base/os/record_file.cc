#include "pruner/base/os/record_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/crc/crc32c.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "pruner/base/os/file_descriptor.h"
#include "pruner/base/os/files.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// All of this is on disk in users' files and must not be changed.
constexpr absl::string_view kMagic = "pruner-records ";
constexpr absl::string_view kHeader = "pruner-records 1\n";
constexpr absl::string_view kMarker("\xf1PRN\xd2\xc5\x8e\n", 8);
// The first byte of the marker is not in its rest: markers cannot overlap.
constexpr absl::string_view kMarkerStart("\xf1PRN\xd2\xc5\x8e", 7);
constexpr absl::string_view kEscapedMarkerStart("\xf1PRN\xd2\xc5\x8e\0", 8);
constexpr size_t kFrameHeaderBytes = 16;
// Of a payload as stored: each marker start in a record takes a byte more.
constexpr size_t kMaxPayloadBytes =
    kMaxRecordBytes + kMaxRecordBytes / kMarkerStart.size();

std::string LittleEndian32(uint32_t value) {
  std::string bytes(4, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(value);
    value >>= 8;
  }
  return bytes;
}

uint32_t ParseLittleEndian32(absl::string_view bytes) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i)
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

uint32_t Checksum(absl::string_view length, absl::string_view payload) {
  return static_cast<uint32_t>(
      absl::ExtendCrc32c(absl::ComputeCrc32c(length), payload));
}

std::string Frame(absl::string_view record) {
  const std::string payload =
      absl::StrReplaceAll(record, {{kMarkerStart, kEscapedMarkerStart}});
  const std::string length = LittleEndian32(payload.size());
  return absl::StrCat(kMarker, length,
                      LittleEndian32(Checksum(length, payload)), payload);
}

// The stored payload of the frame that `data` starts with, or what is wrong
// with it. Looks no further than the next marker, which no payload contains:
// so a file is read in linear time, whatever lengths its frames claim.
absl::StatusOr<absl::string_view> ParseFrame(absl::string_view data) {
  if (!absl::StartsWith(data, kMarker.substr(0, data.size()))) {
    return absl::DataLossError("no record starts here");
  }
  if (data.size() < kFrameHeaderBytes) {
    return absl::DataLossError("the record is incomplete");
  }
  const absl::string_view length = data.substr(8, 4);
  const size_t bytes = ParseLittleEndian32(length);
  const absl::string_view payload = data.substr(kFrameHeaderBytes, bytes);
  if (bytes > kMaxPayloadBytes || absl::StrContains(payload, kMarker)) {
    return absl::DataLossError("the record's length is wrong");
  }
  if (payload.size() < bytes) {
    return absl::DataLossError("the record is incomplete");
  }
  if (Checksum(length, payload) != ParseLittleEndian32(data.substr(12, 4))) {
    return absl::DataLossError("the record's checksum is wrong");
  }
  return payload;
}

// Where the next valid frame after `offset` starts, or the end of the file.
size_t NextFrame(absl::string_view file, size_t offset) {
  do {
    offset = file.find(kMarker, offset + 1);
  } while (offset != file.npos && !ParseFrame(file.substr(offset)).ok());
  return offset == file.npos ? file.size() : offset;
}

// A file that ends within its header was being made when its writer died.
bool IsUnfinishedHeader(absl::string_view file) {
  return file.size() < kHeader.size() && absl::StartsWith(kHeader, file);
}

// "pruner-records 23\n".
bool NamesAVersion(absl::string_view file) {
  if (!absl::ConsumePrefix(&file, kMagic)) return false;
  const size_t digits =
      std::min(file.find_first_not_of("0123456789"), file.size());
  return digits > 0 && absl::StartsWith(file.substr(digits), "\n");
}

// Only if no other line could be meant: a file of another kind, or one of
// another version, is none that was damaged.
bool HasDamagedHeader(absl::string_view file) {
  return file.size() > kHeader.size() && !NamesAVersion(file) &&
         ParseFrame(file.substr(kHeader.size())).ok();
}

absl::Status CheckHeader(absl::string_view file, absl::string_view path) {
  if (absl::StartsWith(file, kHeader)) return absl::OkStatus();
  if (absl::StartsWith(file, "pruner-records 1\r")) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        " is a record file whose line ends were converted, which damages all "
        "of it; copy it again, as a binary file"));
  }
  if (absl::StartsWith(file, kMagic)) {
    return absl::FailedPreconditionError(absl::StrCat(
        path,
        " is a record file of another version than 1, the one this program "
        "reads; use the program that wrote it or choose another name"));
  }
  return absl::FailedPreconditionError(absl::StrCat(
      path, " is not a record file; move it away or choose another name"));
}

// What is in the frames from `offset` on.
void ParseFrames(absl::string_view file, size_t offset,
                 RecordFileContents& contents) {
  while (offset < file.size()) {
    const absl::StatusOr<absl::string_view> payload =
        ParseFrame(file.substr(offset));
    if (payload.ok()) {
      contents.records.push_back(
          absl::StrReplaceAll(*payload, {{kEscapedMarkerStart, kMarkerStart}}));
      offset += kFrameHeaderBytes + payload->size();
      continue;
    }
    const size_t next = NextFrame(file, offset);
    contents.dropped.push_back({static_cast<int64_t>(offset),
                                static_cast<int64_t>(next - offset),
                                std::string(payload.status().message())});
    offset = next;
  }
}

absl::StatusOr<RecordFileContents> Parse(absl::string_view file,
                                         absl::string_view path) {
  RecordFileContents contents;
  if (IsUnfinishedHeader(file)) {
    if (!file.empty()) {
      contents.dropped.push_back({0, static_cast<int64_t>(file.size()),
                                  "the file's header is incomplete"});
    }
    return contents;
  }
  size_t first = kHeader.size();
  if (HasDamagedHeader(file)) {
    // What remains of the header may be shorter, and then a frame comes
    // earlier.
    first = ParseFrame(file).ok() ? 0 : NextFrame(file, 0);
    contents.dropped.push_back(
        {0, static_cast<int64_t>(first), "the file's header is damaged"});
  } else {
    RETURN_IF_ERROR(CheckHeader(file, path));
  }
  ParseFrames(file, first, contents);
  return contents;
}

absl::Status Error(absl::string_view what, absl::string_view path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot ", what, " ", path));
}

absl::StatusOr<FileDescriptor> OpenLocked(const std::string& path) {
  FileDescriptor file(
      open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.open()) return Error("open", path);
  RETURN_IF_ERROR(CheckRegularFile(file.get(), path));
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return Error("lock", path);
    return absl::FailedPreconditionError(
        absl::StrCat("another process is writing to ", path,
                     "; wait until it ends, stop it, or choose another file"));
  }
  return file;
}

// Puts `bytes` at the end of the file, on disk on return.
absl::Status AppendToFile(const std::string& path, absl::string_view bytes) {
  const FileDescriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.open()) return Error("open", path);
  RETURN_IF_ERROR(WriteAll(file.get(), bytes, path));
  if (fsync(file.get()) != 0) return Error("write to disk", path);
  return SyncDirectory(DirectoryOf(path));
}

// Cuts the file off at `size`, the rest saved.
absl::Status CutOff(int fd, absl::string_view contents, size_t size,
                    const std::string& path) {
  RETURN_IF_ERROR(
      AppendToFile(absl::StrCat(path, ".dropped"), contents.substr(size)));
  if (ftruncate(fd, static_cast<off_t>(size)) != 0 || fsync(fd) != 0) {
    return Error("cut off the damaged end of", path);
  }
  return absl::OkStatus();
}

absl::Status WriteHeader(int fd, const std::string& path) {
  RETURN_IF_ERROR(WriteAll(fd, kHeader, path));
  if (fsync(fd) != 0) return Error("write to disk", path);
  return SyncDirectory(DirectoryOf(path));
}

}  // namespace

absl::StatusOr<RecordFileContents> ReadRecordFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string file, ReadFile(path));
  return Parse(file, path);
}

absl::StatusOr<RecordFileContents> SalvageRecordFile(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string file, ReadFile(path));
  RecordFileContents contents;
  ParseFrames(file, absl::StartsWith(file, kHeader) ? kHeader.size() : 0,
              contents);
  return contents;
}

bool IsRecordFile(const std::string& path) {
  // A FIFO would block without O_NONBLOCK; nothing can be read from it.
  const FileDescriptor file(
      open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::string start(kMagic.size(), '\0');
  return file.open() &&
         pread(file.get(), start.data(), start.size(), 0) ==
             static_cast<ssize_t>(start.size()) &&
         start == kMagic;
}

absl::StatusOr<RecordFileWriter::Opened> RecordFileWriter::Open(
    const std::string& path) {
  ASSIGN_OR_RETURN(FileDescriptor file, OpenLocked(path));
  ASSIGN_OR_RETURN(const std::string bytes, ReadAll(file.get(), path));
  ASSIGN_OR_RETURN(RecordFileContents contents, Parse(bytes, path));
  size_t size = bytes.size();
  if (!contents.dropped.empty()) {
    const DroppedBytes& last = contents.dropped.back();
    if (last.offset + last.bytes == static_cast<int64_t>(size)) {
      size = last.offset;
      RETURN_IF_ERROR(CutOff(file.get(), bytes, size, path));
    }
  }
  if (size == 0) {
    RETURN_IF_ERROR(WriteHeader(file.get(), path));
    size = kHeader.size();
  }
  return Opened{
      RecordFileWriter(path, std::move(file), static_cast<int64_t>(size)),
      std::move(contents)};
}

absl::Status RecordFileWriter::Append(absl::string_view record) {
  if (record.size() > kMaxRecordBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a record of ", record.size(), " bytes for ", path_,
                     " is above the limit of ", kMaxRecordBytes));
  }
  if (broken_) {
    return absl::FailedPreconditionError(absl::StrCat(
        "an earlier write to ", path_, " failed; open the file again"));
  }
  const std::string frame = Frame(record);
  absl::Status status = WriteFrame(frame);
  if (!status.ok()) {
    if (ftruncate(file_.get(), size_) != 0) broken_ = true;
    return status;
  }
  size_ += static_cast<int64_t>(frame.size());
  return absl::OkStatus();
}

absl::Status RecordFileWriter::WriteFrame(absl::string_view frame) {
  struct stat status = {};
  if (fstat(file_.get(), &status) == 0 && status.st_nlink == 0) {
    broken_ = true;
    return absl::AbortedError(absl::StrCat(
        path_,
        " was deleted while it was being written: what was in it is "
        "lost, and there is no point in going on"));
  }
  RETURN_IF_ERROR(WriteAll(file_.get(), frame, path_));
  if (fdatasync(file_.get()) != 0) {
    broken_ = true;  // nobody knows what is on disk now, not even a later sync
    return Error("write to disk", path_);
  }
  return absl::OkStatus();
}

}  // namespace pruner
