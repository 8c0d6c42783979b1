// How lengths of splits are drawn: the interface of what knows a target's tile
// structure (tile_sizes.h, thread_tiles.h) or knows nothing of it
// (uniform_tiles.h).
#ifndef PRUNER_SAMPLE_LENGTH_SAMPLER_H_
#define PRUNER_SAMPLE_LENGTH_SAMPLER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "pruner/base/rng.h"
#include "pruner/sample/mutation_weights.h"
#include "pruner/sample/rejection.h"
#include "pruner/sample/shared_copies.h"
#include "pruner/sketch/candidate.h"
#include "pruner/sketch/decision.h"

namespace pruner {

// What lengths are drawn for: the decisions of a sketch, those without lengths
// among them, and what it copies to shared memory, if anything.
struct LengthSpace {
  std::vector<Decision> decisions = {};
  SharedCopies copies;
};

// Not thread-safe.
class LengthSampler {
 public:
  virtual ~LengthSampler() = default;

  // Draws all lengths of which the values are open; kOpen again if it fails.
  std::optional<Rejection> Fill(const LengthSpace& space, Rng& rng,
                                absl::Span<int32_t> values);

  // Draws the lengths of one decision anew, within what the others, as far as
  // they are not open, leave.
  virtual std::optional<Rejection> Redraw(const LengthSpace& space,
                                          size_t which, Rng& rng,
                                          absl::Span<int32_t> values) = 0;

  // After some were changed otherwise: draws those anew that do not fit them.
  // Without `rng` that is Rejection::kUnfit.
  virtual std::optional<Rejection> Adjust(const LengthSpace& space, Rng* rng,
                                          absl::Span<int32_t> values) = 0;

  virtual const MutationWeights& weights() const = 0;

 protected:
  // Those of a lower rank are drawn first, for the others depend on them; of
  // equal ranks in random order.
  virtual int Rank(const Decision& decision) const = 0;
  // How often all is drawn if it does not fit in the end.
  virtual int tries() const { return 1; }

 private:
  std::optional<Rejection> FillOnce(const LengthSpace& space,
                                    absl::Span<const size_t> open, Rng& rng,
                                    absl::Span<int32_t> values);
};

// The values of a decision as lengths; 0 or less where they are open.
inline std::vector<int64_t> LengthsOf(const Decision& decision,
                                      absl::Span<const int32_t> values) {
  const absl::Span<const int32_t> lengths = ValuesOf(decision, values);
  return {lengths.begin(), lengths.end()};
}

void SetLengths(const Decision& decision, absl::Span<const int64_t> lengths,
                absl::Span<int32_t> values);

// Whether they are positive and their product is the extent, divides it or, as
// far as the decision allows it, does not.
bool LengthsFit(const Decision& decision, absl::Span<const int32_t> values);

}  // namespace pruner

#endif  // PRUNER_SAMPLE_LENGTH_SAMPLER_H_
