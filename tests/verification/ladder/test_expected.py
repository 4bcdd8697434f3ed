"""Run times as a service would have expected them, told from what had ended by then."""

from clusters import NOW, spec
from naive_recordings import recorded

from verification.ladder.expected import estimates

LIMIT_S = 3000
# submit, nodes, run, limit: one after the other on all nodes, the last one is there all the time
ROWS = (*((10 * k, 4, 300, LIMIT_S) for k in range(6)), (60, 4, 300, LIMIT_S))


def expected(minutes):
    history = recorded(ROWS, 4, "fcfs", 60)
    snapshot = history.snapshots[minutes]
    return snapshot, estimates(
        history, snapshot, {job.spec.id: job.spec for job in snapshot.pending}
    )


def test_before_anybody_ended_a_guess_below_the_limit_is_left():
    _, known = expected(1)
    assert known.run_s["7"] not in (300, LIMIT_S)
    assert 0 < known.run_s["7"] < LIMIT_S


def test_those_who_ended_tell_how_long_the_next_run():
    _, known = expected(26)
    assert known.run_s == {"7": 300}


def test_who_runs_ends_later_than_now():
    snapshot, known = expected(26)
    assert known.ends_at.keys() == {job.spec.id for job in snapshot.running}
    assert all(at > snapshot.taken_at for at in known.ends_at.values())


def test_nobody_is_asked_whom_the_snapshot_does_not_know():
    history = recorded(ROWS, 4, "fcfs", 60)
    known = estimates(history, history.snapshots[26], {"new": spec("new", 4)})
    assert known.run_s.keys() == {"new"}
    assert history.snapshots[26].taken_at == NOW + 26 * 60
