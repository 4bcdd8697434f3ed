"""Generated clusters as snapshots: the forecast knows what to make of them."""

from predictor.forecast import forecast
from predictor.site import default
from verification.bench.generated import generate
from verification.bench.snapshots import NOW, course, newcomers, snapshot

GENERATED = generate(60, 40)
SEEN = snapshot(GENERATED)


def test_the_queue_and_what_runs_are_those_generated():
    assert [job.spec.request.nodes for job in SEEN.pending] == [w.nodes for w in GENERATED.queue]
    ends = {share.node: job.ends_by - NOW for job in SEEN.running for share in job.allocation}
    names = [node.name for node in SEEN.nodes]
    assert tuple(ends.get(name, 0) for name in names) == GENERATED.free_at


def test_everybody_gets_an_answer_by_moving_priorities():
    made = forecast(SEEN, default(), course(SEEN, (), 1))
    assert len(made.predictions) == 60
    assert len({p.rank for p in made.predictions}) == 60


def test_the_same_seed_gives_the_same():
    come = newcomers(SEEN, 10, 1)
    assert come == newcomers(SEEN, 10, 1) != newcomers(SEEN, 10, 2)
    assert course(SEEN, come, 1) == course(SEEN, come, 1) != course(SEEN, come, 2)


def test_courses_end_after_now_and_within_limits():
    come = newcomers(SEEN, 10, 1)
    drawn = course(SEEN, come, 3)
    limits = {job.spec.id: job.spec.request.limit_s for job in (*SEEN.pending, *come)}
    assert all(0 < drawn.run_s[id_] <= limit for id_, limit in limits.items())
    assert all(at > NOW for at in drawn.ends_at.values())
    assert all(job.spec.submitted_at > NOW for job in come)
