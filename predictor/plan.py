"""What the batch system itself would announce now: one pass that looks ahead, told as it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from predictor.domain import Snapshot
from predictor.engine import unlocked
from predictor.opening import opening, staged, unforeseeable
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Placement
from predictor.simulation.replica import TwoPasses
from predictor.site import Site, overlay


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """When and where a waiting job is to start, UTC epoch seconds."""

    start_at: int
    node_names: tuple[str, ...]
    partition: str


def plan(snapshot: Snapshot, site: Site) -> Mapping[str, Announcement]:
    """Return what would be announced of whom, by id. Equal arguments, equal plan.

    Running jobs are taken to end at their limits; who starts at once is announced for now. Who
    has no place in the plan is left out; nobody has one if the batch system does not look ahead.
    Of an array it is the earliest planned task (Slurm 22.05 shows the last one).
    """
    seen = overlay(site, snapshot)
    if unforeseeable(seen) or not seen.settings.backfill:
        return {}
    scheduler = staged(seen, site, opening(seen, site))
    if not isinstance(scheduler, TwoPasses):
        return {}
    play = scheduler.play
    forward = play.forward(scheduler.rules)
    unlocked.look_ahead(forward)
    told = (*play.started(forward).values(), *play.announced(forward).values())
    return _earliest(told, play.machine)


def _earliest(placements: Iterable[Placement], machine: Machine) -> Mapping[str, Announcement]:
    """Return the earliest placement of each waiting record, by id."""
    found: dict[str, Announcement] = {}
    for placement in sorted(placements, key=lambda one: one.start_at):
        for placed in placement.placed:
            announcement = Announcement(
                start_at=placement.start_at,
                node_names=machine.names(placed.holding.nodes),
                partition=placed.need.partition,
            )
            found.setdefault(placed.part.job_id, announcement)
    return found
