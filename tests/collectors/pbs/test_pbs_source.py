"""PBS's commands run for real: here they are scripts that print what a small PBS would."""

import json
import os
import stat
from dataclasses import dataclass

import pytest
from click.testing import CliRunner
from entry_points import HOUSE
from recordings import HandClock
from small_pbs import HEAD, JOBS, NODES, NOW, answers_of, at, job, printed, running

from collectors.cli import collect
from collectors.commands import Printed
from collectors.pbs import questions
from collectors.pbs.source import PbsSource, from_settings
from predictor.cli.predict import predict
from predictor.domain import Fact, Outcome
from predictor.domain.source import Accounting
from predictor.errors import SiteError, SourceError, SourceFormatError, SourceTimeout
from predictor.lml import read

SCRIPT = """echo "$0 $*" >> {folder}/asked
case "$*" in
{cases}
esac
"""
CASES = {
    "qstat": {
        "-t -f -F json": "qstat",
        "-Q -f -F json": "qstat_queues",
        "-B -f -F json": "qstat_server",
    },
    "pbsnodes": {"-a -F json": "pbsnodes"},
    "pbs_rstat": {"-F": "pbs_rstat"},
    "qmgr": {"-c list sched": "qmgr"},
}


@dataclass(frozen=True)
class Commands:
    """PBS's commands in a folder on the PATH."""

    folder: object

    def say(self, **texts):
        for name, text in texts.items():
            (self.folder / f"{name}.out").write_text(text)

    def instead(self, command, script):
        path = self.folder / command
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def asked(self):
        lines = (self.folder / "asked").read_text().splitlines()
        return [line.removeprefix(f"{self.folder}/") for line in lines]


