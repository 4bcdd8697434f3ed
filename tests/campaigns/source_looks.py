"""Looks at a batch system one of whose answers is not what it should be.

A look ends in a SourceError or in a snapshot that can be kept. Of an answer that was cut off,
emptied or reported as failed, the snapshot tells no job or node otherwise than the whole answer
does, and says that something is missing where jobs or nodes are.
"""

import argparse
import json
import random
import re
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any
from unittest.mock import patch

from campaigns.findings import Findings
from services import Scripted, desk
from ways import WAYS, Way

from collectors.commands import Printed
from collectors.slurm.objects import fields
from predictor import lml
from predictor.domain import Snapshot
from predictor.errors import SourceError, SourceTimeout
from predictor.service.tick import tick

SLOWEST_S = 5.0
MOST_GROWN_MB = 256
KEPT_ONE_IN = 20
"""So seldom it is tried whether a snapshot can be kept: that takes longer than the look."""
HUGE = 2**18
ODD = (None, True, -1, 0, 2**31, 2**70, 1.5, "", "TELEPORTING", "\ud800", [], {}, [None], [[1]])
NUMBERS = tuple(
    {"set": set_, "infinite": infinite, "number": number}
    for set_ in (True, False)
    for infinite in (True, False)
    for number in (0, 7, -1, None, "7", 2**64 - 2)
)
WORDS = ("", "-1", "9" * 40, "1e999", "=|=,(", "\0\x1b[2J\u202e", "n[1-", "n[1-99999999]", "(null)")
FAILURES: tuple[Callable[[str], Printed | str], ...] = (
    lambda _: Printed(output="", complaint="Unable to contact", exit_code=1),
    lambda text: Printed(output=text[: len(text) // 2], exit_code=-9),
    lambda _: "",
    lambda _: (
        '{"errors": [{"description": "Unable to contact", "error_number": 1}], "jobs": [],'
        ' "nodes": []}'
    ),
    lambda _: "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>",
    lambda _: "[" * 200_000,
    lambda _: '{"jobs": ' + "9" * 5_000 + "}",
    lambda _: "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
)


def source_looks(options: argparse.Namespace, findings: Findings) -> None:
    """Look again and again; the kinds of change take turns."""
    chance = random.Random(options.seed)  # noqa: S311
    fault = patch.object(fields, "_raise_reported", lambda errors, place: None)
    for way in WAYS:
        whole(way.name)  # before anything is broken
    findings.figures |= {"looks": 0, "refused": 0, "worst_s": 0.0}
    before_mb = memory_mb()
    kinds = cycle([cut_anywhere, failed, cut_anywhere, restructured, cut_anywhere, rebyted])
    with fault if options.seeded_fault else nullcontext():
        places = every_cut()
        while findings.figures["looks"] < options.cases and time.monotonic() < options.until:
            kind = next(kinds)
            way, name, cut = next(places, (None, "", 0)) if kind is cut_anywhere else (None, "", 0)
            if way is None:
                way = chance.choice(WAYS)
                name = chance.choice(sorted(way.printed))
                cut = chance.randrange(len(way.printed[name]) + 1)
            kind(way, name, cut, chance, findings)
            findings.count("looks")
    grown_mb = memory_mb() - before_mb
    findings.figures["grown_mb"] = grown_mb
    findings.expect(grown_mb < MOST_GROWN_MB, f"memory grew by {grown_mb} MB")


def every_cut() -> Iterator[tuple[Way | None, str, int]]:
    """Yield every place at which an answer can be cut off, of all ways."""
    for way in WAYS:
        for name in sorted(way.own):
            for cut in range(len(way.printed[name])):
                yield way, name, cut


def cut_anywhere(way: Way, name: str, cut: int, _: random.Random, findings: Findings) -> None:
    """Cut the answer off."""
    seen = look(way, name, lambda text: text[:cut], findings, f"{way.name} {name} cut at {cut}")
    if seen is not None:
        expect_no_other(way, name, seen, f"{way.name} {name} cut at {cut}", findings)


def failed(way: Way, name: str, _: int, chance: random.Random, findings: Findings) -> None:
    """Let the question fail in one way or the other; or the answer not come at all."""
    if chance.random() < 0.1:
        changed: Any = raising(SourceTimeout("no answer within 20 s"))
    else:
        changed = chance.choice(FAILURES)
    place = f"{way.name} {name} failing"
    seen = look(way, name, changed, findings, place)
    if seen is not None:
        findings.expect(name not in way.needed or is_told(way, seen), f"{place}: not told")
        expect_no_other(way, name, seen, place, findings)


def restructured(way: Way, name: str, _: int, chance: random.Random, findings: Findings) -> None:
    """Change names, kinds and values in the answer; nothing is said of what comes out."""
    text = way.printed[name]
    for _again in range(chance.choice((1, 1, 2, 5))):
        text = other_structure(text, chance)
    look(way, name, lambda _: text, findings, f"{way.name} {name}: {text[:4000]!r}")


def rebyted(way: Way, name: str, _: int, chance: random.Random, findings: Findings) -> None:
    """Change some bytes of the answer."""
    data = bytearray(way.printed[name].encode(errors="surrogatepass"))
    for _again in range(chance.choice((1, 1, 3, 20))):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(9)))
            case 2:
                del data[at : at + chance.randrange(40)]
            case 3:
                other = chance.randrange(len(data) + 1)
                data[at:at] = data[other : other + chance.randrange(200)]
    text = data.decode(errors="replace")
    look(way, name, lambda _: text, findings, f"{way.name} {name}: {text[:4000]!r}")


