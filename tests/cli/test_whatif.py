"""The commands that suppose jobs: sbatch's words in, a start or a table out."""

import json
import re
import threading

import click
import pytest
from click.testing import CliRunner
from clusters import NOW, cluster, running, waiting
from services import StandingClock, app, board, neighbours, result

from predictor.cli.exits import DONE, NO_FORECAST
from predictor.cli.request import Memory, ScriptError, of_script, shape
from predictor.cli.whatif import fit, whatif
from predictor.cli.why import why
from predictor.domain import PassSettings, SchedulerSettings
from predictor.errors import ServiceError
from predictor.forecast import forecast
from predictor.service.listening import listen, server
from predictor.service.published import publication
from predictor.service.whatif import asking
from predictor.service.whatif.asking import Supposing
from predictor.site import Site, default
from predictor.site.model import ServiceTable

BUSY = cluster(
    4,
    running("r", "n1 n2 n3", 60),
    waiting("1", 4, 30),
    settings=SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1)),
)


# -- what sbatch's options say


@pytest.mark.parametrize(
    ("text", "mb"), [("4000", 4000), ("4G", 4096), ("4gb", 4096), ("512K", 1), ("1T", 1_048_576)]
)
def test_memory(text, mb):
    assert Memory().convert(text, None, None) == mb


@pytest.mark.parametrize("text", ["", "4X", "-4", "four"])
def test_what_is_no_memory(text):
    with pytest.raises(click.BadParameter):
        Memory().convert(text, None, None)


SCRIPT = """\
#!/bin/bash
#SBATCH --nodes=2-4 --time=1-12:00:00   # a day and a half
#SBATCH -p gpu
#SBATCH --job-name="my job" --mail-type=END
## SBATCH -A nobody
#SBATCH --mem 8G --exclusive
#SBATCH --output=%j.out

srun ./model
#SBATCH -N 64
"""


def script(tmp_path, text):
    file = tmp_path / "job.sh"
    file.write_text(text)
    return file


def test_a_script_counts_up_to_its_first_command(tmp_path):
    told = shape(of_script(script(tmp_path, SCRIPT)).told)
    assert told == {
        "nodes": 2,
        "time_limit": "1-12:00:00",
        "partition": "gpu",
        "mem_mb": 8192,
        "exclusive": True,
    }


@pytest.mark.parametrize("line", ["-Jcnn", "-ooutput.txt", "-Jt10", "-J cnn", "-o t10"])
def test_values_of_other_options_are_not_taken_for_options(tmp_path, line):
    read = of_script(script(tmp_path, f"#SBATCH {line}\n#SBATCH -N2\n"))
    assert (shape(read.told), read.passed_over) == ({"nodes": 2}, ())


def test_what_bears_on_the_start_and_is_not_counted_is_named(tmp_path):
    text = "#SBATCH --array=1-9 -G4 -x n1\n#SBATCH --gpus 4 --mail-type=END\n"
    assert of_script(script(tmp_path, text)).passed_over == ("--array", "--gpus", "--exclude")


@pytest.mark.parametrize("line", ["--mem=much", "--ntasks=none", "--job-name='open"])
def test_a_script_that_cannot_be_read_is_named(tmp_path, line):
    with pytest.raises(ScriptError, match=r"job\.sh"):
        of_script(script(tmp_path, f"#SBATCH {line}\n"))


@pytest.mark.parametrize("given", [{"nodes": "many"}, {"begin": "soon"}])
def test_what_only_we_can_refuse(given):
    with pytest.raises(click.BadParameter):
        shape(given)


