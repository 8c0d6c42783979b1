#include "pruner/base/fuzz/mutate.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/types/span.h"
#include "pruner/base/rng.h"

namespace pruner {
namespace {

// Where lengths and counts overflow, and what separates words.
constexpr unsigned char kTelling[] = {0x00, 0x01, 0x7f, 0x80, 0xff,
                                      '\n', ' ',  '-',  '0',  '9'};

// A few bytes somewhere in the text, seldom many.
struct Piece {
  size_t begin, size;
};
Piece DrawPiece(size_t size, Rng& rng) {
  const size_t begin = rng.Index(size + 1);
  const size_t most = std::min<size_t>(size - begin, rng.Chance(0.1) ? 256 : 8);
  return {begin, rng.Index(most + 1)};
}

void Change(std::string& text, absl::Span<const std::string> seeds, Rng& rng) {
  const Piece piece = DrawPiece(text.size(), rng);
  const size_t place = rng.Index(text.size() + 1);
  switch (rng.Index(6)) {
    case 0:
      if (place < text.size())
        text[place] = static_cast<char>(text[place] ^ 1 << rng.Index(8));
      break;
    case 1:
      if (place < text.size()) text[place] = static_cast<char>(rng.Next());
      break;
    case 2:
      text.insert(place, 1, static_cast<char>(rng.Pick(kTelling)));
      break;
    case 3:
      text.erase(piece.begin, piece.size);
      break;
    case 4:
      text.insert(place, text.substr(piece.begin, piece.size));
      break;
    default: {
      const std::string& other = rng.Pick(seeds);
      const Piece taken = DrawPiece(other.size(), rng);
      text.replace(piece.begin, piece.size, other, taken.begin, taken.size);
      break;
    }
  }
}

}  // namespace

std::string Mutate(absl::Span<const std::string> seeds, size_t max_bytes,
                   Rng& rng) {
  std::string text = rng.Pick(seeds);
  // Few, for most changes make a text one that is refused at once.
  do {
    Change(text, seeds, rng);
  } while (rng.Chance(0.5));
  if (text.size() > max_bytes) text.resize(max_bytes);
  return text;
}

}  // namespace pruner
