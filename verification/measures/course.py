"""A job's course, and through which time courses are watched on which machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One run of a job, real or simulated; or its wait, if it never ran.

    Instants are UTC epoch seconds, or seconds of a trace's own clock.
    """

    id: str
    """A single id: an array's task, a heterogeneous job as a whole."""
    submit_at: int
    """From when on it waits: its submission, or the later instant that it asked for itself."""
    start_at: int | None = None
    """None: it did not start, as far as is known."""
    end_at: int | None = None
    """None: it did not end, as far as is known; or left the queue unstarted."""
    limit_s: int | None = None
    """None: without a limit, or unknown."""
    cpus: int = 1
    """How many it holds on all its nodes; of whole nodes all, used or not."""
    nodes: int = 1
    node_names: tuple[str, ...] = ()
    """Empty: not told."""
    left_at: int | None = None
    """When it left the queue without a start; None: it did not."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """What kind of a job it is, by `user`, `account`, `partition`, `qos`, `size`, `state` ..."""

    def __post_init__(self) -> None:
        if self.end_at is not None and (self.start_at is None or self.end_at < self.start_at):
            raise ValueError(f"job {self.id} ends before it starts, or never starts")

    @property
    def run_s(self) -> int | None:
        """How long it ran; None: it is not known to have ended."""
        if self.start_at is None or self.end_at is None:
            return None
        return self.end_at - self.start_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The time through which a machine is watched, and how large that is.

    Shares and rates count from `since` until `until`. Waits are known until `seen_until`.
    """

    since: int
    until: int
    cpus: int
    """How many the machine has."""
    node_cpus: Mapping[str, int] = field(default_factory=dict)
    """How many each node has, by name; empty: not told."""
    seen_until: int | None = None
    """None: until `until`."""

    def __post_init__(self) -> None:
        if self.until <= self.since:
            raise ValueError(f"nothing is watched from {self.since} until {self.until}")
        if self.cpus < 1:
            raise ValueError(f"a machine needs at least one CPU, not {self.cpus}")

    @property
    def known_until(self) -> int:
        """Until when starts are known."""
        return self.until if self.seen_until is None else self.seen_until

    @property
    def span_s(self) -> int:
        """For how long it is watched."""
        return self.until - self.since
