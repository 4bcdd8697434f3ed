"""Take one truth at a time out of a story. Pure: what is taken out is never looked at again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from predictor.domain import BY_HAND, Hold, Snapshot
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story


class Truth(Enum):
    """Something that only hindsight tells."""

    PRIORITIES = "priorities"
    """How the batch system's priorities moved; else they are computed."""
    NODES = "nodes"
    """Nodes that fail, return or are cleared late; reservations and partitions that come and go."""
    CANCELLATIONS = "cancellations"
    """Who leaves without a start, who is held and released, who is changed."""
    ARRIVALS = "arrivals"
    """Who comes to the queue later."""
    RUN_TIMES = "run_times"
    """How long jobs really run; else they are estimated."""
    ESTIMATES = "estimates"
    """How long jobs like these ran before; else they run into their limits."""


ORDER: tuple[Truth, ...] = tuple(Truth)
"""In which order the rungs take them away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    """How long jobs are taken to run. Both go by single ids; who is missing runs into its limit."""

    run_s: Mapping[str, int] = field(default_factory=dict)
    ends_at: Mapping[str, int] = field(default_factory=dict)


def without(
    story: Story, snapshot: Snapshot, hidden: frozenset[Truth], estimates: Estimates
) -> Story:
    """Return the story as somebody would tell it who does not know what is `hidden`.

    Run times that are not known are those of `estimates`, if these are.
    """
    takers: Mapping[Truth, Callable[[Story], Story]] = {
        Truth.PRIORITIES: lambda told: replace(told, priorities=()),
        Truth.NODES: _as_they_are,
        Truth.CANCELLATIONS: lambda told: _uncancelled(told, snapshot),
        Truth.ARRIVALS: lambda told: _alone(told, snapshot),
        Truth.RUN_TIMES: lambda told: _as_long(told, estimates, hidden),
    }
    for truth in ORDER:
        if truth in hidden and truth in takers:
            story = takers[truth](story)
    return story


def _as_they_are(story: Story) -> Story:
    """Nodes, reservations and partitions stay as they are, and are cleared at once."""
    return replace(story, nodes=(), reservations=(), closed={}, clearings=())


def _uncancelled(story: Story, snapshot: Snapshot) -> Story:
    """Nobody leaves; who is held at the snapshot stays so, all others are never held."""
    held = {
        id_: ((0, None),)
        for job in snapshot.pending
        if job.hold is not Hold.NONE or job.obstacle in BY_HAND
        for id_ in single_ids(job.spec)
    }
    return replace(story, leaves_at={}, changes=(), limits=(), held=held)


def _alone(story: Story, snapshot: Snapshot) -> Story:
    """Nobody comes; what was told of those who would is gone with them."""
    there = {id_ for job in snapshot.pending for id_ in single_ids(job.spec)}
    return replace(
        story,
        arrivals=(),
        run_s={id_: run_s for id_, run_s in story.run_s.items() if id_ in there},
        leaves_at={id_: at for id_, at in story.leaves_at.items() if id_ in there},
        held={id_: spans for id_, spans in story.held.items() if id_ in there},
        changes=tuple((at, job) for at, job in story.changes if there & set(single_ids(job.spec))),
    )


def _as_long(story: Story, estimates: Estimates, hidden: frozenset[Truth]) -> Story:
    known = Estimates() if Truth.ESTIMATES in hidden else estimates
    return replace(story, run_s=known.run_s, ends_at=known.ends_at)
