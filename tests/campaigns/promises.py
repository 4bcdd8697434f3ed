"""What must hold after each step of a simulation, whatever goes wrong. By number, as reported."""

import gc
import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from random import Random

from campaigns.simulated_cluster import VirtualClock
from campaigns.simulated_daemon import INTERVAL_S, Ledger, Life, Said
from campaigns.simulated_disk import MemoryDisk

from predictor import lml
from predictor.domain import Forecast, Snapshot
from predictor.experience import Experience
from predictor.outlooks import likely
from predictor.service.answering import cluster_body, page
from predictor.service.published import Published, Query
from predictor.service.watches.watch import Kind, Notice
from predictor.site import Site
from predictor.storage import open_for_reading
from predictor.storage.answers import written

PROMISES = {
    1: "what was acknowledged is there, as it was",
    2: "the recording gives the same predictions, byte by byte",
    3: "an answer never mixes two snapshots, and is of one that was shown",
    4: "no start before its snapshot, no node given twice",
    5: "an answer tells its age, and is stale when that is due",
    6: "a start ends, well or with an error, and does not take ever longer",
    7: "the batch system is asked no more than agreed",
    8: "memory is bounded",
    9: "when all is well again, so is the answer",
    10: "nobody is told the same twice",
}
MOST_CALLS_TO_START = 400
"""To the disk, besides some for each file."""
RESULTS_ALIVE = 4
"""The newest, the newest that is complete, and the one that watches were told of; one to spare."""


class Broken(AssertionError):
    """A promise that was not kept."""

    def __init__(self, number: int, what: str) -> None:
        self.number = number
        super().__init__(f"({number}) {PROMISES[number]}: {what}")


def check_kept(
    site: Site, disk: MemoryDisk, ledger: Ledger, gone_before: int, chance: Random
) -> None:
    """(1) All is there that was acknowledged, but for what was no longer to be kept."""
    reader = open_for_reading(site.recording.path, files=disk)
    wanted = {at: seen for at, seen in ledger.snapshots.items() if at >= gone_before}
    if lost := sorted(wanted.keys() - set(reader.instants)):
        raise Broken(1, f"snapshots of {lost} are lost; {reader.damage}")
    looked_at = chance.sample(sorted(wanted), min(2, len(wanted)))
    for at in {*looked_at, *sorted(wanted)[-1:]}:
        documents = [document for _, document in reader.documents(at, at + 1)]
        if documents != [lml.write(wanted[at])]:
            raise Broken(1, f"the snapshot of {at} is another one; {reader.damage}")
    kept = [hash_ for _, hash_ in reader.answers()]
    owed = [hash_ for at, hash_ in ledger.answers if at >= gone_before]
    if lost_answers := [hash_ for hash_ in owed if hash_ not in kept]:
        raise Broken(1, f"answers {lost_answers} are lost; {reader.damage}")


def check_replayed(site: Site, disk: MemoryDisk, said: Iterable[Said]) -> None:
    """(2) What is recorded gives what was said, by what was known then."""
    reader = open_for_reading(site.recording.path, files=disk)
    for one in said:
        for snapshot in reader.snapshots(one.snapshot_at, one.snapshot_at + 1):
            experience = Experience.restored(site, json.loads(json.dumps(one.state)))
            if written(likely(snapshot, site, experience), 0, "") != one.document:
                raise Broken(2, f"of the snapshot of {one.snapshot_at}")


def check_answer(life: Life, shown: Mapping[int, list[Snapshot]]) -> None:
    """(3), (4) What hangs on the board, and what is told of it."""
    current = life.newest.current
    if current is None:
        return
    at = current.snapshot_at
    if not any(_same_jobs(current.snapshot, one) for one in shown.get(at, ())):
        raise Broken(3, f"the snapshot of {at} is none that was shown")
    check_result(current)
    body = json.loads(page(current, Query(), 0, 1_000, life.clock.now())[0])
    told = [job["job_id"] for job in body["jobs"]]
    waiting = {job.spec.id for job in current.snapshot.pending}
    if sorted(told) != sorted(waiting):
        raise Broken(3, f"jobs {told} are told of, {sorted(waiting)} wait")


