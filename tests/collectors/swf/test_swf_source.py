"""A trace played as a live cluster: who waits, runs and is over at each of its seconds."""

import gc
import gzip
import json
import tracemalloc
from dataclasses import dataclass

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from collectors.cli import collect
from collectors.swf.pool import Pool
from collectors.swf.source import from_settings
from predictor.cli.predict import predict
from predictor.domain import Fact, NodeState, Outcome, Untrusted
from predictor.errors import SiteError, SourceError
from predictor.lml import read, write

NOON = 1_795_180_000
HEADER = "; Computer: made up\n; MaxNodes: 4\n; MaxProcs: 16\n; UnixStartTime: 1000\n"


def line(number, submit, wait, run, procs, *, limit=3600, status=1, user=1, queue=0):
    fields = [number, submit, wait, run, procs, -1, -1, procs, limit, -1, status]
    return " ".join(map(str, [*fields, user, 2, 3, queue, -1, -1, -1]))


# second   0    100   200   300   400
# 1        [--- runs ----]
# 2         ....waits....[-- runs --]
# 3              ..gives up
TRACE = "\n".join(
    [
        line(1, 0, 0, 200, 12),
        line(2, 20, 180, 150, 8, user=5, queue=1),
        line(3, 100, 150, -1, 16, status=5),
        line(4, 400, 10, 5000, 4, limit=4000, status=0),
    ]
)


@dataclass
class Clock:
    at: float = 0

    def now(self):
        return NOON + self.at

    def monotonic(self):
        return self.at

    def sleep(self, seconds):
        self.at += seconds


@pytest.fixture
def play(tmp_path):
    """Return a player of a trace and its clock."""

    def play(text=HEADER + TRACE, **settings):
        file = tmp_path / "made-up.swf"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        clock = Clock()
        return from_settings({"path": str(file), **settings}, clock=clock), clock

    return play


def at(player, clock, second):
    clock.at = second
    return player.observe().snapshot


def ids(jobs):
    return [job.spec.id for job in jobs]


def test_who_waits_runs_and_is_over(play):
    player, clock = play()
    told = {second: at(player, clock, second) for second in (0, 60, 120, 230, 300, 360)}
    assert {second: ids(seen.running) for second, seen in told.items()} == {
        0: ["1"],
        60: ["1"],
        120: ["1"],
        230: ["2"],
        300: ["2"],
        360: [],
    }
    assert {second: ids(seen.pending) for second, seen in told.items()} == {
        0: [],
        60: ["2"],
        120: ["2", "3"],
        230: ["3"],
        300: [],
        360: [],
    }
    assert ids(told[360].finished) == ["1", "3", "2"]


def test_instants_are_those_of_now(play):
    player, clock = play()
    seen = at(player, clock, 60)
    (waits,), (runs,) = seen.pending, seen.running
    assert (seen.taken_at, waits.spec.submitted_at) == (NOON + 60, NOON + 20)
    assert (runs.started_at, runs.ends_by) == (NOON, NOON + 3600)


def test_what_is_told_of_a_job(play):
    player, clock = play()
    (waits,) = at(player, clock, 60).pending
    spec = waits.spec
    assert (spec.user, spec.account, spec.name) == ("u5", "g2", Untrusted("x3"))
    assert (spec.partitions, spec.request.nodes, spec.request.cpus) == (("q1",), 2, 8)
    assert waits.spec.request.limit_s == 3600


def test_how_jobs_ended(play):
    player, clock = play()
    finished = {job.spec.id: job for job in at(player, clock, 360).finished}
    assert finished["2"].outcome is Outcome.COMPLETED
    assert (finished["3"].outcome, finished["3"].started_at) == (Outcome.CANCELLED, None)
    late = {job.spec.id: job for job in at(player, clock, 5500).finished}
    assert late["4"].outcome is Outcome.TIMEOUT


def test_the_machine_is_that_of_the_header_and_holds_what_runs(play):
    player, clock = play()
    seen = at(player, clock, 0)
    assert [(node.name, node.cpus) for node in seen.nodes] == [(f"n{n}", 4) for n in range(1, 5)]
    assert [node.state for node in seen.nodes].count(NodeState.ALLOCATED) == 3
    assert sum(share.cpus for share in seen.running[0].allocation) == 12


def test_queues_and_what_a_trace_does_not_tell(play):
    player, clock = play()
    seen = at(player, clock, 60)
    assert [partition.name for partition in seen.partitions] == ["q1", "q0"]
    assert {hidden.fact for hidden in seen.provenance.hidden} >= {Fact.PRIORITIES, Fact.QOS}
    assert read(write(seen)).snapshot == seen


def test_it_can_go_faster_and_begin_later(play):
    player, clock = play(speed=10, skip_s=100)
    seen = at(player, clock, 13)  # second 230 of the trace
    assert (ids(seen.running), ids(seen.pending)) == (["2"], ["3"])
    assert seen.running[0].started_at == NOON + 13 - 30


def test_who_came_and_went_between_two_looks_is_told_of(play):
    player, clock = play(HEADER + line(1, 500, 0, 10, 1) + "\n" + line(2, 9000, 0, 10, 1))
    at(player, clock, 0)
    assert ids(at(player, clock, 3000).finished) == ["1"]
    assert ids(at(player, clock, 3060).finished) == []


