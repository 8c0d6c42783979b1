#include "halide_ext/build/flat_table.h"

#include <bit>
#include <cstring>

namespace pruner {
namespace {

static_assert(std::endian::native == std::endian::little,
              "flatbuffers are read as they are stored");

bool Contains(absl::string_view bytes, uint64_t position, uint64_t size) {
  return position <= bytes.size() && size <= bytes.size() - position;
}

template <typename T>
std::optional<T> Read(absl::string_view bytes, uint64_t position) {
  if (!Contains(bytes, position, sizeof(T))) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + position, sizeof(T));
  return value;
}

// Where the offset stored at `position` leads.
std::optional<uint64_t> Follow(absl::string_view bytes, uint64_t position) {
  const std::optional<uint32_t> offset = Read<uint32_t>(bytes, position);
  if (!offset || *offset == 0) return std::nullopt;
  return position + *offset;
}

// Its length, its characters, a NUL.
std::optional<absl::string_view> StringAt(absl::string_view bytes,
                                          uint64_t position) {
  const std::optional<uint32_t> length = Read<uint32_t>(bytes, position);
  if (!length) return std::nullopt;
  const uint64_t begin = position + sizeof(uint32_t);
  if (!Contains(bytes, begin, uint64_t{*length} + 1)) return std::nullopt;
  if (bytes[begin + *length] != '\0') return std::nullopt;
  return bytes.substr(begin, *length);
}

}  // namespace

std::optional<FlatTable> FlatTable::Root(absl::string_view bytes) {
  const std::optional<uint64_t> position = Follow(bytes, 0);
  return position ? At(bytes, *position) : std::nullopt;
}

std::optional<FlatTable> FlatTable::At(absl::string_view bytes,
                                       uint64_t position) {
  const std::optional<int32_t> back = Read<int32_t>(bytes, position);
  if (!back) return std::nullopt;
  // Below zero it wraps to what is out of bounds.
  const uint64_t list = position - static_cast<int64_t>(*back);
  constexpr uint64_t kHeader = 2 * sizeof(uint16_t);
  const std::optional<uint16_t> list_bytes = Read<uint16_t>(bytes, list);
  const std::optional<uint16_t> table_bytes =
      Read<uint16_t>(bytes, list + sizeof(uint16_t));
  if (!list_bytes || !table_bytes || *list_bytes < kHeader ||
      *list_bytes % sizeof(uint16_t) != 0 || *table_bytes < sizeof(int32_t) ||
      !Contains(bytes, list, *list_bytes) ||
      !Contains(bytes, position, *table_bytes)) {
    return std::nullopt;
  }
  return FlatTable(bytes, position, list + kHeader, list + *list_bytes);
}

std::optional<uint64_t> FlatTable::Find(int field) const {
  const uint64_t entry = fields_ + field * sizeof(uint16_t);
  if (entry >= fields_end_) return std::nullopt;
  const std::optional<uint16_t> inside = Read<uint16_t>(bytes_, entry);
  if (!inside || *inside == 0) return std::nullopt;
  return Follow(bytes_, position_ + *inside);
}

std::optional<std::vector<uint64_t>> FlatTable::FindAll(int field) const {
  const std::optional<uint64_t> vector = Find(field);
  if (!vector) return std::nullopt;
  const std::optional<uint32_t> size = Read<uint32_t>(bytes_, *vector);
  const uint64_t begin = *vector + sizeof(uint32_t);
  if (!size || !Contains(bytes_, begin, *size * uint64_t{sizeof(uint32_t)}))
    return std::nullopt;
  std::vector<uint64_t> positions;
  for (uint32_t i = 0; i < *size; ++i) {
    const std::optional<uint64_t> position =
        Follow(bytes_, begin + i * uint64_t{sizeof(uint32_t)});
    if (!position) return std::nullopt;
    positions.push_back(*position);
  }
  return positions;
}

std::optional<absl::string_view> FlatTable::String(int field) const {
  const std::optional<uint64_t> position = Find(field);
  return position ? StringAt(bytes_, *position) : std::nullopt;
}

std::optional<std::vector<absl::string_view>> FlatTable::Strings(
    int field) const {
  const std::optional<std::vector<uint64_t>> positions = FindAll(field);
  if (!positions) return std::nullopt;
  std::vector<absl::string_view> strings;
  for (const uint64_t position : *positions) {
    const std::optional<absl::string_view> string = StringAt(bytes_, position);
    if (!string) return std::nullopt;
    strings.push_back(*string);
  }
  return strings;
}

std::optional<std::vector<FlatTable>> FlatTable::Tables(int field) const {
  const std::optional<std::vector<uint64_t>> positions = FindAll(field);
  if (!positions) return std::nullopt;
  std::vector<FlatTable> tables;
  for (const uint64_t position : *positions) {
    const std::optional<FlatTable> table = At(bytes_, position);
    if (!table) return std::nullopt;
    tables.push_back(*table);
  }
  return tables;
}

}  // namespace pruner
