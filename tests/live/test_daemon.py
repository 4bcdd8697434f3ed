"""The daemon on a live Slurm: every waiting job gets an answer, and the answers come true."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest
from live.cluster import wait_until

from predictor.cli.exits import NO_FORECAST

pytestmark = pytest.mark.live

# minute  0        1        2        3
# n1-n3   [      block     ][  all   ]        partition "whole": n1-n4, whole nodes only
# n4      [  fill  ]        [  all   ]
# n5      [array_1 ][array_2][array_3]        partition "cores": n3-n6, single cores
# n5 n6             [  pair  ]
# n6      [ alone  ]    [after][later]
#
# Each runs for exactly as long as its limit says and ends by itself, for Slurm looks out for jobs
# beyond their limits twice a minute only.
JOBS: Mapping[str, tuple[str, ...]] = {
    "block": ("-p", "whole", "-N", "3", "-t", "2"),
    "all": ("-p", "whole", "-N", "4", "-t", "1"),
    "fill": ("-p", "whole", "-N", "1", "-t", "1"),
    "array": ("-p", "cores", "-n", "1", "-t", "1", "--array=1-3%1"),
    "alone": ("-p", "cores", "-N", "1", "-t", "1", "--exclusive"),
    "pair": ("-p", "cores", "-N", "2", "-n", "2", "-t", "1"),
    "after": ("-p", "cores", "-n", "1", "-t", "1", "--dependency=afterany:{fill}"),
    "later": ("-p", "cores", "-n", "1", "-t", "1", "--begin=now+90"),
    "held": ("-p", "cores", "-n", "1", "-t", "1", "--hold"),
    "wide": ("-p", "whole", "-N", "5", "-t", "1"),
    "many": ("-p", "cores", "-n", "17", "-t", "1"),
}
NEVER = {"held": "held", "wide": "never_fits", "many": "never_fits"}
SHORTEST_S = 60
LAST_START_WITHIN_S = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a forecast said of one job. Instants are UTC epoch seconds."""

    job: str
    """An array task on its own."""
    made_at: int
    start_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A queue, from submission until all that can start has started."""

    ids: Mapping[str, str]
    """By the names in JOBS."""
    answers: Mapping[int, Mapping[str, Mapping[str, Any]]]
    """What the API said of each waiting record, by the snapshot's instant and by id."""
    starts: Mapping[str, int]
    """When each job really started, array tasks one by one."""

    @property
    def claims(self) -> list[Claim]:
        """All starts that were foretold, of arrays those of the next task and the last."""
        return [
            Claim(job=job, made_at=at, start_at=start_at)
            for at, records in self.answers.items()
            for record in records.values()
            for job, start_at in foretold(record)
        ]


def foretold(record: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    base, _, tasks = record["job_id"].partition("_")
    if record["likely_start_epoch"] is None:
        return
    if not (numbers := re.findall(r"\d+", tasks.partition("%")[0])):
        yield base, record["likely_start_epoch"]
        return
    yield f"{base}_{numbers[0]}", record["likely_start_epoch"]
    if len(numbers) > 1:
        yield f"{base}_{numbers[-1]}", epoch(record["last_task_start"])


def epoch(instant: str) -> int:
    return int(datetime.fromisoformat(instant).timestamp())


def submitted(slurm) -> dict[str, str]:
    ids: dict[str, str] = {}
    for name, options in JOBS.items():
        minutes = int(options[options.index("-t") + 1])
        ids[name] = slurm.submit(*(o.format_map(ids) for o in options), seconds=60 * minutes)
    return ids


def runnable(ids: Mapping[str, str]) -> set[str]:
    plain = {id_ for name, id_ in ids.items() if name not in {"array", *NEVER}}
    return plain | {f"{ids['array']}_{task}" for task in (1, 2, 3)}


@pytest.fixture(scope="module")
def story(slurm, daemon) -> Story:
    """Submit the queue above and watch both sides until the last job has started."""
    ids = submitted(slurm)
    answers: dict[int, Mapping[str, Mapping[str, Any]]] = {}

    def all_started() -> bool:
        answer = daemon.answer()
        answers[epoch(answer["snapshot_at"])] = {job["job_id"]: job for job in answer["jobs"]}
        return runnable(ids) <= slurm.starts().keys()

    wait_until(all_started, "the last start", LAST_START_WITHIN_S, every=1)
    return Story(ids=ids, answers=answers, starts=slurm.starts())


def cycle_s(slurm) -> int:
    """Return how long this Slurm may leave free nodes unused: till its next look at the queue."""
    settings = dict(re.findall(r"(\w+)=(\d+)", slurm.run("scontrol", "show", "config")))
    return max(int(settings["bf_interval"]), int(settings["sched_interval"]))


def tolerance_s(lead_s: int, cycle: int) -> int:
    """Return by how much a start may be missed that is `lead_s` away.

    One cycle for the job itself, and one for each that has to start and end before it; there
    are at most as many of those as the shortest run time goes into the lead. Instants are whole
    seconds, so each start adds one to that.
    """
    return (1 + lead_s // SHORTEST_S) * (cycle + 1)


def test_every_waiting_job_got_an_answer_in_every_forecast(story):
    assert len(story.answers) > LAST_START_WITHIN_S // 10
    # Other tests' jobs started earlier; ours were submitted within a second of our first start.
    ours = set(story.ids.values())
    submitted_by = min(start for job, start in story.starts.items() if job in ours) + 1
    for at, records in story.answers.items():
        waiting = {job for job, start in story.starts.items() if start > at > submitted_by}
        known = {job for record in records.values() for job in tasks_of(record["job_id"])}
        assert waiting & runnable(story.ids) <= known
        for record in records.values():
            assert (record["likely_start"] is None) == (record["not_predicted_reason"] is not None)


def tasks_of(record: str) -> set[str]:
    base, _, tasks = record.partition("_")
    ranges = re.findall(r"(\d+)(?:-(\d+))?", tasks.partition("%")[0])
    each = {n for first, last in ranges for n in range(int(first), int(last or first) + 1)}
    return {f"{base}_{n}" for n in each} or {base}


def test_starts_came_as_foretold(slurm, story):
    cycle = cycle_s(slurm)
    missed = [
        (claim, story.starts[claim.job] - claim.start_at)
        for claim in story.claims
        if abs(story.starts[claim.job] - claim.start_at)
        > tolerance_s(claim.start_at - claim.made_at, cycle)
    ]
    assert missed == []
    assert {claim.job for claim in story.claims} >= {
        story.ids[name] for name in ("all", "pair", "after", "later")
    }


def test_what_cannot_start_says_why(story):
    for records in list(story.answers.values())[2:]:
        reasons = {name: records[story.ids[name]]["not_predicted_reason"] for name in NEVER}
        assert reasons == NEVER


def test_when_says_what_the_api_says(daemon, story):
    asked = ",".join(story.ids[name] for name in NEVER)
    done = daemon.run("when", "--url", daemon.url, "-j", asked, "--json")
    assert (done.returncode, done.stderr) == (NO_FORECAST, "")
    told = {job["job_id"]: job for job in json.loads(done.stdout)["jobs"]}
    assert told == {job["job_id"]: job for job in daemon.answer()["jobs"] if job["job_id"] in told}
    assert told.keys() == {story.ids[name] for name in NEVER}


def test_when_answers_within_three_tenths_of_a_second(daemon):
    def duration_s() -> float:
        begun = time.monotonic()
        daemon.run("when", "--url", daemon.url)
        return time.monotonic() - begun

    assert min(duration_s() for _ in range(5)) < 0.3