def check_result(current: Published) -> None:
    """(3), (4) Of a result alone."""
    at, made = current.snapshot_at, current.forecast
    if not at == current.snapshot.taken_at == made.snapshot_at:
        raise Broken(3, f"forecast of {made.snapshot_at}, snapshot of {at}")
    starts = {one.job_id: one.likely_at for one in made.predictions}
    told = {row.spec.id: row.start_at for row in current.rows if row.waits}
    refused = {one.job_id: None for one in made.abstentions}
    waiting = {job.spec.id for job in current.snapshot.pending}
    if told != starts | refused or told.keys() != waiting:
        raise Broken(3, f"rows {told}, forecast {starts | refused}, queue {waiting}")
    for row in current.rows:
        low_at = None if row.outlook is None else row.outlook.low_at
        if row.waits and min(t for t in (row.start_at, low_at, at) if t is not None) < at:
            raise Broken(4, f"job {row.spec.id} starts before {at}")
    check_nodes(current.snapshot, made)


def check_nodes(snapshot: Snapshot, made: Forecast) -> None:
    """(4) At no instant a node is given to two jobs; all nodes here are given as a whole."""
    taken: dict[str, list[tuple[int, int, str]]] = {}
    for one in made.predictions:
        if one.last_start_at is None:
            for name in one.node_names:
                taken.setdefault(name, []).append((one.start_at, one.end_at, one.job_id))
    for name, stays in taken.items():
        stays.sort()
        for (_, end, job), (start, _, other) in pairwise(stays):
            if start < end:
                raise Broken(4, f"{name} is given to {job} and {other} at {start}")
    now = snapshot.taken_at
    busy = {share.node for job in snapshot.running for share in job.allocation}
    for one in made.predictions:
        if one.start_at == now and busy & set(one.node_names):
            raise Broken(4, f"{one.job_id} is to start now on nodes that are taken")


def check_age(
    life: Life, clock: VirtualClock, seen_at: Mapping[int, float], slack_s: float
) -> None:
    """(5) By true time; `slack_s` is by how much nobody could know better since the start."""
    current = life.newest.current
    if current is None:
        return
    body = cluster_body(current, life.newest.now())
    age_s = clock.true - seen_at[current.snapshot_at]
    if body["age_seconds"] < int(age_s - slack_s) - 1:
        raise Broken(5, f"said to be {body['age_seconds']} s old, is {age_s:.0f} s")
    if age_s > current.terms.stale_after_s + slack_s + 1 and not body["stale"]:
        raise Broken(5, f"{age_s:.0f} s old, and not stale")


def check_calls(asked_at: list[float], past_at: list[float], since: float) -> None:
    """(7) In one life: looks an interval apart, one question about the past between them."""
    looks = [at for at in asked_at if at >= since]
    for before, after in pairwise(looks):
        if after - before < INTERVAL_S - 45:
            raise Broken(7, f"looks {after - before:.0f} s apart")
        if sum(before < at < after for at in past_at) > 1:
            raise Broken(7, f"accounting was asked twice: looks {before}, {after}; {past_at}")
    for first, third in zip(looks, looks[2:], strict=False):
        if third - first < 60:
            raise Broken(7, "three looks in a minute")


def results() -> int:
    """Return how many results are alive in this process, garbage left out."""
    gc.collect()
    return sum(type(one) is Published for one in gc.get_objects())


def check_memory(others: int) -> None:
    """(8) Results do not pile up, beside those of `others`."""
    if (alive := results() - others) > RESULTS_ALIVE:
        raise Broken(8, f"{alive} results are alive")


def check_notices(notices: Iterable[Notice]) -> None:
    """(10) A start is told once to who watches for it."""
    told: set[tuple[str, str, int | None]] = set()
    for one in notices:
        start = one.watch.id, one.job_id, one.started_at
        if one.kind is Kind.STARTED and start in told:
            raise Broken(10, f"{start}")
        told.add(start)


def _same_jobs(one: Snapshot, other: Snapshot) -> bool:
    return [job.spec.id for job in one.pending] == [job.spec.id for job in other.pending] and [
        job.spec.id for job in one.running
    ] == [job.spec.id for job in other.running]
