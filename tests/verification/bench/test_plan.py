"""The plan of a generated queue, judged by trying every end of a job on every node."""

from hypothesis import given, settings
from hypothesis import strategies as st

from verification.bench import plan
from verification.bench.generated import Generated, generate
from verification.bench.measure import NEVER


def obvious_starts(cluster: Generated) -> list[int]:
    """Give each job in turn the first end of another at which enough nodes stay free for it."""
    held = [[(0, end_s)] for end_s in cluster.free_at]
    starts = []
    for wish in cluster.queue:
        members = cluster.partitions[wish.partition]
        for at in sorted({0, *(end for spans in held for _, end in spans)}):
            free = [n for n in members if is_free(held[n], at, at + wish.limit_s)]
            if len(free) >= wish.nodes:
                starts.append(at)
                for node in free[: wish.nodes]:
                    held[node].append((at, at + wish.limit_s))
                break
        else:
            starts.append(NEVER)
    return starts


def is_free(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    return all(end <= begin or until <= start for begin, until in spans)


@settings(deadline=None)
@given(jobs=st.integers(1, 60), nodes=st.integers(1, 70), seed=st.integers(0, 100))
def test_a_plan_agrees_with_trying_everything(jobs, nodes, seed):
    cluster = generate(jobs, nodes, seed)
    assert list(plan.prepare(cluster)()) == obvious_starts(cluster)
