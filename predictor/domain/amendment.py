"""A file of a batch system's own configuration, as something to lay over snapshots."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from predictor.domain.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """What one file says, in the batch system's own words."""

    said: Mapping[str, str]
    """Every setting in the file, by its name in full (`partition batch MaxTime`)."""
    faults: tuple[str, ...] = ()
    """What cannot be read or is not known, each with its place (`slurm.conf:3: …`)."""
    without_effect: Mapping[str, str] = field(default_factory=dict)
    """Which of the settings nothing on paper depends on, and why."""
    replaces: tuple[str, ...] = ()
    """How names begin of which the file says all there are: one that it lacks is set no more."""
    over: Callable[[Snapshot], Snapshot]
    """Returns a snapshot as it would be under the file. Jobs stay what they are.

    What the file does not name stays as well. Raises SourceError for what makes no sense.
    """
    told: Callable[[Snapshot], Mapping[str, str]]
    """Returns the settings of a snapshot by the same names, as far as a snapshot has them."""


AmendmentReader = Callable[[Path], Amendment | None]
"""Reads a file; None: it is of another kind. Raises SourceError if it cannot be read.

Registered under the entry-point group `AMENDMENTS`, by kind.
"""

AMENDMENTS = "queuecast.amendments"