@pytest.fixture
def pbs(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    commands = Commands(folder)
    for command, cases in CASES.items():
        lines = [f'"{words}") cat {folder}/{name}.out ;;' for words, name in cases.items()]
        commands.instead(command, SCRIPT.format(folder=folder, cases="\n".join(lines)))
    commands.say(**answers_of())
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return commands


def test_one_look(pbs):
    seen = from_settings({}).observe()
    assert (len(seen.snapshot.pending), len(seen.snapshot.running)) == (11, 2)
    assert [(call.name, call.ok) for call in seen.calls] == [
        ("qstat", True),
        ("pbsnodes", True),
        ("pbs_rstat", True),
        ("qstat_queues", True),
        ("qstat_server", True),
        ("qmgr", True),
    ]


def test_the_next_look_asks_only_what_changes(pbs):
    source = from_settings({})
    first = source.observe()
    second = source.observe()
    assert pbs.asked()[6:] == ["qstat -t -f -F json", "pbsnodes -a -F json", "pbs_rstat -F"]
    assert second.snapshot == first.snapshot


def test_the_commands_are_asked_for_utc(pbs):
    pbs.instead("pbs_rstat", 'echo "Resv ID: $TZ"')
    seen = from_settings({}).observe().snapshot
    (why,) = [h.why for h in seen.provenance.hidden if h.fact is Fact.RESERVATIONS]
    assert "reservation 'UTC': its start" in why


def test_the_schedulers_file_is_read_where_it_is_told(pbs, tmp_path):
    file = tmp_path / "sched_config"
    file.write_text("strict_ordering: True ALL\nby_queue: False ALL\n")
    seen = from_settings({"sched_config": str(file)}).observe().snapshot
    assert dict(seen.settings.parameters)["strict_ordering"] == "True"


def ended(minutes, **more):
    since = minutes - 10
    return running("1", "(h1:ncpus=1)", since=since, state="F", obittime=at(minutes), **more)


LEFT = {id_: told for id_, told in JOBS.items() if not id_.startswith(("101", "103", "105"))}
PAST = {
    "1.pbs": ended(-600, Exit_status=0),
    "2.pbs": ended(-100, Exit_status=1),
    "3.pbs": ended(-50, Exit_status=0),
}


class TestWhoIsGone:
    """A job that is over is shown no more, but the server can be asked for it by name."""

    def look(self, pbs, answer):
        source = from_settings({})
        source.observe()
        pbs.say(qstat=printed("Jobs", LEFT))
        pbs.instead("qstat", f'echo "qstat $*" >> {pbs.folder}/asked\ncase "$*" in {answer} esac')
        return source, source.observe()

    def answers(self, pbs, gone):
        (pbs.folder / "gone.out").write_text(gone)
        plain = f'"-t -f -F json") cat {pbs.folder}/qstat.out ;;'
        return f"{plain}\n*) cat {pbs.folder}/gone.out; echo '105: Unknown Job Id' >&2; exit 153 ;;"

    def test_it_is_asked_how_they_ended(self, pbs):
        told = {
            "101.heron-pbs": ended(-1, Exit_status=0),
            "103.heron-pbs": job("F", "1", mtime=at(-1)),
        }
        source, seen = self.look(pbs, self.answers(pbs, printed("Jobs", told)))
        assert pbs.asked()[-1] == "qstat -x -f -F json 101.heron-pbs 103.heron-pbs 105.heron-pbs"
        assert {job.spec.id: job.outcome for job in seen.snapshot.finished} == {
            "101": Outcome.COMPLETED,
            "103": Outcome.CANCELLED,
        }
        assert seen.calls[-1].name == "qstat_gone"
        assert source.observe().snapshot.finished == ()

    def test_where_the_server_remembers_nobody(self, pbs):
        _, seen = self.look(pbs, self.answers(pbs, json.dumps(HEAD)))
        assert seen.snapshot.finished == ()
        assert not seen.calls[-1].ok

    def test_garbage_about_them(self, pbs):
        _, seen = self.look(pbs, self.answers(pbs, '"Jobs" <html>'))
        assert seen.snapshot.finished == ()
        assert len(seen.snapshot.running) == 1

    def test_nobody_is_asked_for_where_the_past_is_nobodys_business(self, pbs):
        source = from_settings({"past_s": 0})
        source.observe()
        pbs.say(qstat=printed("Jobs", LEFT))
        assert [call.name for call in source.observe().calls] == ["qstat", "pbsnodes", "pbs_rstat"]


class TestThePast:
    """The server's history comes as a whole: it is asked for once, and told slice by slice."""

    def source(self, answer):
        calls = []

        def past(argv, _timeout_s):
            calls.append(argv)
            if isinstance(answer, Exception):
                raise answer
            return Printed(output=answer, size_bytes=len(answer))

        clock = HandClock(NOW)
        source = PbsSource(said, clock, account="ops", past=past, past_s=86_400)
        assert isinstance(source, Accounting)
        return source, clock, calls

    def test_slices(self):
        source, clock, calls = self.source(printed("Jobs", JOBS | PAST))
        found = []
        for since, until in ((-700, -300), (-300, -60), (-60, 0)):
            told = source.ended(NOW + 60 * since, NOW + 60 * until, found.append)
            assert told.error is None
        assert [[job.spec.id for job in jobs] for jobs in found] == [["1"], ["2"], ["3"]]
        assert len(calls) == 1
        clock.sleep(300)
        early = source.ended(NOW, NOW + 200, found.append)
        assert "asked within 600 s" in str(early.error)
        assert len(calls) == 1
        clock.sleep(301)
        source.ended(NOW, NOW + 600, found.append)
        assert len(calls) == 2

    @pytest.mark.parametrize("answer", [SourceTimeout("no answer within 20 s"), "garbage"])
    def test_a_history_that_cannot_be_had(self, answer):
        source, _, _ = self.source(answer)
        told = source.ended(NOW - 60, NOW, lambda jobs: None)
        assert isinstance(told.error, SourceError)
        assert [call.ok for call in told.calls] == [False]


def said(argv, _timeout_s):
    name = next(q.name for q in questions.asked(None) if q.argv == tuple(argv))
    return Printed(output=answers_of()[name])


class TestFaults:
    def test_no_such_command(self, pbs, monkeypatch):
        (pbs.folder / "qstat").unlink()
        monkeypatch.setenv("PATH", str(pbs.folder))
        with pytest.raises(SourceError, match="qstat: no such command"):
            from_settings({}).observe()

    def test_a_server_that_cannot_be_reached(self, pbs):
        empty = json.dumps(HEAD)
        pbs.instead(
            "qstat", f"echo '{empty}'; echo 'qstat: cannot connect to server heron' >&2; exit 255"
        )
        with pytest.raises(SourceError, match="cannot connect to server heron"):
            from_settings({}).observe()

    def test_a_command_that_hangs(self, pbs):
        pbs.instead("pbsnodes", "sleep 60")
        with pytest.raises(SourceTimeout, match="pbsnodes"):
            from_settings({"timeout_s": 0.3}).observe()

    @pytest.mark.parametrize("name", ["qstat", "pbsnodes"])
    def test_garbage_where_it_counts(self, pbs, name):
        pbs.say(**{name: "\x00\x01 <html>502</html>"})
        with pytest.raises(SourceFormatError, match=name):
            from_settings({}).observe()

    @pytest.mark.parametrize("name", ["qstat_queues", "qstat_server", "qmgr", "pbs_rstat"])
    def test_garbage_elsewhere_is_a_fact_less(self, pbs, name):
        pbs.say(**{name: "\x00\x01 <html>502</html>"})
        seen = from_settings({}).observe().snapshot
        assert len(seen.running) == 2
        assert len({hidden.fact for hidden in seen.provenance.hidden}) >= 6

    def test_an_empty_queue_is_an_empty_queue(self, pbs):
        pbs.say(qstat=json.dumps(HEAD))
        seen = from_settings({}).observe().snapshot
        assert (seen.pending, seen.running, len(seen.nodes)) == ((), (), 4)

    def test_it_does_not_ask_further_once_the_queue_cannot_be_had(self, pbs):
        pbs.instead("qstat", f'echo "qstat $*" >> {pbs.folder}/asked; exit 1')
        with pytest.raises(SourceError):
            from_settings({}).observe()
        assert pbs.asked() == ["qstat -t -f -F json"]


@pytest.mark.parametrize(
    ("settings", "cause"),
    [
        ({"path": "x"}, "unknown key path"),
        ({"timeout_s": 0}, "timeout_s: expected seconds above 0"),
        ({"past_s": "1d"}, "past_s: expected seconds from 0 on"),
        ({"sched_config": 3}, "sched_config: expected a path"),
    ],
)
def test_wrong_settings(settings, cause):
    with pytest.raises(SiteError, match=cause):
        from_settings(settings)


def test_from_the_commands_to_starts(pbs, tmp_path):
    """`queuecast collect`, then `queuecast predict` with the site file that we ship for it."""
    document = tmp_path / "now.lml"
    result = CliRunner().invoke(collect, ["--source", "pbs-cli", "-o", str(document)])
    assert result.exit_code == 0, result.output
    site = HOUSE / "config" / "sites" / "openpbs-strict-like.toml"
    result = CliRunner().invoke(predict, [str(document), "--site", str(site), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)["jobs"]
    starts = {job["job_id"]: job["likely_start_epoch"] for job in told}
    minutes = {id_: None if s is None else (s - NOW) / 60 for id_, s in starts.items()}
    # By the formula those with more CPUs go first; h3 has 28 of its 32 to give.
    assert minutes["108+0"] == minutes["108+1"] == 0
    # Nobody plans for 111 before its reservation begins: 103 is the second top job.
    assert minutes["103"] == 30  # beside those 24, once four are back
    assert minutes["102"] == 90  # once those two hosts are left
    assert minutes["106"] == 150  # an hour after that, which it waits for
    assert minutes["107"] == 90  # not before its time
    assert minutes["111"] == 180  # when its reservation begins
    assert minutes["105"] is None
    assert len(read(document.read_bytes()).snapshot.nodes) == len(
        {n.partition("[")[0] for n in NODES}
    )
