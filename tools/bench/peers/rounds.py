"""Measuring in turns, and what is made of it."""

import dataclasses
import statistics
import time

# Threads that look out for work go to sleep before the next system runs.
PAUSE = 0.05
WARM_UP_SECONDS = 0.2


def measure(systems, rounds, seconds, progress=lambda done: None, pause=time.sleep):
    """For each system (they have a method time) a list of rounds, each a list of the seconds of
    its runs. Only one runs at a time; each round begins with another one."""
    for system in systems:
        system.time(WARM_UP_SECONDS)
    samples = [[] for _ in systems]
    for number in range(rounds):
        for turn in range(len(systems)):
            i = (number + turn) % len(systems)
            pause(PAUSE)
            samples[i].append(systems[i].time(seconds))
        progress(number + 1)
    return samples


@dataclasses.dataclass
class Timing:
    """Of one system, in seconds."""
    best: float  # run
    medians: list  # of the runs of each round

    @property
    def median(self):
        return statistics.median(self.medians)

    @property
    def range(self):
        return min(self.medians), max(self.medians)


def timing(rounds):
    return Timing(best=min(min(runs) for runs in rounds),
                  medians=[statistics.median(runs) for runs in rounds])


def ratio(of, to):
    """How long the one takes as a multiple of the other: what else the machine does meanwhile
    happens to both, in each round."""
    return statistics.median(a / b for a, b in zip(of.medians, to.medians))
