"""A cluster's own scheduler, replayed: two passes, its limits, its priorities as they move."""

from collections.abc import Mapping
from dataclasses import replace

from predictor.domain import Cause, Obstacle, PassSettings, Snapshot, Unpredictable
from predictor.scheduling.admission import Refusal
from predictor.scheduling.machine import Machine
from predictor.scheduling.policy import CONSERVATIVE
from predictor.scheduling.timeline import Timeline
from predictor.simulation.causes import StartingPoints
from predictor.simulation.forward import Future, simulate
from predictor.simulation.gate import LimitGate
from predictor.simulation.lives import Lives
from predictor.simulation.occupied import Running
from predictor.simulation.passes import Rhythm, TwoPasses
from predictor.simulation.ranking import Ranking

SIMULATED = frozenset({Obstacle.LIMIT})
"""The obstacles that this replica itself puts up and removes."""

MOST_LOOKS = 40_000
"""How many jobs are looked at pass by pass, some three seconds' work.

What then still waits is planned at once, as if every job had a reservation: so far ahead the
single decisions of a pass say little.
"""


def replay(
    snapshot: Snapshot,
    machine: Machine,
    points: StartingPoints,
    running: tuple[Running, ...],
    timeline: Timeline,
    until: int,
    *,
    own_order: bool,
) -> Future:
    """Start everybody as the batch system would, every job running as long as it is planned.

    `own_order`: priorities move as the batch system's do; else the queue stays as it is.
    `timeline` is used up.
    """
    now, lives = snapshot.taken_at, Lives(running)
    settings = snapshot.settings.passes or PassSettings()
    simulation = TwoPasses(
        points.possible,
        lives,
        running,
        timeline,
        Ranking(snapshot, machine, lives) if own_order else None,
        LimitGate(snapshot, machine),
        settings,
        run_time=lambda _id, planned_s: planned_s,
    )
    stopped_at = simulation.forward(now, until, Rhythm.of(settings, snapshot.health), MOST_LOOKS)
    rest = [replace(e, rank=rank) for rank, e in enumerate(simulation.waiting)]
    later = simulate(rest, lives, timeline, CONSERVATIVE, stopped_at or until, until)
    return replace(later, from_at=now, placements={**simulation.started, **later.placements})


def with_limits(
    points: StartingPoints, snapshot: Snapshot, machine: Machine
) -> tuple[StartingPoints, Mapping[str, Refusal]]:
    """Return the starting points as limits leave them, and whom they keep out for good.

    LIMIT is the cause where a limit holds a job back that else could start, or soon.
    """
    now = snapshot.taken_at
    gate, idle = (LimitGate(s, machine) for s in (snapshot, replace(snapshot, running=())))
    never = {e.id: limit for e in points.possible if (limit := idle.refuses_ever(e.ask, now))}
    limited = {e.id: Cause.LIMIT for e in points.possible if gate.refuses(e.ask, now)}
    causes = {
        id_: limited.get(id_, cause) if cause in (Cause.PRIORITY, Cause.RESOURCES) else cause
        for id_, cause in points.causes.items()
    }
    refusals = {
        job_id: Refusal(cause=Unpredictable.LIMIT, detail=never[e.id])
        for e in points.possible
        if e.id in never
        for job_id in e.job_ids
    }
    possible = tuple(e for e in points.possible if e.id not in never)
    return replace(points, possible=possible, causes=causes), refusals
