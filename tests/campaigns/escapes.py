"""Hostile strings through every output, each judged by a reader that is not ours: no escapes.

    export PYTHONPATH=$PWD:$PWD/tests
    python tests/campaigns/escapes.py all [--cases N] [--seconds N] [--seed N] [--seeded-fault]

A case is a string. Strings come in documents of `AT_ONCE` jobs, each of which has four of them: its
name and comment, its user, account and QOS. Each is looked for where it should stand, as it should
stand; everything else must be as for harmless names. Pages show names and users only, so that half
of the strings count there. A part is one output: xml, json, page, csv, terminal, log, metrics,
events, mail, webhook; or `all`.
"""

import argparse
import csv
import io
import json
import logging
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from random import Random
from typing import Any
from unittest import mock

import html5lib
from campaigns.findings import Findings, Part, main
from campaigns.notices import HEADERS, SENDER, notice
from click.testing import CliRunner
from clusters import NOW, cluster, partition, waiting
from hostile import Outline, mail, on_screen, samples, texts, unshown
from lxml import etree
from lxml import html as lxml_html
from services import TERMS, Client, StandingClock, board, client, said, sure

from predictor import lml
from predictor.cli import when
from predictor.cli.client import Client as Asking
from predictor.cli.terminal import plain
from predictor.domain import Snapshot, Untrusted
from predictor.service.asking.viewers import Role, Viewer
from predictor.service.herald import event
from predictor.service.logs import JsonLines
from predictor.service.published import Board, Published, publication
from predictor.service.watches import wording

AT_ONCE = 250
BY_THE_BOOK = 8
"""One page of so many is read by html5lib too, which is slow."""
PAGES = ("/", "/schedule", "/mine")
HARMLESS = "harmless"
OPERATOR = Viewer(role=Role.OPERATOR, name="root")
FORMULA = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")


Words = tuple[str, str, str, str]
"""A job's name, user, account and QOS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Strings, four for each job, and the result of which they are a part."""

    number: int
    words: Sequence[Words]
    told: Published


def batch(number: int, words: Sequence[Words]) -> Batch:
    """Return a result with a waiting job for each of the words."""
    jobs = [
        waiting(
            str(place),
            of_job={
                "name": Untrusted(name),
                "comment": Untrusted(name),
                **{"user": user, "account": account, "qos": qos},
            },
        )
        for place, (name, user, account, qos) in enumerate(words, start=1)
    ]
    seen = cluster(4, *jobs)
    made = sure(said(seen))
    return Batch(number=number, words=words, told=publication(seen, made, TERMS, NOW + 5, NOW + 6))


@cache
def stage() -> tuple[Board, Client]:
    """Return a board and who asks for what hangs there; to build an application takes long."""
    full = board()
    return full, client(full, StandingClock(), viewer=OPERATOR)


def asked(told: Published, path: str) -> Any:
    """Return the answer while the result hangs there."""
    full, api = stage()
    full.put(told)
    return api.get(path)


@cache
def usual(what: str, count: int) -> Any:
    """Return what an output makes of so many harmless jobs."""
    return OUTLINES[what](batch(0, [(HARMLESS,) * 4] * count))


FORECASTS = "/api/v1/clusters/scene/forecasts?limit=10000"


def in_json(given: Batch) -> Iterator[str]:
    """Judge the API's JSON by the json module."""
    answer = asked(given.told, FORECASTS)
    if not answer.content.isascii() or unshown(answer.text):
        yield "characters that a screen acts on"
    jobs = json.loads(answer.content)["jobs"]
    for words, job in zip(given.words, jobs, strict=True):
        came = (job["name"], job["user"], job["account"], job["qos"])
        if came != words:
            yield f"{words!r} came as {came!r}"


def in_csv(given: Batch) -> Iterator[str]:
    """Judge the table by the csv module: a row a job, and no formula in it."""
    body = asked(given.told, f"{FORECASTS}&format=csv").content.decode("utf-8")
    if unshown(body, but="\r\n"):
        yield "characters that a screen acts on"
    table = list(csv.DictReader(io.StringIO(body, newline=""), strict=True))
    if body.count("\n") != len(given.words) + 1 or len(table) != len(given.words):
        yield f"{len(table)} rows for {len(given.words)} jobs"
    for words, row in zip(given.words, table, strict=False):
        if None in row or None in row.values():
            yield f"{words!r} makes another column"
        for cell in row.values():
            if cell is not None and cell.lstrip(" \u00a0\u3000").startswith(FORMULA):
                yield f"{words!r} is the formula {cell!r}"


