"""A live Slurm, asked through pyslurm and, for what that cannot tell, through its commands."""

from collections.abc import Mapping

from collectors import commands
from collectors.here import own_account
from collectors.settings import number_of, refuse_unknown, truth_of
from collectors.slurm.library.asking import Library, beside
from collectors.slurm.library.plan import by_pyslurm
from collectors.slurm.source import PAST_S, SLOW_EVERY_S, SlurmSource
from collectors.slurm.survey import DEADLINE_S
from predictor.clock import SystemClock

KIND = "slurm-pyslurm"
KEYS = frozenset({"timeout_s", "deadline_s", "slow_every_s", "past_s", "unmatched"})
"""What the source can be told in a site file."""


def from_settings(settings: Mapping[str, object]) -> SlurmSource:
    """Return the source. Raises SiteError.

    Settings: those of `slurm-cli`, and `unmatched`: whether to ask also a pyslurm that was made
    for another version of Slurm's library than is there.
    """
    refuse_unknown(KIND, settings, KEYS)
    unmatched = truth_of(KIND, settings, "unmatched", False)
    return SlurmSource(
        beside(Library(unmatched=unmatched).run, commands.run),
        SystemClock(),
        account=own_account(),
        kind=KIND,
        plan=by_pyslurm,
        timeout_s=number_of(KIND, settings, "timeout_s", commands.TIMEOUT_S),
        deadline_s=number_of(KIND, settings, "deadline_s", DEADLINE_S),
        slow_every_s=number_of(KIND, settings, "slow_every_s", SLOW_EVERY_S),
        past_s=number_of(KIND, settings, "past_s", PAST_S, or_none=True),
    )