# -- asking a daemon


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suppose")
    terms = {"run_times": "limit", "arrivals": False, "corrected": False, "draws": 3}
    site = Site.model_validate({"forecast": terms, "recording": {"path": str(folder / "r")}})
    clock = StandingClock()
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(asking, "PER_MINUTE", 10_000)
    supposing = Supposing(site, clock)
    terms = result().terms
    published = publication(BUSY, forecast(BUSY, default()), terms, NOW, NOW + 1)
    (line,) = listen(ServiceTable(socket=folder / "api.sock", tcp=False))
    line.socket.listen()
    at = server(app(board(published), clock, supposing=supposing), neighbours())
    thread = threading.Thread(target=at.run, args=([line.socket],))
    thread.start()
    yield line.address
    at.should_exit = True
    thread.join()
    line.close()
    supposing.stop()
    monkeypatch.undo()


def ran(command, url, *options):
    return CliRunner().invoke(command, [*options, "--url", url], env={"SLURM_TIME_FORMAT": "%s"})


def test_a_start_with_its_window(url):
    told = ran(whatif, url, "-N", "1", "-t", "30", "--by", "2099-01-01")
    assert told.exit_code == DONE, told.output
    first, second, third = told.stdout.splitlines()[:3]
    assert first.startswith(f"Likely start: {NOW}"[:-3])
    assert second.startswith("With 80% between ")
    assert third.startswith("With 95% by ")


def test_from_a_script_options_win(url, tmp_path):
    file = script(tmp_path, "#SBATCH -N 9 -t 30\n")
    assert ran(whatif, url, str(file)).exit_code == NO_FORECAST
    assert ran(whatif, url, str(file), "-N", "1").exit_code == DONE


def test_a_waiting_job_that_asks_for_less(url):
    told = json.loads(ran(whatif, url, "-j", "1", "-N", "1", "--json").stdout)
    assert told["shapes"][0]["instead_of"] == "1"
    assert told["shapes"][0]["likely_start_epoch"] < NOW + 300


def test_what_would_help_a_waiting_job(url):
    told = CliRunner().invoke(why, ["1", "--full", "--url", url])
    assert told.exit_code == DONE, told.output
    # Two of the nodes it could use are not free earlier either.
    assert "- Asking for less time or fewer nodes would hardly help." in told.stdout
    shapes = json.loads(CliRunner().invoke(why, ["1", "--full", "--json", "--url", url]).stdout)
    names = [one["name"] for one in shapes["what_if"]]
    assert names == ["-t 15:00", "-N 2", "-N 2 -t 15:00"]


def test_what_would_never_start_says_why(url):
    told = ran(whatif, url, "-N", "9")
    assert told.exit_code == NO_FORECAST
    assert told.stdout.startswith("It would not start: ")


def test_a_refusal_is_told(url):
    told = ran(whatif, url, "-p", "none")
    assert isinstance(told.exception, ServiceError)
    assert "no such partition: none" in str(told.exception)


def test_the_table_of_waits(url):
    told = ran(fit, url, "--max-nodes", "5")
    assert told.exit_code == DONE, told.output
    table, _, script = told.stdout.partition("\n\n")
    heading, *rows = table.splitlines()
    assert heading.split() == ["NODES", "30min", "1h", "2h", "4h", "8h", "12h", "1d"]
    assert [row.split()[0] for row in rows] == ["1", "2", "4", "5"]
    assert rows[0].split()[1] == "now"
    assert set(rows[3].split()[1:]) == {"-"}
    assert script.splitlines()[0] == "The largest of those that start soonest:"
    assert re.fullmatch(r"#SBATCH --nodes=\d\n#SBATCH --time=[0-9:-]+\n", script.partition("\n")[2])


def test_the_table_of_chances(url):
    told = ran(fit, url, "--max-nodes", "2", "--before", "2099-01-01")
    table = told.stdout.partition("\n\n")[0]
    cells = [cell for row in table.splitlines()[1:] for cell in row.split()[1:]]
    assert set(cells) <= {"95%", "."}
    assert "95%" in cells


def test_now_and_before_exclude_each_other(url):
    assert ran(fit, url, "--now", "--before", "18:00").exit_code == 2