def in_xml(given: Batch) -> Iterator[str]:
    """Judge the document by lxml, and by our own reader that it gives back what it was given."""
    document = lml.write(given.told.snapshot, given.told.forecast)
    shape = _shape_of_xml(document)
    if shape != usual("xml", len(given.words)):
        yield from _one_by_one(given, "xml")
    back = lml.read(document).snapshot
    for words, job in zip(given.words, back.pending, strict=True):
        spec = job.spec
        if (spec.name.raw, spec.user, spec.account, spec.qos) != words:
            yield f"{words!r} came as {spec!r}"


def _shape_of_xml(document: bytes) -> list[tuple[object, ...]]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    tree = etree.fromstring(document, parser)
    info = tree.getroottree().docinfo
    shape: list[tuple[object, ...]] = [(info.doctype, info.root_name)]
    # A long value is split over several elements, `k`, `k~2`, ...
    for element in tree.iter():
        key = (element.get("key") or "").partition("~")[0]
        shape.append((element.tag, key, *sorted(element.attrib)))
        if (element.text or "").strip() or (element.tail or "").strip():
            shape.append(("text", element.tag))
    return [one for at, one in enumerate(shape) if not at or one != shape[at - 1]]


def in_pages(given: Batch) -> Iterator[str]:
    """Judge the pages by html.parser and libxml2, some also by html5lib: as for harmless names."""
    for path in PAGES:
        text = asked(given.told, path).text
        if unshown(text):
            yield f"{path}: characters that a screen acts on"
        outline = Outline(text)
        if (outline.elements, _tags(text)) != usual(path, len(given.words)):
            yield from _one_by_one(given, path)
        schemes = {one.partition(":")[0] for one in outline.addresses if ":" in one}
        if not schemes <= {"data"}:
            yield f"{path}: leads to {schemes}"
        if path == "/":
            yield from _rows_of(given, text)


def _tags(text: str) -> list[str]:
    return [str(element.tag) for element in lxml_html.fromstring(text).iter()]


def _rows_of(given: Batch, text: str) -> Iterator[str]:
    """Compare the words of each row with what was to be shown, and the elements with the book's."""
    tree = lxml_html.fromstring(text)
    if given.number % BY_THE_BOOK == 0:
        book = html5lib.parse(text, treebuilder="lxml", namespaceHTMLElements=False)
        expected = usual("book", len(given.words))
        if [str(one.tag) for one in book.iter()] != expected:
            yield "html5lib sees other elements"
    shown = [
        [cell.text_content() for cell in row.iter("td")]
        for row in tree.iter("tr")
        if row.xpath("th/a[starts-with(@href, 'job/')]")
    ]
    if len(shown) != len(given.words):
        yield f"{len(shown)} rows for {len(given.words)} jobs"
    for (name, user, *_), row in zip(given.words, shown, strict=False):
        for word in (name, user):
            if not any(_same(plain(word), cell) for cell in row):
                yield f"{word!r} is not in its row: {row[:3]!r}"


def _same(word: str, cell: str) -> bool:
    """Return whether a cell shows a word, which may be cut, however blanks are laid out."""
    whole, shown = " ".join(word.split()), " ".join(cell.split())
    return whole == shown or (shown.endswith("+") and whole.startswith(shown[:-1]))


class Wire(Asking):
    """The command's client, with the application at the other end."""

    def __init__(self, told: Published) -> None:
        super().__init__("http://localhost")
        self._told = told

    def _exchange(self, _method: str, target: str, *_more: object) -> tuple[int, bytes]:
        answer = asked(self._told, target)
        return answer.status_code, answer.content


LAYOUT = "%i|%j|%u|%a|%q|%r"
WAYS = (("-o", LAYOUT), ("-o", LAYOUT, "-P"), ("-o", LAYOUT, "--csv"), ())


