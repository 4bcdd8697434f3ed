"""What the batch system itself would announce now: one pass that looks ahead, told as it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from predictor.domain import PassSettings, Snapshot
from predictor.engine import unlocked
from predictor.opening import opening, unforeseeable
from predictor.scheduling.machine import Machine
from predictor.scheduling.placing import Placement
from predictor.simulation.passes import Rhythm, rules
from predictor.simulation.replica import stage
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
    if (
        unforeseeable(seen)
        or not seen.settings.backfill
        or not site.policy_for(seen.settings).two_passes
    ):
        return {}
    scene, until = opening(seen, site), seen.taken_at
    possible, closed = scene.points.possible, scene.closed
    own_order = site.priority() is None
    play = stage(seen, scene.machine, possible, scene.running, closed, until, own_order)
    rhythm = Rhythm.of(seen.settings, seen.health, until)
    forward = play.forward(rules(seen.settings.passes or PassSettings(), rhythm))
    unlocked.look_ahead(forward)
    told = (*play.started(forward).values(), *play.announced(forward).values())
    return _earliest(told, scene.machine)


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
