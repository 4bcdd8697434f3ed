"""Experiments are made again by a form of ours, and two are laid side by side."""

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from services import HOSTILE, StandingClock, board, client, result

from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.longwork.bench import MOST_OPEN, Bench, Means
from predictor.service.longwork.orders import Diff, Replay
from predictor.service.longwork.shelf import Shelf
from predictor.web.found import NOTHING, Figure, amount, found_in, further

ROOT = Viewer(role=Role.OPERATOR, name="olga")
ADA = Viewer(role=Role.USER, name="ada")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DIFF = Diff(kind="diff", new=(f"PriorityWeightAge=9000 {HOSTILE[:20]}",), draws=2)


def diff(new, base=3_600, days=1, detected=True, words="mean wait"):
    wait = {"base": base, "new": new, "detected": detected, "words": words}
    share = {"base": 0.5, "new": 0.75, "detected": True, "words": "utilisation"}
    return {
        "schema": "queuecast.diff/1",
        "draws": 2,
        "recordings": [{"name": "alpha", "from": f"2023-11-0{days}", "to": "2023-11-09"}],
        "change": ["PriorityWeightAge 1000 -> 9000"],
        "measures": {"mean_wait_s": wait, "utilisation": share, "makespan_s": None},
    }


class Site:
    """A service with a folder for experiments; nothing is worked on, so that all waits."""

    def __init__(self, folder, viewer=ROOT):
        self.folder = folder
        self.bench = Bench(Shelf(folder), Path("/there/is/none"), StandingClock(), Means())
        on = {"bench": self.bench, "experiments": folder}
        self.browser = client(board(result()), StandingClock(), viewer=viewer, **on)

    def ordered(self, order=DIFF, document=None):
        one = self.bench.post(order, "olga", "")
        if document is not None:
            (self.bench.shelf.place(one.id) / "figures.json").write_text(json.dumps(document))
            self.bench._settle(one, "finished")
        return one.id

    def fields(self):
        return dict(re.findall(r'name="(mark|key|again)" value="([\w-]+)"', self.page()))

    def page(self, path="/experiments"):
        return self.browser.get(path).text

    def send(self, headers=None, **fields):
        content = urlencode(self.fields() | fields)
        return self.browser.ask("POST", "/experiments", FORM | (headers or {}), content)

    def compared(self, *names):
        return self.browser.get(f"/experiments/compare?{urlencode({'of': names}, doseq=True)}")


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def test_a_button_orders_the_same_again_and_leads_back(site):
    before = site.ordered(document=diff(4_000))
    answer = site.send(again=before)
    assert (answer.status_code, answer.headers["Location"]) == (303, "experiments")
    newest, _ = sorted(site.bench.all(), key=lambda one: one.state, reverse=True)
    assert newest.order == DIFF and newest.state == "queued" and newest.by == "olga"


def test_a_form_that_is_sent_twice_orders_once(site):
    fields = site.fields() if site.ordered() else {}
    for _ in range(2):
        assert site.send(**fields).status_code == 303
    assert len(site.bench.all()) == 2
    site.send()  # of the page as it is loaded anew
    assert len(site.bench.all()) == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"mark": "0"},
        {"headers": {"Sec-Fetch-Site": "cross-site"}},
        {"headers": {"Content-Type": "x"}},
    ],
)
def test_a_form_of_somebody_elses_orders_nothing(site, changed):
    site.ordered()
    assert site.send(**changed).status_code in (400, 415)
    assert len(site.bench.all()) == 1


def test_what_cannot_be_ordered_is_told_on_the_page(site):
    site.ordered()
    gone = site.send(again="x0")
    assert gone.status_code == 404 and "is not known any more" in gone.text
    for _ in range(MOST_OPEN - 1):
        site.ordered()
    full = site.send()
    assert full.status_code == 429 and 'role="alert"' in full.text
    assert len(site.bench.all()) == MOST_OPEN


@pytest.mark.parametrize("viewer", [ADA, ANONYMOUS])
def test_it_is_for_operators(tmp_path, viewer):
    site = Site(tmp_path, viewer)
    assert site.browser.ask("POST", "/experiments", FORM, "again=x").status_code == 403
    assert site.compared("a", "b").status_code == 403


