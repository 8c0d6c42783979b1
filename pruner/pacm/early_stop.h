// When to end training: the loss no longer falls (docs/algorithms.md B4).
#ifndef PRUNER_PACM_EARLY_STOP_H_
#define PRUNER_PACM_EARLY_STOP_H_

#include <limits>
#include <optional>

namespace pruner {

// Watches the exponential mean of the losses of batches, which begins with the
// first of them, at the end of each epoch.
class EarlyStop {
 public:
  // `memory`: the share of the mean that a new loss leaves.
  EarlyStop(double memory, int patience)
      : memory_(memory), patience_(patience) {}

  void AddLoss(double loss) {
    mean_ = mean_ ? memory_ * *mean_ + (1 - memory_) * loss : loss;
  }

  // Ends an epoch: whether it is the `patience`-th since the mean was least, or
  // a later one. An epoch without losses changes nothing about the mean.
  bool EndEpoch() {
    if (mean() < least_) {
      least_ = mean();
      since_least_ = 0;
      return false;
    }
    return ++since_least_ >= patience_;
  }

  // 0 before the first loss.
  double mean() const { return mean_.value_or(0); }

 private:
  double memory_;
  int patience_;
  std::optional<double> mean_;
  double least_ = std::numeric_limits<double>::infinity();
  int since_least_ = 0;
};

}  // namespace pruner

#endif  // PRUNER_PACM_EARLY_STOP_H_
