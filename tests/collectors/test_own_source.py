"""The example of a site's own source, as the documentation has it, installed and used."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from entry_points import lay_out
from services import TERMS, StandingClock

from collectors.cli import collect
from predictor.domain import Observation
from predictor.errors import SiteError, SourceError
from predictor.forecast import forecast
from predictor.lml import read
from predictor.service.forecaster import Reply
from predictor.service.published import Board
from predictor.service.sources import make_source
from predictor.service.tick import Desk, tick
from predictor.site import default, load

DOCUMENT = Path(__file__).parents[2] / "config" / "OWN_SOURCE.md"


def blocks(language):
    """The code of that language in the document, in order."""
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)


def install(folder, project, **modules):
    """Lay a distribution out as an installer does."""
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code)
    lay_out(folder, project)


@pytest.fixture
def queue_file(tmp_path, monkeypatch):
    """The documented source, installed; the file it reads."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    project, _ = blocks("toml")
    install(folder, project, queue_file=blocks("python")[0])
    monkeypatch.syspath_prepend(folder)
    file = tmp_path / "queue.json"
    file.write_text(blocks("json")[0])
    return file


def test_collect_finds_it_by_its_kind(queue_file):
    result = CliRunner().invoke(collect, ["--source", "queue-file", "--path", str(queue_file)])
    assert result.exit_code == 0, result.output
    snapshot = read(result.stdout_bytes).snapshot
    assert [job.spec.id for job in snapshot.running] == ["7"]
    assert [job.spec.id for job in snapshot.pending] == ["8"]
    assert snapshot.provenance.source == "queue-file"


def test_a_site_file_names_it_and_a_tick_publishes_its_forecast(queue_file, tmp_path):
    _, table = blocks("toml")
    file = tmp_path / "site.toml"
    file.write_text(table)
    site = load(file)
    told = json.loads(queue_file.read_text())
    committed = []
    desk = Desk(
        complete=lambda snapshot: snapshot,
        predict=lambda snapshot: forecast(snapshot, site),
        windows=lambda budget_s: Reply(),
        drawing_s=0,
        keep=lambda made: None,
        board=Board(),
        clock=StandingClock(told["written_at"]),
        terms=TERMS,
    )
    report = tick(make_source(site, file).observe, committed.append, desk)
    assert report.outcome == "ok", report.failures
    (start,) = [row.start_at for row in desk.board.current.rows if row.spec.id == "8"]
    assert start == told["jobs"][0]["started_at"] + 3600  # when the one that runs must end


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        pytest.param(None, "No such file", id="no file"),
        pytest.param('{"written_at": 1', "JSONDecodeError", id="cut off"),
        pytest.param('{"written_at": 1, "nodes": []}', "KeyError", id="a key is missing"),
        pytest.param("[]", "TypeError", id="something else"),
    ],
)
def test_what_is_wrong_with_its_file_is_an_error_of_the_source(queue_file, content, cause):
    queue_file.unlink() if content is None else queue_file.write_text(content)
    source = make_source(asking("queue-file", path=str(queue_file)))
    with pytest.raises(SourceError, match=cause):
        source.observe()


def asking(kind, **settings):
    """The default site with another source."""
    table = default().source.model_copy(update={"kind": kind})
    return default().model_copy(update={"source": table.model_validate({"kind": kind, **settings})})


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        pytest.param("import nothing_of_that_name", "ModuleNotFoundError", id="no import"),
        pytest.param("", "AttributeError", id="no factory"),
        pytest.param("def from_settings(settings): return settings['x']", "KeyError", id="raises"),
        pytest.param("def from_settings(settings): pass", "NoneType without observe", id="nothing"),
    ],
)
def test_a_source_that_cannot_be_made_is_told_in_one_line(tmp_path, monkeypatch, code, cause):
    project = '[project]\nname = "odd"\nversion = "1"\n[project.entry-points."queuecast.sources"]\n'
    name = f"odd_source_{cause.partition(' ')[0].lower()}"
    install(tmp_path, f'{project}odd = "{name}:from_settings"', **{name: code})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SiteError, match=f"source 'odd' .* cannot be used: .*{cause}"):
        make_source(asking("odd"))


@pytest.mark.parametrize(
    "nonsense",
    [None, "a text", Observation(snapshot=None), Observation(snapshot="x", calls="y")],
)
def test_nonsense_from_a_source_ends_in_the_report(nonsense):
    desk = Desk(
        complete=lambda snapshot: snapshot,
        predict=lambda snapshot: forecast(snapshot, default()),
        windows=lambda budget_s: Reply(),
        drawing_s=0,
        keep=lambda made: None,
        board=Board(),
        clock=StandingClock(),
        terms=TERMS,
    )
    report = tick(lambda: nonsense, [].append, desk)
    assert [(stage.name, stage.kind) for stage in report.failures] == [("observe", "bug")]


def test_a_key_of_a_source_can_be_given_to_collect(queue_file):
    given = ["--source", "queue-file", "--set", f"path={queue_file}"]
    assert CliRunner().invoke(collect, given).exit_code == 0
    refused = CliRunner().invoke(collect, [*given, "--set", "speed=2"])
    assert isinstance(refused.exception, SiteError)
    assert CliRunner().invoke(collect, [*given, "--set", "speed"]).exit_code == 2