def test_two_results_stand_side_by_side(site):
    one = site.ordered(document=diff(4_000))
    other = site.ordered(Diff(kind="diff", new=("A=1",), draws=3), diff(7_260, detected=False))
    assert f'name="of" value="{one}"' in site.page()
    page = site.compared(one, other).text
    assert "1 h 6 min" in page and "2 h 1 min" in page
    assert "+54 min" in page
    assert "1 h without the change, no detectable change" in page
    assert re.search(r'class="differs"><th scope="row">draws</th><td>2</td><td>3</td>', page)
    assert "different days" not in page
    assert "<script>" not in page and "\x1b" not in page


def test_what_lies_in_the_folder_is_compared_with_what_the_service_made(site):
    (site.folder / "ticket-7.json").write_text(json.dumps(diff(3_600, days=2, words=HOSTILE[:25])))
    one = site.ordered(document=diff(4_000))
    page = site.compared("ticket-7.json", one).text
    assert "different days" in page
    assert "PriorityWeightAge 1000 -&gt; 9000" in page
    assert "<script>" not in page


def test_other_kinds_and_missing_figures_are_told(site):
    judged = {"schema": "queuecast.verify/1", "modes": {"online": {"mae_s": 600}}}
    one = site.ordered(document=diff(4_000))
    other = site.ordered(Replay(kind="replay"), judged | {"recordings": []})
    empty = site.ordered(Replay(kind="replay"))
    assert "of different kinds" in site.compared(one, other).text
    assert f"no figures of {empty}" in site.compared(one, empty).text


@pytest.mark.parametrize(
    ("names", "status"), [((), 422), (("x",), 422), (("x", "x", "x"), 422), (("x", "..%2f"), 404)]
)
def test_less_than_two_or_unknown_ones_are_refused(site, names, status):
    answer = site.compared(*names)
    assert answer.status_code == status
    if status == 422:
        assert "Tick two" in answer.text and 'href="../' in answer.text


def test_points_of_a_sweep_are_told_by_their_settings():
    points = [
        {"settings": {"a": 1}, "figures": {"mean_wait_s": 60}, "verdict": None},
        {"settings": {"a": 2}, "figures": {"mean_wait_s": 30, "x": True}, "verdict": "lower"},
    ]
    document = {"schema": "queuecast.sweep/1", "judged": "mean_wait_s", "points": points}
    found = found_in(json.dumps(document | {"inputs": ["alpha"]}).encode())
    assert found.on == ("alpha",)
    assert {words: (one.value, one.note) for words, one in found.figures.items()} == {
        "a 1: mean wait": (60, ""),
        "a 2: mean wait": (30, "against the first point: lower"),
    }


@pytest.mark.parametrize(
    "document",
    [
        None,
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"schema": "another/1"}',
        b'{"schema": "queuecast.diff/1", "measures": {"a": {"new": 1, "base": "x"}}}',
        b'{"schema": "queuecast.verify/1", "modes": {"online": {"mae_s": 1' + b"0" * 400 + b"}}}",
    ],
)
def test_what_is_none_of_ours_is_nothing(document):
    assert found_in(document) is NOTHING


def test_figures_have_their_units_and_differences_a_sign():
    wait, share, plain = (Figure(name=name, value=0.5) for name in ("mean_wait_s", "answered", "x"))
    assert amount(wait, 5_400) == "1 h 30 min"
    assert amount(share) == "50.0 %"
    assert amount(plain, 12_345.6) == "12,346"
    assert further(Figure(name="answered", value=0.25), share) == "+25.0 points"
    assert further(Figure(name="bias_s", value=0), Figure(name="bias_s", value=-90)) == "-1 min"
    assert further(wait, wait) == "same"


@given(st.floats(-1e14, 1e14), st.floats(-1e14, 1e14), st.sampled_from(("w_s", "answered", "x")))
def test_a_difference_turned_round_has_the_other_sign(left, right, name):
    one, other = (Figure(name=name, value=value) for value in (left, right))
    there, back = further(one, other), further(other, one)
    assert there.lstrip("+-") == back.lstrip("+-")
    assert there == "same" or {there[0], back[0]} == {"+", "-"}


def test_how_far_one_is_stands_on_the_page(site):
    one = site.bench.get(site.ordered())
    site.bench._known[one.id] = replace(one, state="running")
    (site.bench.shelf.place(one.id) / "log").write_text("day 1\n4 of 10 snapshots \x1b[2J\n")
    assert "4 of 10 snapshots ?[2J" in site.page()
