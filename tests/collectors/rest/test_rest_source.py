"""Whole looks by slurmrestd: what it tells alone, and what commands add."""

import pytest
from rest_server import reply

from collectors.commands import Printed
from collectors.doctor import examine, sheet
from collectors.slurm.rest import plan
from collectors.slurm.rest.source import WITHOUT_COMMANDS, with_commands
from collectors.slurm.source import SlurmSource
from predictor.clock import SystemClock
from predictor.domain import Fact
from predictor.errors import SourceError

COMMANDS = {
    "scontrol show config": "config",
    "scontrol -o show partition": "partitions",
    "scontrol -o show nodes": "nodes",
    "sshare -a -l -P": "sshare",
}
ALONE = {
    "22.05": ["settings", "priorities", "usage", "fairshare", "jobs", "nodes", "qos", "partitions"],
    "24.11": ["settings", "priorities", "usage", "partitions"],
    "26.05": ["topology", "priorities", "usage"],
}
"""What stays hidden, at least in part, where no command may be run."""


@pytest.fixture
def looking(client_of, printed):
    """Return a source that asks a server, and commands that printed what was recorded."""

    def looking(server, release="26.05", commands=False):
        client = client_of(server)
        asked = []

        def run(argv, timeout_s):
            asked.append(" ".join(argv))
            if asked[-1] not in COMMANDS:
                raise SourceError(f"{argv[0]}: not installed")
            return Printed(output=printed(release, COMMANDS[asked[-1]]))

        source = SlurmSource(
            with_commands(client.run, run) if commands else client.run,
            SystemClock(),
            account="alice",
            kind="slurm-rest",
            plan=plan.with_commands if commands else plan.alone,
            unasked={} if commands else WITHOUT_COMMANDS,
        )
        return source, asked

    return looking


@pytest.mark.parametrize("release", ALONE)
def test_alone_it_says_what_it_cannot_see(serving, slurmrestd, told, looking, release):
    with serving(slurmrestd(told(release))) as server:
        source, asked = looking(server, release)
        seen = source.observe().snapshot
    assert asked == []
    assert [hidden.fact.value for hidden in seen.provenance.hidden] == ALONE[release]
    assert seen.provenance.quarantined == ()
    assert seen.provenance.version.startswith(release)
    assert seen.provenance.source == "slurm-rest"
    assert seen.cluster == "lab"
    assert len(seen.nodes) == 6 and len(seen.partitions) == 4 and len(seen.reservations) == 3
    assert len(seen.pending) >= 8 and len(seen.qos) == 4 and len(seen.associations) == 8
    assert len(seen.licenses) == 2
    assert abs(seen.taken_at - 1795206000) < 300, "by the controller's clock"


def test_commands_complete_what_it_leaves_out(serving, slurmrestd, told, looking):
    with serving(slurmrestd(told("22.05"))) as server:
        source, asked = looking(server, "22.05", commands=True)
        seen = source.observe().snapshot
    assert asked == [
        "scontrol show config",
        "sshare -a -l -P",
        "scontrol -o show partition",
        "sacctmgr -P show qos",
        "squeue -aht PD -O JobID:|,SchedNodes:|",
        "scontrol -o show nodes",
        "sprio -l",
        "scontrol -o show assoc_mgr",
        "scontrol show topology",
        "squeue -aht PD -O JobID:20,ReqSwitch:12,Wait4Switch:20",
    ]
    # Of these a command tells all; only where it fails slurmrestd is asked for what it knows.
    assert not any(path.endswith("/partitions") for path in server.paths)
    assert any(path.endswith("/qos") for path in server.paths) and len(seen.qos) == 4
    facts = {hidden.fact for hidden in seen.provenance.hidden}
    assert facts == {Fact.PRIORITIES, Fact.USAGE, Fact.TOPOLOGY, Fact.JOBS, Fact.QOS}
    assert [one.name for one in seen.partitions if one.is_default] == ["batch"]
    assert seen.settings.passes is not None
    assert any(one.fairshare and one.fairshare.level for one in seen.associations)


