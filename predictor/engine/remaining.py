"""What running jobs may still use until their limits, as the batch system has counted it last."""

from predictor.engine import store
from predictor.engine.ranking_tables import NEVER


class Remaining:
    """Of each meter, the amounts that run times the seconds they have before them.

    Those of a job are all its limit from its start on, fewer only whenever they are counted anew.
    Instants are seconds after the opening. Source: Slurm 22.05, decay_apply_new_usage and
    job_end of priority/basic.
    """

    def __init__(self, meters: int, counted_s: int, every_s: int) -> None:
        self.meters = meters
        self.rate = store.reals(meters)
        self.end = store.reals(meters)
        self.left = store.reals(meters)
        """By meter: what is left of these, as counted last."""
        self.counted_s = counted_s
        """When what is left was counted last."""
        self.every_s = every_s
        """How often it is counted; 0: never."""
        self.due_s = counted_s + every_s if every_s > 0 else NEVER
        """When it is counted next."""

    def add(self, meter: int, rate: float, started_s: int, ends_s: int) -> None:
        """Let so much run from its start to its end; a negative rate is gone again."""
        self.rate[meter] += rate
        self.end[meter] += rate * ends_s
        self.left[meter] += rate * (ends_s - max(started_s, self.counted_s))

    def move_to(self, at_s: int) -> None:
        """Count anew whatever was to be counted up to then."""
        if at_s < self.due_s:
            return
        self.counted_s = at_s - (at_s - self.due_s) % self.every_s
        self.due_s = self.counted_s + self.every_s
        for meter in range(self.meters):
            self.left[meter] = self.end[meter] - self.rate[meter] * self.counted_s
