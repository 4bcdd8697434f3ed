"""Whatever a batch system answers, a look ends in a snapshot that can be kept or in a SourceError.

Each test is run on every way of looking that `ways` lists.
"""

import json
import re
import time
import tracemalloc
from collections.abc import Iterator

import pytest
from ways import WAYS, Way, answered, slurm_json, slurm_rest

from collectors.commands import Printed
from predictor import lml
from predictor.domain import Snapshot
from predictor.errors import SourceError, SourceTimeout

EACH_WAY = pytest.mark.parametrize("way", [pytest.param(way, id=way.name) for way in WAYS])
EACH_QUESTION = pytest.mark.parametrize(
    ("way", "name"),
    [pytest.param(way, name, id=f"{way.name}: {name}") for way in WAYS for name in way.printed],
)
OWN_QUESTIONS = pytest.mark.parametrize(
    ("way", "name"),
    [pytest.param(way, name, id=f"{way.name}: {name}") for way in WAYS for name in sorted(way.own)],
)
GARBAGE = {
    "zeros": "\0" * 300,
    "a page": "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>",
    "a complaint": "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
    "noise": bytes(range(256)).decode(errors="replace") * 4,
    "deep": "[" * 200_000,
    "a long number": '{"jobs": ' + "9" * 5_000 + "}",
    "another form": '{"meta": {}, "errors": []}',
    "a number": "7",
    "null": "null",
    "a list": "[1, 2]",
    "reported": '{"errors": [{"description": "Unable to contact", "error_number": 1}], "jobs": []}',
}
FAILURES = {
    "refused": Printed(output="", complaint="error: Access/permission denied\n", exit_code=1),
    "broken off": Printed(output='{"errors": [], "jobs": [', exit_code=-9),
    "silent": Printed(output="", exit_code=255),
    "timeout": SourceTimeout("no answer within 20 s"),
    "flood": SourceError("more than 536870912 bytes"),
}
ODD_VALUES = (None, True, -1, 2**70, 1.5, "", "TELEPORTING", "\ud800", [], {}, [None], [[1]])
ODD_WORDS = ("", "-1", "1" * 30, "TELEPORTING", "1e999", "=|=,(", "\0\x1b[2J\u202e", "n[1-", "%s")
PLACE = "here"
HUGE = tuple((piece * 2**20)[: 2**20] for piece in ("x", "(")) + tuple(
    (piece * 2**17)[: 2**17] for piece in (" ", "[@", "1,", "a=(1")
)
MOST_ODD = 151
MOST_HUGE = 8
"""In so many places of an answer each of them is tried."""
SLOWEST_S = 5
"""Whoever needs so long to read one answer takes ever more time for ever longer ones."""


def only(way: Way, name: str) -> frozenset[str]:
    """Everything that a look can do without, but for that question."""
    return frozenset(way.printed.keys() - way.needed - {name})


def look(way: Way, name: str, answer, *, alone: bool = True) -> Snapshot | None:
    """Return the snapshot of a look in which a question is answered so; None: there is none."""

    def give(_good: str) -> Printed:
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Printed) else answered(answer)

    try:
        return way.look({name: give}, only(way, name) if alone else frozenset()).snapshot
    except SourceError:
        return None


def can_be_kept(seen: Snapshot) -> bool:
    """Whether a recording gives back what it was given."""
    return lml.read(lml.write(seen)).snapshot == seen


def told_of(way: Way, seen: Snapshot) -> bool:
    """Whether the snapshot says that something is missing in it that need not be."""
    well = way.look({}).snapshot.provenance
    more = set(seen.provenance.hidden) - set(well.hidden)
    return bool(more or seen.provenance.quarantined)


@EACH_WAY
def test_when_all_is_well_nothing_is_missing(way):
    seen = way.look({}).snapshot
    assert {hidden.fact for hidden in seen.provenance.hidden} == way.untold
    assert seen.provenance.quarantined == ()
    assert len(seen.pending) and len(seen.running) and len(seen.nodes)
    assert can_be_kept(seen)


@OWN_QUESTIONS
def test_an_answer_cut_off_at_any_byte(way, name):
    whole = way.printed[name]
    for length in range(len(whole)):
        seen = look(way, name, whole[:length])
        if length % 100 == 0 and seen is not None:
            assert can_be_kept(seen)


@EACH_QUESTION
@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_told_of(way, name, text):
    seen = look(way, name, text, alone=False)
    if name in way.needed:
        assert seen is None or told_of(way, seen)
    else:
        assert told_of(way, seen)
        assert can_be_kept(seen)


@EACH_QUESTION
@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_a_failure_is_told_of(way, name, failure):
    seen = look(way, name, failure, alone=False)
    assert seen is None if name in way.needed else told_of(way, seen)


@OWN_QUESTIONS
def test_any_value_of_another_kind(way, name):
    kept = set()
    for answer in some_of(variations(way.printed[name], ODD_VALUES, ODD_WORDS), MOST_ODD):
        seen = look(way, name, answer)
        if seen is not None and seen not in kept:
            kept.add(seen)
            assert can_be_kept(seen), answer


@OWN_QUESTIONS
@pytest.mark.parametrize("huge", HUGE, ids=[text[:3] for text in HUGE])
def test_any_text_of_a_million_characters_takes_no_endless_time(way, name, huge):
    begun = time.monotonic()
    for answer in some_of(variations(way.printed[name], (PLACE,), (PLACE,)), MOST_HUGE):
        seen = look(way, name, answer.replace(PLACE, huge))
        assert seen is None or can_be_kept(seen)
    assert time.monotonic() - begun < MOST_HUGE * SLOWEST_S


@pytest.mark.parametrize(
    ("way", "name"),
    [
        pytest.param(slurm_json(), "squeue_json", id="slurm-cli, json"),
        pytest.param(slurm_rest(), "rest_jobs", id="slurm-rest"),
    ],
)
def test_memory_is_bounded_by_the_size_of_the_answer(way, name):
    answer = json.loads(way.printed[name])
    answer["jobs"] = [
        record | {"job_id": 1000 + number, "name": f"{number}{'x' * 4_000}"}
        for number, record in enumerate(200 * answer["jobs"])
    ]
    text = json.dumps(answer)
    tracemalloc.start()
    try:
        seen = look(way, name, text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert seen is not None
    assert len(seen.pending) + len(seen.running) == len(answer["jobs"])
    assert peak < 4 * len(text)


def variations(text: str, values, words) -> Iterator[str]:
    """Yield the answer with one value after the other replaced by each of these."""
    try:
        answer = json.loads(text)
    except ValueError:
        yield from reworded(text, words)
        return
    for holder, key in places(answer):
        was = holder[key]
        for value in values:
            holder[key] = value
            yield json.dumps(answer)
        holder[key] = was


def some_of(answers: Iterator[str], most: int) -> list[str]:
    """Return so many of them or up to twice as many, spread over all."""
    every = list(answers)
    return every[:: max(1, len(every) // most)]


def places(value) -> Iterator[tuple[object, object]]:
    """Yield where values stand: what holds them, and under which key."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in list(inner):
        yield value, key
        if isinstance(each, dict | list):
            yield from places(each)


def reworded(text: str, words) -> Iterator[str]:
    for match in re.finditer(r"[^\s=|,;:()+]+", text):
        for word in words:
            yield text[: match.start()] + word + text[match.end() :]
