"""A cluster's own scheduler, replayed: two passes, its limits, its priorities as they move."""

from dataclasses import replace

from predictor.domain import Cause, Obstacle, PassSettings, Snapshot
from predictor.scheduling.machine import Machine
from predictor.scheduling.timeline import Timeline
from predictor.simulation.causes import StartingPoints
from predictor.simulation.forward import Future
from predictor.simulation.gate import LimitGate
from predictor.simulation.lives import Lives
from predictor.simulation.occupied import Running
from predictor.simulation.passes import Rhythm, TwoPasses
from predictor.simulation.ranking import Ranking

SIMULATED = frozenset({Obstacle.LIMIT})
"""The obstacles that this replica itself puts up and removes."""


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
    lives = Lives(running)
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
    rhythm = Rhythm.of(settings, snapshot.health)
    return simulation.forward(snapshot.taken_at, until, rhythm)


def with_limits(points: StartingPoints, snapshot: Snapshot, machine: Machine) -> StartingPoints:
    """Return the starting points with LIMIT as the cause where a limit holds a job back now."""
    gate, now = LimitGate(snapshot, machine), snapshot.taken_at
    limited = {e.id: Cause.LIMIT for e in points.possible if gate.refuses(e.ask, now)}
    eligible = (Cause.PRIORITY, Cause.RESOURCES)
    causes = {
        id_: limited.get(id_, cause) if cause in eligible else cause
        for id_, cause in points.causes.items()
    }
    return replace(points, causes=causes)