def in_terminal(given: Batch) -> Iterator[str]:
    """Judge what `when` prints by a small terminal: as many lines as jobs, and nothing but text."""
    for way in WAYS:
        printed = _printed(given.told, way)
        try:
            lines = on_screen(printed)
        except AssertionError as error:
            yield f"{way}: {str(error)[:200]}"
            continue
        if len(lines) != len(given.words) + 2:
            yield f"{way}: {len(lines)} lines for {len(given.words)} jobs"
        if "-P" in way and {line.count("|") for line in lines[:-1]} != {5}:
            yield "another column"
        if "--csv" in way:
            cells = [cell for row in csv.reader(lines[:-1], strict=True) for cell in row]
            if formulas := [cell for cell in cells if cell.startswith(FORMULA)]:
                yield f"formulas: {formulas[:3]}"


def _printed(told: Published, way: Sequence[str]) -> str:
    with mock.patch("predictor.cli.when.Client", lambda _url: Wire(told)):
        outcome = CliRunner().invoke(when.when, list(way))
    if outcome.exit_code not in (0, 3):
        raise AssertionError(outcome.output[-500:])
    return outcome.stdout


def in_log(given: Batch) -> Iterator[str]:
    """Judge each record of the log by the json module: one line of ASCII."""
    form = JsonLines()
    for word in (word for words in given.words for word in words):
        try:
            raise ValueError(word)
        except ValueError as error:
            cause = (ValueError, error, error.__traceback__)
        record = logging.LogRecord("queuecast", 40, "", 0, word.replace("%", "%%"), (), cause)
        record.queuecast_fields = {"cause": word}
        line = form.format(record)
        if not (line.isascii() and line.isprintable() and json.loads(line)["cause"] == word):
            yield f"{word!r} is logged as {line[:200]!r}"


def in_metrics(given: Batch) -> Iterator[str]:
    """Judge the metrics of a cluster whose partitions are called so by a reader of our own."""
    for part in range(4):
        # A comma stands between the partitions of a job.
        words = (words[part].replace(",", ".") for words in given.words)
        names = [word for word in dict.fromkeys(words) if word]
        seen = _called(given.told.snapshot, names)
        told = publication(seen, sure(said(seen)), TERMS, NOW + 5, NOW + 6)
        found = list(samples(asked(told, "/metrics").text))
        labels = {one["partition"] for name, one, _ in found if name == "queuecast_jobs"}
        wanted = {name.encode("utf-8", "backslashreplace").decode() for name in names}
        if labels != wanted:
            yield f"labels {sorted(labels - wanted)[:3]} for {sorted(wanted - labels)[:3]}"
        if {name for name, _, _ in found} - usual("metrics", 2):
            yield "another series"


def _called(seen: Snapshot, names: Sequence[str]) -> Snapshot:
    jobs = tuple(
        replace(job, spec=replace(job.spec, partitions=(name,), user="ada", account="", qos=""))
        for job, name in zip(seen.pending, names, strict=False)
    )
    return replace(
        seen, pending=jobs, partitions=tuple(partition(name, seen.nodes) for name in names)
    )


def in_events(given: Batch) -> Iterator[str]:
    """Judge the stream's events by splitting them as its standard says."""
    for words, row in zip(given.words, given.told.rows, strict=True):
        told = event("job", json.loads(row.encoded)).decode("ascii")
        name, data, *end = told.split("\n")
        good = (name, end) == ("event: job", ["", ""]) and "\r" not in told
        job = json.loads(data.removeprefix("data: "))
        if not good or (job["name"], job["user"], job["account"], job["qos"]) != words:
            yield f"{words!r} is the event {told[:200]!r}"


def in_mail(given: Batch) -> Iterator[str]:
    """Judge mails by the email package: the same headers, the same lines, nothing but text."""
    for words in given.words:
        headers, lines = mail(SENDER.message(notice(words)).as_bytes())
        if {name.lower() for name in headers} != HEADERS or len(headers) != len(HEADERS):
            yield f"{words!r} makes the headers {headers}"
        # Where nothing is told of nodes or of what moved it, there is no such line.
        if len(lines) != usual("mail", 1) - (not words[3]) or any(map(unshown, lines)):
            yield f"{words!r} makes {len(lines)} lines: {lines[:3]}"


def in_webhook(given: Batch) -> Iterator[str]:
    """Judge what a webhook is sent by the json module."""
    for words in given.words:
        sent = wording.encoded(notice(words))
        told = json.loads(sent)
        came = (told["job_id"], told["cluster"], told["partition"], told["user"])
        if not sent.isascii() or came != words or unshown(told["text"]):
            yield f"{words!r} is sent as {sent[:200]!r}"


