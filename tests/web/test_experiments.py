"""The page of sweeps and comparisons: for operators, of files that nobody vouches for."""

import json
import os

import pytest
from clusters import NOW
from services import HOSTILE, StandingClock, board, client, result

from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.web.tries import tries

ROOT = Viewer(role=Role.OPERATOR, name="root")
ADA = Viewer(role=Role.USER, name="ada")
MANIFEST = {
    "schema": "queuecast.sweep-manifest/1",
    "begun": "2023-11-14T22:00:00Z",
    "grid": {"kind": "trial", "axes": {"PriorityWeightAge": [1000, 5000]}, "points": []},
    "points": 2,
    "runs": 6,
    "inputs": [{"name": "alpha", "path": "/x", "sha256": "0", "role": ""}],
}
ALIVE = {"phase": "running", "at": NOW + 10, "since": NOW, "done": 4, "total": 6}
DIFF = {
    "schema": "queuecast.diff/1",
    "draws": 20,
    "recordings": [{"name": "alpha"}],
    "change": [f"PriorityWeightAge 1000 -> {HOSTILE}"],
}


@pytest.fixture
def folder(tmp_path):
    """A running sweep without a report, a finished one, and a comparison."""
    _sweep(tmp_path / "weights", MANIFEST, ALIVE)
    _sweep(tmp_path / "caps", MANIFEST, {**ALIVE, "phase": "finished", "at": NOW - 60, "done": 6})
    (tmp_path / "caps" / "report.html").write_text("<h1>Caps</h1>")
    (tmp_path / "ticket-7.json").write_text(json.dumps(DIFF))
    (tmp_path / "ticket-7.html").write_text("<h1>Ticket</h1>")
    os.utime(tmp_path / "ticket-7.json", (NOW - 3_600, NOW - 3_600))
    return tmp_path


def _sweep(path, manifest, alive):
    path.mkdir()
    (path / "manifest.json").write_text(json.dumps(manifest))
    (path / "alive.json").write_text(json.dumps(alive))


def asked(folder, path="/experiments", viewer=ROOT):
    return client(board(result()), StandingClock(), viewer=viewer, experiments=folder).get(path)


@pytest.mark.parametrize("viewer", [ADA, ANONYMOUS])
@pytest.mark.parametrize("path", ["/experiments", "/experiments/caps/report"])
def test_it_is_for_operators(folder, path, viewer):
    assert asked(folder, path, viewer).status_code == 403
    assert asked(folder, path).status_code == 200


def test_the_newest_comes_first_each_with_how_far_it_is(folder):
    found = tries(folder, NOW + 20)
    assert [(one.name, one.state, one.done, one.total) for one in found] == [
        ("weights", "running", 4, 6),
        ("caps", "finished", 6, 6),
        ("ticket-7.json", "finished", None, None),
    ]
    page = asked(folder).text
    assert "PriorityWeightAge: 1000, 5000" in page
    assert "4 of 6" in page
    assert "Comparison of configurations, 20 draws" in page


def test_a_sweep_without_a_word_does_not_run(folder):
    (weights, *_) = tries(folder, NOW + 10 + 31)
    assert weights.state == "silent"


def test_what_was_written_is_shown_as_text(folder):
    page = asked(folder).text
    assert "<script>" not in page and "\x1b" not in page
    assert "&lt;script&gt;" in page


def test_a_report_may_do_nothing_but_look_as_it_does(folder):
    answer = asked(folder, "/experiments/caps/report")
    assert answer.text == "<h1>Caps</h1>"
    (policy,) = answer.headers.get_list("content-security-policy")
    assert policy.startswith("sandbox; default-src 'none'; style-src 'unsafe-inline';")
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    assert asked(folder, "/experiments/ticket-7.json/report").text == "<h1>Ticket</h1>"


def test_all_other_pages_keep_their_policy(folder):
    (policy,) = asked(folder).headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; style-src 'self'")


@pytest.mark.parametrize(
    "name", ["weights", "nothing", "..", "%2e%2e", "..%2fcaps", ".hidden", "caps%00", "a" * 200]
)
def test_where_there_is_no_report_there_is_none(folder, name):
    assert asked(folder, f"/experiments/{name}/report").status_code in (404, 405)


def test_links_lead_nowhere(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    _sweep(elsewhere / "sweep", MANIFEST, ALIVE)
    (elsewhere / "secret.html").write_text("secret")
    (folder / "linked").symlink_to(elsewhere / "sweep")
    (folder / "weights" / "report.html").symlink_to(elsewhere / "secret.html")
    assert "linked" not in {one.name for one in tries(folder, NOW)}
    for name in ("linked", "weights"):
        assert asked(folder, f"/experiments/{name}/report").status_code == 404


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"[1]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        json.dumps({**MANIFEST, "grid": 3}).encode(),
        json.dumps({**MANIFEST, "begun": "once"}).encode(),
        json.dumps({**MANIFEST, "points": None, "inputs": [3]}).encode(),
        json.dumps({**MANIFEST, "schema": "another/1"}).encode(),
    ],
)
def test_what_is_none_of_ours_is_passed_over(folder, manifest):
    (folder / "weights" / "manifest.json").write_bytes(manifest)
    (folder / "note.json").write_bytes(manifest)
    assert [one.name for one in tries(folder, NOW + 20)] == ["caps", "ticket-7.json"]
    assert asked(folder).status_code == 200


def test_without_a_folder_it_says_so(tmp_path):
    assert "No folder for experiments is set up" in asked(None).text
    assert "Nothing there yet" in asked(tmp_path).text
    assert "Nothing there yet" in asked(tmp_path / "gone").text
