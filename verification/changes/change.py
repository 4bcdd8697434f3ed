"""A change to the cluster of a recording, and what the recording's story becomes under it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from predictor.domain import (
    Node,
    NodeFlag,
    NodeState,
    PendingJob,
    Reservation,
    Snapshot,
)
from predictor.domain.amendment import Amendment
from predictor.priority.summands import held, is_set_by_hand
from predictor.simulation.story import Story
from predictor.site import Site, default, overlay

STATIC = (
    "cpus",
    "memory_mb",
    "cpus_per_core",
    "sockets",
    "gres",
    "features",
    "weight",
    "switches",
)
"""What of a node is configured, and does not come and go."""
RANKING = (
    "multifactor",
    "weights",
    "priority_max_age_s",
    "priority_half_life_s",
    "priority_usage_reset",
    "priority_favor_small",
    "size_per_minute",
    "ages_from_submission",
    "priorities_only_rise",
    "fairshare_formula",
    "fairshare_dampening",
    "billing_rule",
)
"""The settings that decide what priorities are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One side of a comparison: how the cluster of a recording is to be set up. Empty: as it was.

    Configurations are laid over the recorded cluster, the first one first.
    """

    amendments: tuple[Amendment, ...] = ()
    site: Site = default()
    """Completes and corrects the result; its policy decides."""
    reservations: tuple[Reservation, ...] = ()
    """These are set apart besides; known from the beginning."""
    added: Mapping[str, str] | None = None
    """New nodes by name, and the node each is like: in the same partitions, and idle."""
    removed: frozenset[str] = frozenset()
    """Nodes that nothing starts on any more; who runs there ends as usual."""
    ranks_anew: bool = False
    """Whether priorities told by the batch system are worked out anew by the settings.

    One set by hand stays. Both sides of a comparison must have it alike.
    """

    def over(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot under the change. Raises SourceError, SiteError."""
        under = snapshot
        for amendment in self.amendments:
            under = amendment.over(under)
        under = overlay(self.site, replace(under, pending=snapshot.pending))
        under = with_nodes(under, self.added or {})
        nodes = (closed(node) if node.name in self.removed else node for node in under.nodes)
        pending = tuple(map(unranked, under.pending)) if self.ranks_anew else under.pending
        return replace(
            under,
            nodes=tuple(nodes),
            pending=pending,
            reservations=(*under.reservations, *self.reservations),
        )

    def through(self, story: Story, before: Snapshot, under: Snapshot) -> Story:
        """Return a story as it goes on from a snapshot that was `before`, and is `under` now."""
        was = {node.name: node for node in before.nodes}
        now = {node.name: node for node in under.nodes}
        return Story(
            run_s=story.run_s,
            ends_at=story.ends_at,
            arrivals=self._ranked(story.arrivals),
            later_runs=story.later_runs,
            leaves_at=story.leaves_at,
            held=story.held,
            changes=tuple((at, self._ranked([job])[0]) for at, job in story.changes),
            limits=story.limits,
            closed=story.closed,
            priorities=story.priorities,
            reservations=tuple((at, (*one, *self.reservations)) for at, one in story.reservations),
            nodes=tuple((at, self._nodes(some, was, now)) for at, some in story.nodes),
            clearings=story.clearings,
            vacating=story.vacating,
        )

    def _ranked(self, jobs: Iterable[PendingJob]) -> tuple[PendingJob, ...]:
        return tuple(map(unranked, jobs)) if self.ranks_anew else tuple(jobs)

    def _nodes(
        self, told: Iterable[Node], was: Mapping[str, Node], now: Mapping[str, Node]
    ) -> tuple[Node, ...]:
        """Return nodes as told, but equipped and closed as under the change."""
        found = []
        for node in told:
            before, after = was.get(node.name), now.get(node.name)
            if before is not None and after is not None:
                node = replace(node, **_equipment(before, after))
            found.append(closed(node) if node.name in self.removed else node)
        return tuple(found)


NOTHING = Change()


def ranks_otherwise(one: Snapshot, other: Snapshot) -> bool:
    """Return whether priorities are made otherwise in one of two snapshots of the same instant."""
    return _ranking(one) != _ranking(other)


def _ranking(snapshot: Snapshot) -> tuple[object, ...]:
    return (
        [getattr(snapshot.settings, name) for name in RANKING],
        {one.name: one.job_factor for one in snapshot.partitions},
        {one.name: one.priority for one in snapshot.qos},
        {
            (one.account, one.user, one.partition): (one.shares, one.priority)
            for one in snapshot.associations
        },
    )


def unranked(job: PendingJob) -> PendingJob:
    """Return the job without what the batch system told of its priority, unless it was set."""
    if held(job) or is_set_by_hand(job):
        return job
    return replace(job, priorities=(), spec=replace(job.spec, priority=None))


def closed(node: Node) -> Node:
    """Return the node such that nothing starts on it."""
    return replace(node, state=NodeState.DOWN, flags=frozenset({NodeFlag.DRAIN}))


def with_nodes(snapshot: Snapshot, added: Mapping[str, str]) -> Snapshot:
    """Return the snapshot with new nodes, each like another. Raises KeyError for an unknown one."""
    if not added:
        return snapshot
    known = {node.name: node for node in snapshot.nodes}
    new = tuple(
        replace(
            known[like],
            name=name,
            state=NodeState.IDLE,
            flags=frozenset(),
            cpus_allocated=0,
            memory_allocated_mb=0,
            owner="",
            reason="",
        )
        for name, like in added.items()
    )
    partitions = tuple(
        replace(
            one,
            node_names=(
                *one.node_names,
                *(name for name, like in added.items() if like in one.node_names),
            ),
        )
        for one in snapshot.partitions
    )
    return replace(snapshot, nodes=(*snapshot.nodes, *new), partitions=partitions)


def _equipment(before: Node, after: Node) -> dict[str, Any]:
    """Return what of a node is configured otherwise than before."""
    return {
        name: getattr(after, name)
        for name in STATIC
        if getattr(after, name) != getattr(before, name)
    }
