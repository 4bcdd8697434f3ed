"""The limits a table can set: where each is found, whom it binds, and what to count for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from predictor.domain import UNLIMITED, Limit, Limits
from predictor.limits.blocked import Bound
from predictor.limits.groups import WALL, Watch


class Reach(Enum):
    """Whose jobs a limit of a QOS or an association counts."""

    GROUP = "group"
    """All."""
    USER = "user"
    """Those of each user."""
    ACCOUNT = "account"
    """Those of each account; only a QOS has such limits."""
    JOB = "job"
    """Each by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One kind of limit: a field of `Limits`."""

    field: str
    bound: Bound
    reach: Reach
    early: bool = False
    """Whether it is asked before nodes are looked at."""
    stretches: bool = False
    """Whether a QOS may make it larger where an association sets it."""

    @property
    def forgives(self) -> bool:
        """Whether what others used does not bind a job whose own minutes cost nothing.

        Source: Slurm 24.11; the minutes of one user are not forgiven.
        """
        minutes = self.bound in (Bound.RUN_MINUTES, Bound.USED_MINUTES)
        return minutes and self.reach is not Reach.USER


FAMILIES = (
    Family(field="group_jobs", bound=Bound.JOBS, reach=Reach.GROUP, early=True),
    Family(field="group_wall_s", bound=Bound.USED_WALL, reach=Reach.GROUP, early=True),
    Family(field="max_jobs_per_account", bound=Bound.JOBS, reach=Reach.ACCOUNT, early=True),
    Family(field="max_jobs", bound=Bound.JOBS, reach=Reach.USER, early=True),
    Family(field="max_wall_per_job_s", bound=Bound.JOB_WALL, reach=Reach.JOB, early=True),
    Family(field="group_tres_minutes", bound=Bound.USED_MINUTES, reach=Reach.GROUP),
    Family(field="group_tres", bound=Bound.TRES, reach=Reach.GROUP, stretches=True),
    Family(field="group_tres_run_minutes", bound=Bound.RUN_MINUTES, reach=Reach.GROUP),
    Family(field="max_tres_minutes_per_job", bound=Bound.JOB_MINUTES, reach=Reach.JOB),
    Family(field="max_tres_per_job", bound=Bound.JOB_TRES, reach=Reach.JOB, stretches=True),
    Family(field="max_tres_per_node", bound=Bound.NODE_TRES, reach=Reach.JOB, stretches=True),
    Family(field="min_tres_per_job", bound=Bound.JOB_LEAST, reach=Reach.JOB),
    Family(field="max_tres_per_account", bound=Bound.TRES, reach=Reach.ACCOUNT),
    Family(field="max_tres", bound=Bound.TRES, reach=Reach.USER),
    Family(field="max_tres_run_minutes_per_account", bound=Bound.RUN_MINUTES, reach=Reach.ACCOUNT),
    Family(field="max_tres_run_minutes", bound=Bound.RUN_MINUTES, reach=Reach.USER),
)
"""In the order in which the batch system asks, so that we name the limit that it names."""


def settings_of(limits: Limits, family: Family) -> Iterator[tuple[str, Limit]]:
    """Yield what a table sets of a family, by resource (empty: none). Negative: not set.

    A resource without a name is nobody's.
    """
    value = getattr(limits, family.field)
    named = isinstance(value, tuple)
    for resource, cap in value if named else (("", value),):
        if named == bool(resource) and (cap is UNLIMITED or (cap is not None and cap >= 0)):
            yield resource, cap


def watch(limits: Limits, reach: Reach, half_life_s: int, safe: bool) -> Watch | None:
    """Return what the limits of this reach need counted; None if they need nothing."""
    capped = {
        family.field: frozenset(
            resource for resource, cap in settings_of(limits, family) if isinstance(cap, int)
        )
        for family in FAMILIES
        if family.reach is reach
    }
    if not any(capped.values()):
        return None
    nothing: frozenset[str] = frozenset()
    in_use, ahead = (
        nothing.union(*(capped.get(f.field, nothing) for f in FAMILIES if f.bound is bound))
        for bound in (Bound.TRES, Bound.RUN_MINUTES)
    )
    minutes = capped.get("group_tres_minutes", nothing)
    return Watch(
        tres=in_use,
        run_seconds=ahead | (minutes if safe else nothing),
        used_up=minutes | ({WALL} if capped.get("group_wall_s") else nothing),
        half_life_s=half_life_s,
    )