def test_a_version_that_leaves_out_who_shares_nodes_says_so(serving, slurmrestd, told, looking):
    answers = {path: text for path, text in told("26.05").items() if "v0.0.45" in path}
    with serving(slurmrestd(answers)) as server:
        source, _ = looking(server)
        whys = [hidden.why for hidden in source.observe().snapshot.provenance.hidden]
    assert "GET /slurm/v0.0.45/jobs does not tell which jobs share their nodes" in whys


def test_of_the_newest_release_only_two_or_three_commands_are_needed(
    serving, slurmrestd, told, looking
):
    with serving(slurmrestd(told("26.05"))) as server:
        source, asked = looking(server, commands=True)
        source.observe()
    assert asked == ["sprio -l", "scontrol -o show assoc_mgr", "scontrol show topology"]


def test_a_command_takes_the_place_of_an_answer_that_fails(serving, slurmrestd, told, looking):
    answers = told("26.05")
    answers["/slurm/v0.0.45/shares"] = reply('{"errors": [{"error": "no"}]}', status=500)
    with serving(slurmrestd(answers)) as server:
        source, asked = looking(server, commands=True)
        observed = source.observe()
    assert "sshare -a -l -P" in asked
    assert [call.name for call in observed.calls if not call.ok][:1] == ["rest_shares"]
    assert Fact.FAIRSHARE not in {hidden.fact for hidden in observed.snapshot.provenance.hidden}


def test_later_looks_are_a_handful_of_small_questions(serving, slurmrestd, told, looking):
    answers = told("26.05")
    usual = slurmrestd(answers)
    with serving(usual) as server:
        source, _ = looking(server)
        first = source.observe()
        server.requests.clear()
        server.script = lambda path: reply(b"", status=304) if "?" in path else usual(path)
        later = source.observe()
        assert [path.partition("?")[0].rpartition("/")[2] for path in server.paths] == [
            "jobs", "nodes", "reservations", "shares", "diag", "partitions",
        ]  # fmt: skip
    assert later.snapshot.pending == first.snapshot.pending
    assert later.snapshot.nodes == first.snapshot.nodes
    cost = {call.name: call.size_bytes for call in later.calls}
    assert cost["rest_jobs"] == cost["rest_nodes"] == 0 and cost["rest_diag"] > 100


def test_what_is_missing_is_still_said_when_it_is_not_asked_again(
    serving, slurmrestd, told, looking
):
    answers = {p: text for p, text in told("26.05").items() if "qos" not in p}
    answers["/slurmdb/v0.0.45/qos"] = reply("", status=502)
    with serving(slurmrestd(answers)) as server:
        source, _ = looking(server)
        whys = [
            next(h.why for h in source.observe().snapshot.provenance.hidden if h.fact is Fact.QOS)
            for _ in range(2)
        ]
    assert whys[0] == whys[1]
    assert "the controller cannot be reached (HTTP 502)" in whys[0]


def test_the_doctor_tells_as_whom_it_asked_and_what_stays_unknown(
    serving, slurmrestd, told, looking
):
    with serving(slurmrestd(told("24.11"))) as server:
        source, _ = looking(server, "24.11")
        lines = list(sheet(examine(source)))
    assert "account   alice" in lines
    assert "private   unknown, so that all is taken to be" in lines
    assert any("GET slurm/jobs" in line and line.startswith("ok") for line in lines)


def test_it_comes_back(serving, slurmrestd, told, looking):
    usual = slurmrestd(told("24.11"))
    with serving(usual) as server:
        source, _ = looking(server, "24.11")
        server.script = lambda path: b""
        for _ in range(2):
            with pytest.raises(SourceError):
                source.observe()
        server.script = usual
        assert source.observe().snapshot.pending


def test_garbage_among_good_answers_never_breaks_a_look(serving, slurmrestd, told, looking):
    answers = told("26.05")
    for path in answers:
        for garbage in ("[]", "{}", '{"errors": 3}', "\ufffd" * 50, '{"x": ' * 3000):
            with serving(slurmrestd(answers | {path: garbage})) as server:
                source, _ = looking(server)
                try:
                    seen = source.observe().snapshot
                except SourceError:
                    assert path.endswith(("jobs", "nodes"))
                else:
                    assert len(seen.nodes) == 6
