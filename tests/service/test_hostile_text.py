"""What users write, through every output, each judged by a reader that is not ours.

Text of a job (its name, and for good measure its user, account and QOS) may be anything a batch
system lets through. No output may change its structure with it, and none may carry what a screen
or a spreadsheet would act on.
"""

import csv
import io
import json
import logging
from functools import cache
from unittest import mock

import pytest
from click.testing import CliRunner
from clusters import cluster, running, waiting
from hostile import NAUGHTY, Outline, on_screen, unshown
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from prometheus_client.parser import text_string_to_metric_families
from services import TERMS, StandingClock, board, client, said, sure

from predictor.cli.client import Client as Asking
from predictor.cli.status import status
from predictor.cli.when import when
from predictor.cli.why import why
from predictor.domain import Untrusted
from predictor.lml import write
from predictor.service.asking.viewers import Role, Viewer
from predictor.service.herald import event
from predictor.service.logs import JsonLines
from predictor.service.published import publication

HERE = "/api/v1/clusters/scene"
RESOURCES = (
    *("/api/v1/clusters", HERE, f"{HERE}/forecasts?state=all", f"{HERE}/jobs/11"),
    *(f"{HERE}/jobs/11/explanation", f"{HERE}/jobs/11/history", f"{HERE}/plan"),
    *(f"{HERE}/backlog", f"{HERE}/accuracy", f"{HERE}/partitions"),
)
PAGES = ("/", "/job/11", "/schedule", "/about", "/mine", "/weather")
OPERATOR = Viewer(role=Role.OPERATOR, name="root")
HARMLESS = "abc"
texts = st.text(st.characters(codec=None), min_size=1, max_size=30) | st.text(
    st.sampled_from("<>&\"'=+-@\t\r\n\x1b[]|,;\\{}%\u202e\ud800\x00\x7f\x9b"), min_size=1
)


def hostile(function):
    """Try the known ones and some that nobody thought of."""
    for text in NAUGHTY:
        function = example(text)(function)
    return settings(max_examples=6)(given(texts)(function))


def published(text: str):
    words = {"name": Untrusted(text), "user": text, "account": text, "qos": text}
    seen = cluster(
        4,
        waiting("11", 2, of_job=words),
        waiting("12", 1, of_job={"name": Untrusted("fine")}),
        running("10", "n1 n2", 30, **words),
    )
    return publication(seen, sure(said(seen)), TERMS, seen.taken_at + 5, seen.taken_at + 6)


@cache
def stage():
    """Return a board and who asks for what hangs there; to build an application takes long."""
    full = board()
    return full, client(full, StandingClock(), viewer=OPERATOR)


def served(text: str):
    """Return who may be asked until the next call."""
    full, api = stage()
    full.put(published(text))
    return api


@cache
def usual(path: str) -> str:
    """Return the answer about a job whose text is harmless."""
    return served(HARMLESS).get(path).text


@hostile
def test_json_gives_it_back_as_it_is_and_travels_as_plain_ascii(text):
    api = served(text)
    for path in RESOURCES:
        answer = api.get(path)
        assert (answer.status_code, answer.content.isascii()) == (200, True), path
        assert not unshown(answer.text), path
        json.loads(answer.content)
    jobs = api.get(f"{HERE}/forecasts?state=all").json()["jobs"]
    assert [(job["name"], job["user"]) for job in jobs][::2] == [(text, text)] * 2


@hostile
def test_a_page_has_the_same_elements_whatever_it_says(text):
    expected = {path: Outline(usual(path)).elements for path in PAGES}
    api = served(text)
    for path in PAGES:
        html = api.get(path).text
        told = Outline(html)
        assert told.elements == expected[path], path
        assert not unshown(html), path
        schemes = {address.partition(":")[0] for address in told.addresses if ":" in address}
        assert schemes <= {"data"}, path


@hostile
def test_a_table_has_one_line_a_job_and_no_formula(text):
    body = served(text).get(f"{HERE}/forecasts?state=all&format=csv").content.decode("utf-8")
    assert not unshown(body, but="\r\n")
    assert body.count("\n") == 4
    for record in csv.DictReader(io.StringIO(body, newline=""), strict=True):
        assert None not in record
        assert not any(value.strip().startswith(tuple("=+-@＝＋－＠")) for value in record.values())  # noqa: RUF001


class Wire(Asking):
    """The command's client, with the application at the other end."""

    def __init__(self, text: str) -> None:
        super().__init__("http://localhost")
        self._app = served(text)

    def _exchange(self, method, target, asked, *more, **_more):
        answer = self._app.ask(method, target, {"Accept": "application/json"}, asked)
        return answer.status_code, answer.content


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (when, ["--states", "all"]),
        (when, ["--states", "all", "-o", "%j|%u|%a|%q"]),
        (when, ["--states", "all", "-P"]),
        (when, ["--json"]),
        (why, ["11"]),
        (why, ["11", "--json"]),
        (status, []),
    ],
)
@hostile
def test_a_terminal_shows_as_many_lines_and_is_told_nothing_else(command, arguments, text):
    told, expected = output(command, arguments, text), output(command, arguments, HARMLESS)
    assert len(told) == len(expected)
    if "-P" in arguments:
        assert [line.count("|") for line in told] == [line.count("|") for line in expected]


def output(command, arguments, text):
    with mock.patch(f"predictor.cli.{command.name}.Client", lambda _url: Wire(text)):
        outcome = CliRunner().invoke(command, arguments)
    assert outcome.exit_code in (0, 3), outcome.output
    return on_screen(outcome.stdout)


@hostile
def test_a_record_of_the_log_is_one_line(text):
    try:
        raise ValueError(text)
    except ValueError as error:
        told = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("queuecast", 40, "", 0, text.replace("%", "%%"), (), told)
    record.queuecast_fields = {"cause": text}
    line = JsonLines().format(record)
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["cause"] == text


@hostile
def test_no_metric_knows_of_it(text):
    expected, told = (served(words).get("/metrics").text for words in (HARMLESS, text))
    # The service measures its own answers, the one before this among them.
    assert series(told) >= series(expected)
    assert not {label for _, label in series(told) - series(expected)} - {"/metrics", "GET", "200"}


def series(body: str) -> set[tuple[str, str]]:
    """Return each sample's name with each of its labels' values, but the bounds of counts."""
    return {
        (sample.name, value)
        for family in text_string_to_metric_families(body)
        for sample in family.samples
        for label, value in sample.labels.items()
        if label != "le"
    }


@hostile
def test_a_document_stays_well_formed(text):
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    shapes = []
    for words in (text, HARMLESS):
        one = published(words)
        tree = etree.fromstring(write(one.snapshot, one.forecast), parser)
        assert tree.getroottree().docinfo.internalDTD is None
        # What is too long is cut, and says so in one element more.
        shapes.append({(element.tag, *element.attrib) for element in tree.iter()})
    assert shapes[0] == shapes[1]


@hostile
def test_an_event_is_one_event(text):
    body = json.loads(published(text).rows[0].encoded)
    told = event("job", body).decode("ascii")
    name, data, *end = told.split("\n")
    assert (name, end) == ("event: job", ["", ""])
    assert json.loads(data.removeprefix("data: "))["name"] == text