def test_it_ends(play):
    player, clock = play()
    assert ids(at(player, clock, 5000).running) == ["4"]
    assert ids(at(player, clock, 9000).finished) == ["4"]
    with pytest.raises(SourceError, match="the trace made-up is over"):
        at(player, clock, 9400)


def test_a_trace_that_tells_no_waits_is_not_just_over(play):
    player, clock = play(HEADER + "\n".join(line(n, 10 * n, -1, 60, 4) for n in range(1, 4)))
    cause = "of its lines 3 were left out: line 5: its submission, its wait or its size"
    with pytest.raises(SourceError, match=cause):
        at(player, clock, 0)


def test_lines_that_make_no_sense_are_left_out_and_counted(play):
    bad = "\n".join(
        [
            "1 2 3",
            line(7, 0, -1, 10, 1),
            line(8, 0, 0, 10, 17),
            line(9, 0, 0, 10, 0),
            line(1, 0, 0, 900, 1),
        ]
    )
    parts = line(1, 0, 0, 50, 12, status=2)
    player, clock = play(f"{HEADER}{line(1, 0, 0, 200, 12)}\n{bad}\n{parts}\n")
    seen = at(player, clock, 10)
    assert ids(seen.running) == ["1"]
    (note,) = seen.provenance.quarantined
    assert (note.count, note.example) == (5, "line 6: 18 fields expected, 3 found")


def test_more_than_there_is_room_for_share_what_is_left(play):
    player, clock = play(f"{HEADER}{line(1, 0, 0, 200, 12)}\n{line(2, 0, 0, 200, 12)}\n")
    seen = at(player, clock, 10)
    assert [sum(s.cpus for s in job.allocation) for job in seen.running] == [12, 4]


def test_a_trace_may_be_compressed(play):
    player, clock = play(gzip.compress((HEADER + TRACE).encode()))
    assert ids(at(player, clock, 60).running) == ["1"]


def test_a_trace_that_breaks_off_is_an_error_of_the_source(play):
    whole = gzip.compress((HEADER + TRACE).encode() * 2000)
    player, clock = play(whole[:-2000])
    with pytest.raises(SourceError, match=r"made-up\.swf"):
        at(player, clock, 10**9)


@pytest.mark.parametrize(
    ("settings", "cause"),
    [
        ({}, "path: expected a trace"),
        ({"path": "nowhere.swf"}, "nowhere.swf: No such file"),
        ({"path": "x", "rate": 3}, "unknown key rate"),
        ({"path": "x", "speed": 0}, "speed: expected a number above 0"),
        ({"path": "x", "speed": 9e9}, "speed: expected at most 3600"),
        ({"path": "x", "procs": 8, "skip_s": -1}, "skip_s: expected seconds from 0 on"),
        ({"path": "x", "procs": "many"}, "procs: expected a whole number"),
        ({"path": "x"}, "procs: needed"),
        ({"path": "x", "procs": 1_000_000}, "cpus_per_node: more than"),
    ],
)
def test_wrong_settings(tmp_path, monkeypatch, settings, cause):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").write_text(TRACE)
    with pytest.raises(SiteError, match=cause):
        from_settings(settings)


def test_memory_does_not_grow_with_the_trace(play):
    rows = (line(n, 10 * n, 5, 100, 1, queue=n) for n in range(1, 20_001))
    player, clock = play(HEADER + "\n".join(rows))
    tracemalloc.start()
    used = []
    for second in range(0, 200_000, 5000):
        seen = at(player, clock, second)
        gc.collect()  # what waits for the collector is not kept
        used.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert len(seen.finished) == 500
    assert len(seen.partitions) == 1001
    assert max(used[25:]) - max(used[10:25]) < 2**17


def test_from_a_trace_to_starts(play, tmp_path):
    """`queuecast collect --source swf`, then `queuecast predict`."""
    play()
    document = tmp_path / "now.lml"
    given = ["--source", "swf", "--path", str(tmp_path / "made-up.swf"), "--set", "skip_s=120"]
    result = CliRunner().invoke(collect, [*given, "-o", str(document)])
    assert result.exit_code == 0, result.output
    told = json.loads(CliRunner().invoke(predict, [str(document), "--json"]).stdout)["jobs"]
    taken_at = read(document.read_bytes()).snapshot.taken_at
    # Both must wait for 1, which may run for an hour and has run for two minutes.
    assert {job["job_id"]: job["likely_start_epoch"] - taken_at for job in told} == {
        "2": 3480,
        "3": 3480 + 3600,
    }


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 20)), max_size=40))
def test_a_pool_never_gives_what_it_has_not(steps):
    pool, held = Pool(18, 4), {}
    for number, (takes, cpus) in enumerate(steps):
        if takes or not held:
            pool.take(number, cpus)
            held[number] = {share.node: share.cpus for share in pool.shares(number)}
            assert sum(held[number].values()) <= cpus
        else:
            gone = next(iter(held))
            assert set(pool.release(gone)) == held.pop(gone).keys()
        used = {node.name: node.cpus_allocated for node in pool.nodes()}
        for name, number_used in used.items():
            assert number_used == sum(shares.get(name, 0) for shares in held.values())
        assert all(node.cpus_allocated <= node.cpus for node in pool.nodes())
        assert sum(node.cpus for node in pool.nodes()) == 18
