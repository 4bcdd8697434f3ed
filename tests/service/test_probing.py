"""What new jobs would wait: whose turn it is, what is supposed, and for how long it is told."""

from dataclasses import replace

from clusters import HOUR, MINUTE, NOW, cluster, nodes, partition, running, waiting
from services import StandingClock, board, outlook, result

from predictor.domain import Abstention, Unpredictable
from predictor.service.probes import Probe
from predictor.service.probing import KEPT_S, Probing, Turn, probe
from predictor.service.whatif.asking import Supposing
from predictor.service.worker import WorkerFailed
from predictor.site import Site
from predictor.suppositions import Supposed


class Aside:
    """Answers all, or the first so many; None: people ask."""

    def __init__(self, answered=100):
        self.answered = answered
        self.asked = []

    def aside(self, current, supposed, draws, budget_s):
        if self.answered is None:
            return None
        self.asked.append([one.job.spec for one in supposed])
        told = Supposed(outlook=outlook(current.snapshot_at + HOUR))
        return {
            one.job.spec.id: told if place < self.answered else Supposed()
            for place, one in enumerate(supposed)
        }


def parts(count, **rules):
    members = nodes(40)
    named = tuple(partition(f"p{n}", members, **rules) for n in range(count))
    return result(cluster(40, waiting("1", of_job={"partitions": ("p0",)}), partitions=named))


def test_each_partition_has_its_turn_as_many_at_a_time_as_the_time_suffices_for():
    on, aside = board(parts(10)), Aside()
    probing = Probing(on, aside, StandingClock())
    probing.look()
    assert {kind[0] for kind in on.probes} == {"p0", "p1", "p2", "p3"}
    probing.look()
    assert {kind[0] for kind in on.probes} == {f"p{n}" for n in range(10)}
    assert on.probes["p9", "small"] == Probe(at=NOW, half_s=HOUR, most_s=2 * HOUR)


def test_where_the_time_does_not_suffice_fewer_are_asked_for_at_once():
    on, aside = board(parts(10)), Aside(answered=5)
    probing = Probing(on, aside, StandingClock())
    probing.look()
    assert len(on.probes) == 5
    probing.look()
    first, second = ({spec.partitions[0] for spec in specs} for specs in aside.asked)
    assert (len(first), sorted(second)) == (4, ["p2", "p3"])


def test_a_turn_goes_round():
    turn, seen = Turn(), []
    for _ in range(8):
        taken = turn.next(list("abcde"))
        seen += taken
        turn.done(len(taken), whole=True)
    assert set(seen) == set("abcde")
    assert Turn().next([]) == []


def test_they_ask_for_whole_nodes_and_not_for_more_than_the_partition_allows():
    on, aside = board(parts(1, max_nodes=8, max_time_s=2 * HOUR)), Aside()
    Probing(on, aside, StandingClock()).look()
    asked = {(spec.request.nodes, spec.request.limit_s) for spec in aside.asked[0]}
    assert asked == {(1, HOUR), (4, 2 * HOUR)}
    assert {spec.request.sharing.value for spec in aside.asked[0]} == {"exclusive"}
    assert {kind[1] for kind in on.probes} == {"small", "medium"}


def test_what_is_old_or_of_a_partition_that_is_gone_is_told_no_more():
    on = board(parts(1))
    old = Probe(at=NOW - KEPT_S - 1, half_s=1, most_s=1)
    on.probes = {
        ("p0", "small"): old,
        ("p7", "small"): replace(old, at=NOW),
        ("p0", "medium"): replace(old, at=NOW - 60),
    }
    Probing(on, Aside(answered=0), StandingClock()).look()
    assert on.probes == {}
    on.probes = {("p0", "odd"): replace(old, at=NOW - 60), ("p0", "older"): old}
    Probing(on, Aside(), StandingClock()).look()
    assert ("p0", "odd") in on.probes
    assert ("p0", "older") not in on.probes


def test_people_come_first_and_the_stale_is_left_alone():
    on = board(parts(1))
    Probing(on, Aside(answered=None), StandingClock()).look()
    assert on.probes == {}
    aside = Aside()
    Probing(on, aside, StandingClock(at=NOW + HOUR)).look()
    assert aside.asked == []
    Probing(board(), aside, StandingClock()).look()


def test_a_process_that_fails_is_a_line_in_the_log(caplog):
    class Failing(Aside):
        def aside(self, *_):
            raise WorkerFailed("died", "the worker process ended")

    Probing(board(parts(1)), Failing(), StandingClock()).look()
    assert "probes failed" in caplog.text


def test_what_would_never_start_has_no_wait():
    never = Abstention(job_id="?1", cause=Unpredictable.NEVER_FITS, detail="too large")
    assert probe(Supposed(refusal=never), NOW) is None
    assert probe(Supposed(), NOW) is None
    unclear = replace(outlook(NOW + HOUR), quantiles=((0.5, NOW + HOUR),))
    assert probe(Supposed(outlook=unclear), NOW) is None


def test_the_real_process_answers_them(tmp_path):
    """All nodes are taken for half an hour: no new job starts before."""
    terms = {"run_times": "limit", "arrivals": False, "corrected": False, "draws": 3}
    site = Site.model_validate({"forecast": terms, "recording": {"path": str(tmp_path / "r")}})
    busy = result(cluster(4, running("10", "n1 n2 n3 n4", 30)))
    on, supposing = board(busy), Supposing(site, StandingClock())
    try:
        Probing(on, supposing, StandingClock()).look()
    finally:
        supposing.stop()
    assert set(on.probes) == {("batch", "small"), ("batch", "large"), ("batch", "long")}
    assert all(25 * MINUTE <= one.half_s <= 40 * MINUTE for one in on.probes.values())
