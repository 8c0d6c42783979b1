// How ranking networks are trained; by default as Pruner trains PaCM
// (docs/algorithms.md B4).
#ifndef PRUNER_PACM_TRAINING_OPTIONS_H_
#define PRUNER_PACM_TRAINING_OPTIONS_H_

#include <cstdint>

#include "absl/status/status.h"

namespace pruner {

struct TrainingOptions {
  enum class Optimizer { kAdam, kSgd };
  Optimizer optimizer = Optimizer::kAdam;
  double learning_rate = 7e-4;
  double weight_decay = 1e-6;
  // What the norm of all gradients together is clipped to; 0: it is not.
  double max_gradient_norm = 0.5;
  // Programs of a batch at most.
  int batch_size = 512;
  // What the loss ranks. 0: each batch is a list, of all tasks mixed, as in the
  // authors' code. Else batches are made of lists of so many programs of one
  // task at most.
  int list_size = 0;
  int max_epochs = 50;
  // Fewer epochs than that if programs, counted again in each of them, would be
  // more; 0: no limit. What many programs teach, one epoch of them teaches.
  int64_t max_examples = 0;
  // Of so many epochs or more, the rate is halved after each third.
  int halving_epochs = 70;
  // Training ends when the exponential mean of the losses has not become
  // smaller for so many epochs. `loss_memory` is what a batch leaves of it.
  int patience = 16;
  double loss_memory = 0.95;

  // Ours: of fewer programs nothing is learned, as batch norm would take their
  // peculiarities for statistics.
  int min_programs = 16;
  // 0: as many as LibTorch takes. With another number sums are rounded
  // otherwise, so scores may differ in the last digits.
  int threads = 0;

  bool operator==(const TrainingOptions&) const = default;
};

// For a network that was trained elsewhere: plain descent, without decay,
// clipping and early end. Its normaliser is to be kept.
TrainingOptions FineTuning();

// For networks of kNarrowWidth, what ranks better by fewer steps where programs
// are of many tasks: lists of one task, smaller batches, longer steps, fewer
// epochs. One thread: a second one gains nothing on such small products, and
// they wait for each other where other programs run as well.
TrainingOptions ListTraining();

// Errors: an option out of range, by name.
absl::Status CheckTrainingOptions(const TrainingOptions& options);

// At most so many, and at least one.
int Epochs(const TrainingOptions& options, int64_t programs);

// Of an epoch, from 0.
double LearningRate(const TrainingOptions& options, int epoch);

}  // namespace pruner

#endif  // PRUNER_PACM_TRAINING_OPTIONS_H_