def _one_by_one(given: Batch, what: str) -> Iterator[str]:
    """Yield the strings that change an output's shape by themselves."""
    known = 0
    for words in given.words:
        if OUTLINES[what](batch(1, [words])) != usual(what, 1):
            known += 1
            yield f"{what}: {words!r} changes the shape"
    if not known:
        yield f"{what}: together they change the shape"


def _page(path: str, given: Batch) -> object:
    text = asked(given.told, path).text
    return Outline(text).elements, _tags(text)


def _book(given: Batch) -> list[str]:
    text = asked(given.told, "/").text
    book = html5lib.parse(text, treebuilder="lxml", namespaceHTMLElements=False)
    return [str(one.tag) for one in book.iter()]


def _series(given: Batch) -> set[str]:
    asked(given.told, FORECASTS)
    return {name for name, _, _ in samples(asked(given.told, "/metrics").text)}


OUTLINES: Mapping[str, Callable[[Batch], object]] = {
    "xml": lambda given: _shape_of_xml(lml.write(given.told.snapshot, given.told.forecast)),
    **{path: partial(_page, path) for path in PAGES},
    "book": _book,
    "metrics": _series,
    "mail": lambda _given: len(mail(SENDER.message(notice((HARMLESS,) * 4)).as_bytes())[1]),
}
"""What an output is like, but for the words."""
OUTPUTS: Mapping[str, Callable[[Batch], Iterator[str]]] = {
    "xml": in_xml,
    "json": in_json,
    "page": in_pages,
    "csv": in_csv,
    "terminal": in_terminal,
    "log": in_log,
    "metrics": in_metrics,
    "events": in_events,
    "mail": in_mail,
    "webhook": in_webhook,
}


def found_in(name: str, given: Batch) -> Iterator[str]:
    """Yield what an output's judge finds; that it cannot read it at all is a finding, too."""
    try:
        yield from OUTPUTS[name](given)
    except Exception as error:  # judges have errors of their own
        yield f"{type(error).__name__}: {error}"


def judged(names: Sequence[str], options: argparse.Namespace, findings: Findings) -> None:
    """Give strings to the outputs until there were enough, or the time is over."""
    rng = Random(f"escapes {options.seed}")  # noqa: S311
    number = 0
    while findings.figures.get("strings", 0) < options.cases and time.monotonic() < options.until:
        number += 1
        count = 4 * min(AT_ONCE, -(-(options.cases - findings.figures.get("strings", 0)) // 4))
        words = iter(texts(rng, count))
        given = batch(number, list(zip(words, words, words, words, strict=True)))
        for name in names:
            begun = time.process_time()
            for finding in found_in(name, given):
                findings.expect(False, f"{name}: {finding}"[:400])
            findings.count(f"{name}_cpu_s", time.process_time() - begun)
        findings.count("strings", count)
    halves = 2 * len(names) - ("page" in names)
    findings.figures["judged"] = findings.figures["strings"] * halves // 2
    for name in names:
        findings.figures[f"{name}_cpu_s"] = round(findings.figures[f"{name}_cpu_s"], 1)


def _bare(text: str, _width: int | None = None) -> str:
    return text


FORGETFUL: Mapping[str, object] = {
    "predictor.cli.terminal._showable": _bare,
    "predictor.cli.cells.FORMULA_STARTS": ("\0",),
    "predictor.lml.escaping.flagged": _bare,
    "predictor.lml.splitting.quoted": _bare,
    "predictor.service.statemetrics.as_label": _bare,
    "json.dumps": lambda *given, _dumps=json.dumps, **how: _dumps(*given, **how).replace("\\u", ""),
}
"""By what they are called, encoders that forget to encode."""


def part(names: Sequence[str]) -> Part:
    """Return the part of these outputs, whose encoders are forgetful with `--seeded-fault`."""

    def run(options: argparse.Namespace, findings: Findings) -> None:
        for name in names:
            usual(name, 1) if name in OUTLINES else None
        with ExitStack() as planted:
            for name, fault in FORGETFUL.items() if options.seeded_fault else ():
                planted.enter_context(mock.patch(name, fault))
            judged(names, options, findings)

    return run


PARTS: dict[str, Part] = {"all": part(list(OUTPUTS))} | {name: part([name]) for name in OUTPUTS}

if __name__ == "__main__":
    sys.exit(main(PARTS))