def look(way: Way, name: str, changed: Any, findings: Findings, place: str) -> Snapshot | None:
    """Return the snapshot of such a look; None: it was refused. What is wrong is a finding."""
    begun = time.monotonic()
    try:
        seen = way.look({name: changed}).snapshot
    except SourceError:
        findings.count("refused")
        return None
    except Exception as error:
        findings.expect(False, f"{place}: {type(error).__name__}: {error}")
        return None
    finally:
        took_s = time.monotonic() - begun
        findings.figures["worst_s"] = round(max(findings.figures["worst_s"], took_s), 3)
        findings.expect(took_s < SLOWEST_S, f"{place}: took {took_s:.1f} s")
    if findings.figures["looks"] % KEPT_ONE_IN == 0:
        findings.expect(lml.read(lml.write(seen)).snapshot == seen, f"{place}: cannot be kept")
        findings.count("kept")
    return seen


def expect_no_other(way: Way, name: str, seen: Snapshot, place: str, findings: Findings) -> None:
    """Note what a snapshot tells of jobs and nodes that the whole answer does not.

    Answers that only complete a record may be missing: then the records differ, and it is told.
    """
    good = whole(way.name)
    if name not in way.needed:
        findings.expect(len(seen.nodes) >= len(good.nodes), f"{place}: nodes are missing")
        jobs = len(seen.pending) + len(seen.running)
        findings.expect(jobs == len(good.pending) + len(good.running), f"{place}: jobs are missing")
        return
    for kind in ("pending", "running", "nodes"):
        more = set(getattr(seen, kind)) - set(getattr(good, kind))
        findings.expect(not more, f"{place}: {kind}: {str(more)[:300]}")


@cache
def whole(name: str) -> Snapshot:
    """Return what the way of that name sees when all is well."""
    return next(way for way in WAYS if way.name == name).look({}).snapshot


def is_told(way: Way, seen: Snapshot) -> bool:
    """Whether the snapshot says that something is missing in it that need not be."""
    more = set(seen.provenance.hidden) - set(whole(way.name).provenance.hidden)
    return bool(more or seen.provenance.quarantined)


def other_structure(text: str, chance: random.Random) -> str:
    """Return the answer with one value, name or word changed."""
    try:
        answer = json.loads(text)
    except ValueError:
        return other_words(text, chance)
    holders = [(holder, key) for holder, key in places(answer)]
    if not holders:
        return text
    holder, key = chance.choice(holders)
    match chance.randrange(5):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[f"{key}_v2"] = holder.pop(key)
        case 2:
            holder[key] = chance.choice(NUMBERS)
        case 3:
            holder[key] = chance.choice(("x", "(", "1,", "[@", "\u202e")) * (HUGE // 2)
        case _:
            holder[key] = chance.choice(ODD)
    return json.dumps(answer)


def other_words(text: str, chance: random.Random) -> str:
    """Return the table or list with a word, a line or a column changed."""
    lines = text.splitlines(keepends=True)
    match chance.randrange(5):
        case 0 if lines:
            del lines[chance.randrange(len(lines))]
            return "".join(lines)
        case 1 if lines:
            lines.insert(chance.randrange(len(lines)), chance.choice(lines))
            return "".join(lines)
        case 2:
            return text + chance.choice(("x", "(", "1,", "[@", " ", "a=(1")) * (HUGE // 4)
    words = [*re.finditer(r"[^\s=|,;:()+]+", text)]
    if not words:
        return text
    word = chance.choice(words)
    return text[: word.start()] + chance.choice(WORDS) + text[word.end() :]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where values stand: what holds them, and under which key."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in list(inner):
        yield value, key
        if isinstance(each, dict | list):
            yield from places(each)


def raising(error: Exception) -> Callable[[str], str]:
    """Return what raises instead of answering."""

    def changed(_: str) -> str:
        raise error

    return changed


def memory_mb() -> int:
    """Return the most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def source_shrunk(options: argparse.Namespace, findings: Findings) -> None:
    """Show only so many of the jobs: all but none of them are believed at the second look only."""
    way = next(way for way in WAYS if way.name == "slurm-cli, json")
    answer = json.loads(way.printed["squeue_json"])
    records = [{**answer["jobs"][0], "job_id": 1000 + n} for n in range(40)]
    everything = shown(way, answer, records)
    for left in range(len(records)):
        fewer = shown(way, answer, records[:left], 60)
        around = desk()
        around.clock.at = everything.taken_at + 200.0
        source = Scripted([everything, fewer, shown(way, answer, records[:left], 120)])
        told = [tick(source.observe, lambda _: None, around).outcome for _ in range(3)]
        doubted = told[1] == "error"
        findings.expect(told[0] == told[2] == "ok", f"{left} of 40 jobs: {told}")
        findings.expect(
            doubted is (left < 8), f"{left} of 40 jobs are {'' if doubted else 'not '}doubted"
        )
        findings.count("queues")


def shown(way: Way, answer: Any, records: list[Any], later_s: int = 0) -> Snapshot:
    """Return the snapshot of a queue of these records."""
    text = json.dumps({**answer, "jobs": records})
    seen = way.look({"squeue_json": lambda _: text}).snapshot
    return replace(seen, taken_at=seen.taken_at + later_s)
