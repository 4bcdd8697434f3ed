"""An operator has a slurm.conf looked at on a page: what would change, and what is not heeded."""

import re
from urllib.parse import urlencode

import pytest
from services import HOSTILE, StandingClock, board, client, result

from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.longwork.checking import Checking
from predictor.service.problems import Refused

ROOT = Viewer(role=Role.OPERATOR, name="olga")
ADA = Viewer(role=Role.USER, name="ada")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PATH = "/experiments/check"
FOUND = {
    "changes": {
        "whole": False,
        "changed": [{"name": "KillWait", "running": "00:00:30", "proposed": "00:01:39"}],
        "added": [{"name": f"partition {HOSTILE[:25]}", "running": None, "proposed": "n1"}],
        "removed": [],
    },
    "settings": [
        {"name": "CompleteWait", "matters": True, "why": "not so", "values": [{"value": "5"}]},
        {"name": "MailProg", "matters": False, "why": "harmless", "values": [{"value": "x"}]},
    ],
    "remarks": ["slurm.conf:3: no value"],
}


@pytest.fixture
def looked(monkeypatch):
    """What the command would find; the texts that it was given."""
    given = []

    def look(_self, text, running):
        given.append((text, running.cluster))
        if "busy" in text:
            raise Refused(503, "another one is looked at")
        return FOUND

    monkeypatch.setattr(Checking, "__call__", look)
    return given


def browser(viewer=ROOT):
    return client(board(result()), StandingClock(), viewer=viewer)


def send(text, **fields):
    asked = browser()
    mark = re.findall(r'name="mark" value="(\w+)"', asked.get(PATH).text)[0]
    return asked.ask("POST", PATH, FORM, urlencode({"mark": mark, "conf": text} | fields))


def test_what_would_change_and_what_is_not_heeded_is_told(looked):
    page = send("KillWait=99\r\n").text
    assert looked == [("KillWait=99\r\n", "scene")]
    assert re.search(r"KillWait</th><td>changed</td><td>00:00:30</td><td>00:01:39</td>", page)
    assert "CompleteWait</th><td>5</td><td>not so</td>" in page
    assert "MailProg" not in page
    assert "only what it names is compared" in page
    assert "slurm.conf:3: no value" in page
    assert ">\nKillWait=99" in page  # it stands in the form still
    assert "<script>" not in page


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("Include /etc/shadow", 422, "includes no other file"),
        ("", 422, "at least 1 character"),
        ("busy", 503, "another one is looked at"),
    ],
)
def test_what_is_refused_is_told_on_the_page(looked, text, status, told):
    answer = send(text)
    assert answer.status_code == status
    assert told in answer.text and 'role="alert"' in answer.text


def test_a_form_of_somebody_elses_is_not_looked_at(looked):
    assert send("KillWait=9", mark="0").status_code == 400
    assert looked == []


@pytest.mark.parametrize("viewer", [ADA, ANONYMOUS])
def test_it_is_for_operators(looked, viewer):
    assert browser(viewer).get(PATH).status_code == 403
    assert browser(viewer).ask("POST", PATH, FORM, "conf=x").status_code == 403
