import json
from dataclasses import replace
from functools import reduce

import pytest
from click.testing import CliRunner
from recordings import HandClock

from predictor.cli.exits import GATE, USAGE
from predictor.errors import StorageError
from predictor.forecast import forecast
from predictor.site import default
from predictor.storage import open_for_writing
from verification.cli.progress import teller
from verification.cli.verify import verify

MODES = ("replica", "online", "ladder")
POINTS = "jobs_scored answered mae_s median_abs_s p90_abs_s bias_s sigma_s within_60s within_600s"
WINDOWS = "coverage80 width80_median_s winkler80_s broken95"
BASELINES = "slurm limits persistence class_median qbets"
NAMES = [
    *f"{POINTS} kendall_tau {WINDOWS} decisions_precision decisions_recall".split(),
    *(
        f"baselines.{baseline}.{name}"
        for baseline in BASELINES.split()
        for name in ("mae_s", "median_abs_s", "answered", "mae_ratio")
    ),
]


def run(*arguments):
    return CliRunner().invoke(verify, [*map(str, arguments), "--jobs", "1"])


def figures(*arguments):
    answer = run(*arguments, "--json", "-")
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def test_online_figures_stand_beside_those_of_everybody_else(recording):
    found = figures(recording)
    assert found["recordings"][0]["snapshots"] == 40
    online = found["modes"]["online"]
    assert {"jobs_scored", "mae_s", "answered", "coverage80", "worst"} <= online.keys()
    assert {"slurm", "limits", "persistence", "class_median", "qbets"} <= online["baselines"].keys()
    assert online["jobs_scored"] == 4
    assert online["answered"] == 1.0


def test_every_mode_has_every_name_and_a_gate_may_be_set_on_each(recording):
    modes = [word for mode in MODES for word in ("--mode", mode)]
    bounds = ",".join(f"{name}=0" for name in NAMES)
    answer = run(recording, *modes, "--window", "20m", "--json", "-", "--fail-over", bounds)
    found = json.loads(answer.stdout)["modes"]
    assert answer.exit_code == GATE, answer.output
    for mode in MODES:
        for name in NAMES:
            value = reduce(lambda part, key: part[key], name.split("."), found[mode])
            complaint = f"{mode}: {name} is not known yet, so {name}=0 cannot be said to hold\n"
            assert (complaint in answer.stderr) == (value is None)
    assert found["replica"]["decisions_recall"] is not None
    assert found["online"]["baselines"]["slurm"]["mae_ratio"] is not None
    assert found["ladder"]["bias_s"] is not None


def test_of_several_recordings_everything_names_its_own(recorded, minutes, outcomes, tmp_path):
    one, other = (recorded(name, minutes, outcomes) for name in ("one", "other"))
    modes = ["--mode", "replica", "--mode", "online", "--window", "20m"]
    found = figures(one, other, *modes, "--html", tmp_path / "found.html")["modes"]
    windows = [(row["recording"], row["from"]) for row in found["replica"]["windows"]]
    assert {name for name, _ in windows} == {"one", "other"}
    for mode in found.values():
        assert {row["job"].partition("/")[0] for row in mode["worst"]} <= {"one", "other"}
    page = (tmp_path / "found.html").read_text()
    assert all(f"{name} {begin}" in page for name, begin in windows)
    alone = figures(one, *modes)["modes"]
    assert found["online"]["intervals"]["blocks"] == 2 * alone["online"]["intervals"]["blocks"]
    for mode, name in (("online", "kendall_tau"), ("online", "mae_s"), ("replica", "mae_s")):
        assert found[mode][name] == alone[mode][name]


def test_equal_input_gives_equal_bytes(recording):
    asked = [recording, "--mode", "online", "--mode", "replica", "--window", "20m", "--json", "-"]
    assert run(*asked).stdout == run(*asked).stdout


