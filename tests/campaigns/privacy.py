"""Pairs of clusters that differ in whom hidden jobs belong to: nobody else is told a byte of it.

    export PYTHONPATH=$PWD:$PWD/tests
    python tests/campaigns/privacy.py PART [--cases N] [--seconds N] [--seed N] [--seeded-fault]

A case is a pair. All that anybody may ask is asked of both, as bob, whose own jobs are among them,
as a program with a token, and as nobody: every route, with filters by the hidden names too, as
JSON, CSV and pages; status, headers and bodies must be equal. Parts: `answers`; `events`, the
stream of one who listens while jobs come; `suppositions`, what-if; `all`.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from random import Random
from unittest import mock
from urllib.parse import quote

from asked_routes import placed, routes_of
from campaigns.findings import Findings, Part, main
from clusters import NOW
from hidden_worlds import ALL, Drawn, Names, published, world
from hostile import texts
from services import Client, StandingClock, app, board

from predictor.service import herald
from predictor.service.answering import Newest
from predictor.service.asking import viewers
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.published import Board, Published, Query
from predictor.service.whatif.asking import Supposing
from predictor.service.whatif.supposer import Ask, Stand, Supposer
from predictor.site import Site
from predictor.supposing import Supposed

BOB = Viewer(role=Role.USER, name="bob")
ASKING = {"bob": BOB, "program": Viewer(role=Role.USER), "nobody": ANONYMOUS}
OWNERS = ("bob", "hidden 1", "hidden 2")
ENDLESS = "/api/v1/events"
NOT_ABOUT_JOBS = ("/assets/{name}", "/openapi.json", "/metrics", ENDLESS)
"""Metrics count the questions, and are told of the pairs apart from these."""
QUERIES = {
    "/api/v1/clusters/{cluster}/forecasts": (
        *("state=all", "state=all&format=csv", "state=all&by=1700003600", "state=all&limit=1"),
        *("state=all&user={user}", "state=all&account={account}", "state=all&job=1,2,3&user=bob"),
        "state=all&format=csv&user={user},bob",
    ),
    "/api/v1/clusters/{cluster}/plan": ("", "nodes=n[1-2]", "partition=batch", "from=1700000000"),
    "/": ("", "user={user}", "user=bob&by=23:00"),
    "/mine": ("", "user={user}", "by=23:00"),
    "/schedule": ("", "user={user}", "embed=1"),
    "/what-if": ("", "nodes=9999999"),
}
"""What routes are asked besides; hidden users and accounts go by the names of the first cluster."""
SHAPES = {"shapes": [{"nodes": 1, "time_limit": "10"}, {"nodes": 4, "time_limit": "1:00:00"}]}


def drawn(rng: Random) -> list[Drawn]:
    """Return a queue."""
    return [
        (rng.random() < 0.6, rng.choice(OWNERS), rng.randint(1, 4), rng.randint(5, 90))
        for _ in range(rng.randint(2, 10))
    ]


def masks(rng: Random) -> tuple[Names, Names]:
    """Return two ways to call hidden users, their accounts, and what they write."""
    one, other = (tuple(f"{word}~" for word in texts(rng, 3)) for _ in range(2))
    return (one[0], one[1], one[2]), (f"{other[0]}!", f"{other[1]}!", other[2])


@cache
def doors() -> tuple[Board, Mapping[str, Client]]:
    """Return a board, and the application in front of it for each who asks."""
    filled = board()
    return filled, {
        who: Client(app(filled, StandingClock(), viewer=viewer, open_=False))
        for who, viewer in ASKING.items()
    }


@cache
def paths() -> tuple[str, ...]:
    """Return the paths of all routes that only tell."""
    routes = routes_of(app(board(), StandingClock()))
    return tuple(sorted(path for method, path in routes if method == "GET"))


def asked(jobs: Sequence[str], names: Names) -> Iterator[str]:
    """Yield all that is asked of a cluster with these jobs."""
    user, account = (
        quote(names[0].encode(errors="replace")),
        quote(names[1].encode(errors="replace")),
    )
    for path in paths():
        if path in NOT_ABOUT_JOBS:
            continue
        for job in jobs if "{job_id}" in path else ("-",):
            target = placed(path, job_id=job)
            for query in QUERIES.get(path, ("",)):
                yield f"{target}?{query.format(user=user, account=account)}"


def told(now: Published, who: str, targets: Sequence[str]) -> list[tuple[object, ...]]:
    """Return the answers of a cluster: status, headers, body."""
    filled, asking = doors()
    filled.put(now)
    answers = (asking[who].get(target) for target in targets)
    return [(one.status_code, sorted(one.headers.items()), one.content) for one in answers]


def answers(options: argparse.Namespace, findings: Findings) -> None:
    """Compare the answers to everything that can be asked."""
    rng = Random(f"answers {options.seed}")  # noqa: S311
    for _ in _until(options):
        queue, (one, other) = drawn(rng), masks(rng)
        kept = rng.choice((("jobs",), ALL))
        first, second = (published(world(queue, mask, kept)) for mask in (one, other))
        targets = list(asked([*(str(n) for n in range(1, len(queue) + 1)), "99"], one))
        for who in ASKING:
            pairs = zip(told(first, who, targets), told(second, who, targets), strict=True)
            for target, (here, there) in zip(targets, pairs, strict=True):
                findings.expect(here == there, f"{who}: {target}: {one} or {other}"[:300])
            findings.count("questions", len(targets))
        findings.count("pairs")


def events(options: argparse.Namespace, findings: Findings) -> None:
    """Compare what one hears who listens while jobs come and go."""
    rng = Random(f"events {options.seed}")  # noqa: S311
    for _ in _until(options):
        before, after, (one, other) = drawn(rng), drawn(rng), masks(rng)
        with mock.patch.object(herald, "LOOK_EVERY_S", 0.001):
            here, there = (asyncio.run(heard(before, after, mask)) for mask in (one, other))
        findings.expect(here == there, f"events: {one} or {other}"[:300])
        findings.count("streams")
        findings.count("events", len(here))


async def heard(before: Sequence[Drawn], after: Sequence[Drawn], mask: Names) -> list[bytes]:
    """Return what bob hears of two results."""
    filled = board(published(world(before, mask, ("jobs",))))
    stream = herald.Herald(Newest(filled, StandingClock(), open_=False)).listen(BOB, "")
    found = [await anext(stream)]
    news = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    filled.put(published(replace(world(after, mask, ("jobs",)), taken_at=NOW + 60)))
    found.append(await news)
    while b"event: tick" not in found[-1]:
        found.append(await anext(stream))
    await stream.aclose()
    return found


class Here(Supposing):
    """Works suppositions out in this process."""

    def __init__(self, site: Site) -> None:
        super().__init__(site, StandingClock())
        self._supposer = Supposer(site, StandingClock())

    def _ask(self, current: Published, ask: Ask) -> Mapping[str, Supposed]:
        self._supposer(Stand(forecast=current.forecast, snapshot=current.snapshot))
        return self._supposer(ask)


def suppositions(options: argparse.Namespace, findings: Findings) -> None:
    """Compare what would become of bob's jobs, among them one in place of a hidden one."""
    terms = {"run_times": "limit", "arrivals": False, "corrected": False, "draws": 3}
    site = Site.model_validate({"forecast": terms, "recording": {"path": "there-is-none"}})
    rng = Random(f"suppositions {options.seed}")  # noqa: S311
    for _ in _until(options):
        queue, pair = drawn(rng), masks(rng)
        number = str(rng.randint(1, len(queue)))
        question = rng.choice((SHAPES, {"shapes": [{"instead_of": number, "nodes": 1}]}))
        here, there = (supposed(site, queue, mask, question) for mask in pair)
        findings.expect(here == there, f"{question}: {pair}"[:300])
        findings.count("questions_what_if")
        findings.count("worked_out", here[0] == 200)


