"""`queuecast diff` on a small recording: what it tells, where, and how it ends."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import performed as scenes
import pytest
from click.testing import CliRunner
from clusters import HOUR, NOW

from predictor.cli.exits import GATE, USAGE
from predictor.simulation.story import Story
from predictor.storage import open_for_writing
from verification.cli.diff import diff
from verification.measures import MEASURES

WINDOW = "start=+1h,duration=1h,nodes=ALL"


@pytest.fixture(scope="module")
def busy():
    """Some snapshots of three hours, and the ends, of a busy cluster of eight nodes."""
    snapshot, later, run_s = scenes.busy_cluster()
    story = Story(arrivals=later, run_s=run_s)
    snapshots, ends = scenes.recorded(snapshot, story, NOW + 3 * HOUR)
    return snapshots[::20], ends


@pytest.fixture(scope="module")
def recording(busy, tmp_path_factory):
    return record(tmp_path_factory.mktemp("recordings") / "busy", *busy)


def record(path, snapshots, ends):
    with open_for_writing(path) as writer:
        for snapshot in snapshots:
            writer.append(snapshot)
        writer.add_outcomes(ends)
    return path


def run(*arguments):
    return CliRunner().invoke(diff, [*map(str, arguments), "--jobs", "1"])


def figures(*arguments):
    answer = run(*arguments, "--json", "-")
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout)


def test_fewer_nodes(recording):
    found = figures(recording, "--remove-nodes", "n[7-8]", "--draws", 4)
    assert found["schema"] == "queuecast.diff/1"
    assert found["change"] == ["2 nodes less: n[7-8]"]
    assert found["measures"].keys() == MEASURES.keys()
    wait = found["measures"]["mean_wait_s"]
    assert wait["change"] > 0
    assert wait["detected"]
    assert found["classes"]["user"]["ada"]["jobs"] == 40
    assert [one["seed"] for one in found["trials"]] == [1, 2, 3, 4]


def test_a_job_that_fits_no_more_starves_and_is_named(recording):
    found = figures(recording, "--remove-nodes", "n[4-8]", "--draws", 3)
    never = {one["job"] for one in found["starving"] if one["never"]}
    assert never == {str(n) for n in range(1, 31) if 1 + n * 5 % 7 > 3}
    assert found["starved"] >= len(never)


def test_what_changes_nothing_is_said_plainly(recording, tmp_path):
    same = tmp_path / "same.conf"
    same.write_text("MailProg=/bin/x\n")
    answer = run(recording, "--new", same, "--draws", 3)
    assert answer.exit_code == 0, answer.output
    assert "Nothing that is on paper differs between the two." in answer.stdout
    assert "no detectable change" in answer.stdout
    assert "worse" not in answer.stdout
    assert "MailProg" in answer.stdout


def test_what_two_draws_cannot_tell_is_not_told(recording):
    bounds = "mean_wait_s=+500%"
    answer = run(recording, "--remove-nodes", "n8", "--draws", 2, "--fail-on", bounds)
    assert answer.exit_code == GATE
    assert "too few draws to say whether mean_wait_s=+500% holds" in answer.stderr
    assert "Who waits longer, who less: too few draws to say." in answer.stdout
    assert "no detectable change" not in answer.stdout


def test_without_a_terminal_names_are_whole(recording, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    told = run(recording, "--remove-nodes", "n8", "--draws", 3).stdout
    assert "wait that 90 % do not exceed" in told


def test_equal_seeds_give_equal_figures(recording):
    one, other = (figures(recording, "--add-nodes", "x1 like n1", "--draws", 2) for _ in range(2))
    assert one["trials"] == other["trials"]
    assert one["measures"] == other["measures"]


def test_several_recordings(tmp_path, busy):
    paths = [record(tmp_path / name, *busy) for name in ("first", "second")]
    found = figures(*paths, "--remove-nodes", "n8", "--draws", 3)
    assert [one["name"] for one in found["recordings"]] == ["first", "second"]
    assert found["classes"]["user"]["ada"]["jobs"] == 80


def test_a_bound_that_does_not_hold_fails_and_stands_on_the_page(recording, tmp_path):
    page = tmp_path / "page.html"
    bounds = "mean_wait_s=+1%,starved=99"
    answer = run(
        recording, "--remove-nodes", "n8", "--draws", 3, "--fail-on", bounds, "--html", page
    )
    assert answer.exit_code == GATE
    assert "mean_wait_s changes by" in answer.stderr
    assert "mean_wait_s changes by" in page.read_text()


@pytest.mark.parametrize("bound", ["wait=+1%", "colour.red=1"])
def test_a_name_that_no_figure_has_is_refused_before_anything_is_tried(recording, bound):
    answer = run(recording, "--remove-nodes", "n8", "--draws", 3, "--fail-on", bound)
    assert (answer.exit_code, answer.stdout) == (USAGE, "")
    assert "there is no figure" in answer.stderr
    assert "trying" not in answer.stderr


def test_for_a_class_that_nobody_is_in_the_figures_are_told_all_the_same(recording):
    answer = run(recording, "--remove-nodes", "n8", "--draws", 1, "--fail-on", "qos.none=+1%")
    assert answer.exit_code == USAGE
    assert "there is no figure qos.none" in answer.stderr
    assert "In short" in answer.stdout


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_a_folder_that_is_not_there_is_refused_before_anything_is_tried(
    recording, tmp_path, option
):
    answer = run(recording, "--remove-nodes", "n8", "--draws", 1, option, tmp_path / "no" / "file")
    assert answer.exit_code == USAGE
    assert "is no folder that can be written to" in answer.stderr


def test_what_cannot_be_written_in_the_end_costs_itself_only(recording, tmp_path):
    page = tmp_path / "page.html"
    answer = run(
        recording, "--remove-nodes", "n8", "--draws", 1, "--json", "/dev/full", "--html", page
    )
    assert isinstance(answer.exception, OSError)
    assert "In short" in answer.stdout
    assert page.exists()


def test_the_page_needs_nothing_else_and_escapes_what_users_wrote(busy, tmp_path):
    recording = record(tmp_path / "<script>alert(1)<_script>", *busy)
    page = tmp_path / "page.html"
    answer = run(recording, "--reservation", WINDOW, "--draws", 1, "--html", page)
    assert answer.exit_code == 0, answer.output
    tags = Tags()
    tags.feed(page.read_text())
    assert {"script", "link", "img", "iframe"}.isdisjoint(tags.seen)
    assert {"table", "svg", "h1"} <= tags.seen


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not {name for name, _ in attrs} & {"src", "onclick", "onload"}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("PriorityWieghtAge=1\n", ":1: PriorityWieghtAge: not known"),
        ("[policy]\nodd=1\n", ":2: policy.odd"),
        ("Name|GrpTRES\nx\n", ":2: 1 columns, not 2"),
    ],
)
def test_a_file_that_makes_no_sense_is_wrong_usage(recording, tmp_path, text, cause):
    new = tmp_path / "new"
    new.write_text(text)
    answer = run(recording, "--new", new)
    assert answer.exit_code == USAGE
    assert f"{new}{cause}" in answer.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--remove-nodes", "n99"),
        ("--add-nodes", "x1"),
        ("--reservation", "tomorrow"),
        ("--remove-nodes", "n8", "--fail-on", "nonsense"),
        ("--remove-nodes", "n8", "--draws", "3", "--fail-on", "nothing=1"),
        ("--new", "/nowhere"),
    ],
)
def test_wrong_usage(recording, arguments):
    assert run(recording, *arguments).exit_code == USAGE


def test_a_configuration_that_changed_meanwhile_is_told(tmp_path, busy):
    first, *_, last = busy[0]
    other = replace(last, settings=replace(last.settings, kill_wait_s=77))
    path = record(tmp_path / "changed", [first, other], busy[1])
    answer = run(path, "--remove-nodes", "n8", "--draws", 1)
    assert "its configuration changed meanwhile" in answer.stderr
    assert "too few draws to say" in answer.stdout


def test_one_snapshot_alone_tells_nothing(tmp_path, busy):
    path = record(tmp_path / "one", busy[0][:1], ())
    answer = run(path, "--remove-nodes", "n8")
    assert "one snapshot alone" in str(answer.exception)
