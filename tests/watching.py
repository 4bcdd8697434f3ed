"""Results and watches for tests of notices: a queue told in minutes."""

from collections.abc import Mapping
from dataclasses import replace

from clusters import MINUTE, NOW, cluster, running, waiting
from services import TERMS

from predictor.domain import Cause, Forecast, Prediction, Snapshot
from predictor.service.published import Published, publication
from predictor.service.watches.watch import Kind, Notice, Watch

WATCH = Watch(
    id="w1",
    owner="ada",
    job="1",
    kinds=frozenset(Kind),
    soon_s=30 * MINUTE,
    webhook=None,
    created_at=NOW,
)
MINE = replace(WATCH, id="w2", job=None)
NOTICE = Notice(
    id="n1",
    watch=WATCH,
    kind=Kind.SOON,
    cluster="scene",
    job_id="1",
    user="ada",
    partition="batch",
    at=NOW,
    likely_at=NOW + 20 * MINUTE,
)


def seen(minute: int, first: bool = False, private: bool = False, **jobs: int | None) -> Published:
    """What is published at that minute. Of each job (`j1=90` is job 1): the minute of its start.

    One that is later than now is predicted, another a fact; None: it waits, and nothing is told.
    """
    at = NOW + minute * MINUTE
    starts = {name[1:]: start for name, start in jobs.items()}
    wait = {id_: start for id_, start in starts.items() if start is None or start > minute}
    snapshot = cluster(
        4,
        *(waiting(id_) for id_ in wait),
        *(
            replace(running(id_, "n1", 60), started_at=NOW + start * MINUTE)
            for id_, start in starts.items()
            if start is not None and start <= minute
        ),
        taken_at=at,
    )
    told = {id_: NOW + start * MINUTE for id_, start in wait.items() if start is not None}
    made = publish(snapshot, told)
    return replace(made, first=first, private=private)


def publish(snapshot: Snapshot, starts: Mapping[str, int]) -> Published:
    """What is published of the snapshot, if its waiting jobs are to start then."""
    at = snapshot.taken_at
    made = Forecast(
        cluster="scene",
        snapshot_at=at,
        policy="easy",
        fingerprint=snapshot.fingerprint,
        predictions=tuple(
            Prediction(
                job_id=id_,
                start_at=start_at,
                end_at=start_at + 600,
                partition="batch",
                node_names=("n1",),
                cause=Cause.RESOURCES,
                rank=rank,
            )
            for rank, (id_, start_at) in enumerate(starts.items(), start=1)
        ),
        abstentions=(),
    )
    return publication(snapshot, made, TERMS, at, at + 1)
