"""What keeps a waiting job from starting earlier, with names, as the simulation saw it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """Another job that must end, or start, first."""

    job_id: str
    """A single id: an array's task, or a heterogeneous job as a whole. Empty: not to be named."""
    at: int
    """When that is expected, in UTC epoch seconds."""
    user: str = ""
    """Its owner; empty: unknown, or not to be named."""
    nodes: int = 0
    """How many of the nodes waited for its end opens; 0: it is not about nodes."""
    waits: bool = False
    """Whether it waits itself."""
    starts: bool = False
    """Whether its start is enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a waiting job starts when it does. For an array: its next task; names are bounded.

    Names ending in `_node_s` are nodes times planned seconds.
    """

    nodes: int
    """How many it needs, all components of a heterogeneous job together."""
    nodes_free: int | None = None
    """How many nodes could hold it now, reservations left aside; None: of several components."""
    nodes_down: int = 0
    """How many more could, were they not down or drained."""
    waits_for: tuple[Awaited, ...] = ()
    """Whose ends open the nodes it starts on: the last to leave each, the latest end first."""
    waits_for_more: int = 0
    """How many more there are, or may not be named."""
    ahead_jobs: int = 0
    """Jobs and tasks before it in the queue that start before it on nodes it could use."""
    ahead_node_s: int = 0
    let_past_jobs: int = 0
    """Those behind it in the queue that do so: backfilled."""
    let_past_node_s: int = 0
    passes_jobs: int = 0
    """Those before it in the queue that start after it: it is backfilled itself."""
    limit: str = ""
    """The limit that holds it back, in words; empty: none."""
    limit_later: bool = False
    """Whether that binds only when others have started, and until it starts."""
    licenses: tuple[str, ...] = ()
    """The licenses it must wait for."""
    array_limit: int | None = None
    """As many tasks of its array may run at a time, and do; None: not what it waits for."""
    lifted_by: Awaited | None = None
    """The last whose end lets it past its limit, to its licenses, or on as its array's next."""
    reservation: str = ""
    """The reservation in the way, or its own; empty: none, or not to be named."""
    reservation_from: int | None = None
    """None: there is none."""
    reservation_until: int | None = None
    own_reservation: bool = False
    """Whether it is the job's own, which has not begun."""
    dependencies: tuple[Awaited, ...] = ()
    """The jobs it depends on that have not done their part, the latest first."""
    dependencies_more: int = 0
    any_dependency: bool = False
    """Whether one of its conditions is enough."""
    not_before: int | None = None
    """Its begin time, if that is still to come: as it asked for, or since it was sent back."""
    makes_leave: tuple[Awaited, ...] = ()
    """Those who must make room for it, and when they are gone: the first to go first."""
    makes_leave_more: int = 0
    """How many more there are, or may not be named."""
    gives_way: bool = False
    """Whether others may make it leave once it runs."""
    planned_start: int | None = None
    """When it starts in the plan that is explained, where everybody runs as long as is most likely;
    the middle of many courses may be another instant."""
    uncounted: tuple[str, ...] = ()
    """What it asks for that is not counted here, in the batch system's words."""
    turn_from: int | None = None
    """From when on nothing told here keeps it any more: others come first all the same."""