def test_all_modes_in_one_document_for_people_programs_and_browsers(recording, tmp_path):
    names = ["online", "replica", "ladder"]
    chosen = [word for name in names for word in ("--mode", name)]
    files = ["--json", tmp_path / "found.json", "--html", tmp_path / "found.html"]
    answer = run(recording, *chosen, "--window", "20m", *files)
    assert answer.exit_code == 0, answer.output
    assert all(name.upper() in answer.stdout for name in names)
    assert list(json.loads((tmp_path / "found.json").read_text())["modes"]) == names
    assert (tmp_path / "found.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("bounds", "code", "said"),
    [
        ("answered=0.9,mae=10h", 0, ""),
        ("mae=1s", GATE, "mae_s is"),
        ("grace=3", USAGE, "there is no figure grace"),
        ("mae", USAGE, "as in mae=30m"),
    ],
)
def test_a_gate_has_an_exit_code_of_its_own(recording, bounds, code, said):
    answer = run(recording, "--fail-over", bounds, "--every", "5")
    assert answer.exit_code == code
    assert said in answer.stderr


def test_what_is_wrong_with_a_recording_is_told(recorded, minutes, outcomes):
    holed = recorded("holed", minutes[:10] + minutes[20:], outcomes)
    (finding,) = figures(holed)["recordings"][0]["findings"]
    assert finding.endswith("no snapshots")
    assert "no snapshots" in run(holed).stdout


def test_without_a_snapshot_nothing_can_be_judged(recorded):
    assert isinstance(run(recorded("empty", ())).exception, StorageError)


@pytest.fixture
def by_limits(tmp_path):
    """The file of a site where limits are believed, and nothing is said of how sure a start is."""
    file = tmp_path / "site.toml"
    file.write_text('[forecast]\nrun_times = "limit"\ndraws = 0\n')
    return file


def test_a_gate_does_not_let_through_what_is_not_known(recording, by_limits):
    asked = ["--fail-over", "coverage80=0.75", "--every", "5", "--site", by_limits]
    answer = run(recording, *asked)
    assert answer.exit_code == GATE
    assert "coverage80 is not known yet" in answer.stderr


@pytest.fixture
def published(tmp_path, minutes, outcomes):
    """The forty minutes with what was published: each start ten minutes later than we say today."""
    clock = HandClock()
    with open_for_writing(tmp_path / "published", clock=clock) as writer:
        for snapshot in minutes:
            clock.at = snapshot.taken_at + 4
            writer.append(snapshot)
            made = forecast(snapshot, default())
            later = [replace(p, start_at=p.start_at + 600) for p in made.predictions]
            writer.add_answers(replace(made, predictions=tuple(later)))
        writer.add_outcomes(outcomes)
    return tmp_path / "published"


def test_what_was_published_can_be_judged_instead(published, by_limits):
    site = ("--site", by_limits)
    today, then = figures(published, *site), figures(published, *site, "--published")
    shift_s = then["modes"]["online"]["bias_s"] - today["modes"]["online"]["bias_s"]
    assert 0 < shift_s <= 600
    assert then["modes"]["online"]["baselines"]["ours"]["bias_s"] == pytest.approx(
        today["modes"]["online"]["bias_s"]
    )
    assert then["recordings"][0]["findings"] == []


def test_where_nothing_was_published_nothing_of_it_can_be_judged(recording):
    assert "nothing that was published" in str(run(recording, "--published").exception)


class Lines(list):
    """A stream that remembers; a terminal if told so."""

    def __init__(self, terminal):
        self.terminal = terminal

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.append(text)

    def flush(self):
        pass


def test_progress_is_a_bar_that_fills_or_a_few_plain_ones():
    shown, logged = Lines(terminal=True), Lines(terminal=False)
    for stream in (shown, logged):
        tell = teller(stream)
        for done in range(1, 101):
            tell("asking", done, 100)
    assert all(line.startswith("\r") for line in shown[:-1]) and "100/100" in shown[-2]
    assert len(logged) == 10
    assert logged[0] == "asking: 10 of 100\n"
