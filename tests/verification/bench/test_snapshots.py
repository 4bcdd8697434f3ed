"""Generated clusters as snapshots: the forecast knows what to make of them."""

from predictor.forecast import forecast
from predictor.site import default
from verification.bench.generated import generate
from verification.bench.snapshots import NOW, ended, snapshot

GENERATED = generate(60, 40)
SEEN = snapshot(GENERATED)


def test_the_queue_and_what_runs_are_those_generated():
    assert [job.spec.request.nodes for job in SEEN.pending] == [w.nodes for w in GENERATED.queue]
    ends = {share.node: job.ends_by - NOW for job in SEEN.running for share in job.allocation}
    names = [node.name for node in SEEN.nodes]
    assert tuple(ends.get(name, 0) for name in names) == GENERATED.free_at


def test_everybody_gets_an_answer():
    made = forecast(SEEN, default())
    assert len(made.predictions) == 60


def test_the_same_seed_gives_the_same():
    assert snapshot(GENERATED, 2) == snapshot(GENERATED, 2) != SEEN
    assert list(ended(SEEN, 9)) == list(ended(SEEN, 9)) != list(ended(SEEN, 9, 2))


def test_jobs_ended_before_now_and_within_their_limits():
    found = list(ended(SEEN, 50))
    assert len({one.spec.id for one in found}) == 50
    assert all(0 < one.run_s <= one.limit_s and one.ended_at < NOW for one in found)