def supposed(site: Site, queue: Sequence[Drawn], mask: Names, question: object) -> tuple[int, str]:
    """Return the answer to bob's question."""
    now = published(world(queue, mask, ("jobs",)))
    door = app(board(now), StandingClock(), viewer=BOB, open_=False, supposing=Here(site))
    answer = Client(door).ask(
        "POST",
        "/api/v1/clusters/scene/what-if",
        {"Content-Type": "application/json"},
        json.dumps(question),
    )
    return answer.status_code, answer.text


def _until(options: argparse.Namespace) -> Iterator[int]:
    for number in range(options.cases):
        if time.monotonic() > options.until:
            return
        yield number


def _everything(*_: object) -> bool:
    return True


def _of_everybody(**_: object) -> Query:
    return Query(states=None)


def part(*parts: Part) -> Part:
    """Return these, in which with `--seeded-fault` everybody sees whose jobs there are."""

    def run(options: argparse.Namespace, findings: Findings) -> None:
        with ExitStack() as planted:
            if options.seeded_fault:
                planted.enter_context(mock.patch.object(viewers.Sight, "shows", _everything))
                planted.enter_context(mock.patch.object(herald, "Query", _of_everybody))
            for one in parts:
                one(options, findings)

    return run


PARTS: dict[str, Part] = {
    "answers": part(answers),
    "events": part(events),
    "suppositions": part(suppositions),
    "all": part(answers, events, suppositions),
}

if __name__ == "__main__":
    sys.exit(main(PARTS))
