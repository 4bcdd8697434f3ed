"""The policy's numbers, judged by going through the minutes one by one."""

from clusters import MINUTE, NOW, cluster, running, waiting
from hypothesis import given
from hypothesis import strategies as st

from predictor.forecast import forecast
from predictor.site import Site

NODES = 4
jobs_of_three = st.lists(
    st.tuples(st.sampled_from(("ada", "bob", "cy")), st.integers(1, NODES), st.integers(1, 9)),
    min_size=1,
    max_size=9,
)
busy_nodes = st.lists(st.tuples(st.sampled_from(("ada", "bob")), st.integers(1, 9)), max_size=NODES)
a_bound = st.none() | st.integers(1, 3)
bounds = st.fixed_dictionaries(
    {
        "eligible_per_user": a_bound,
        "queued_per_user": a_bound,
        "pass_every_s": st.none() | st.integers(1, 5).map(lambda minutes: minutes * MINUTE),
        "filling": st.sampled_from(("first", "best")),
    }
)


def in_the_order_of_filling(queue, free, filling):
    """Yield who starts: in queue order up to the first blocked, then as the filling says."""
    blocked = next((i for i, job in enumerate(queue) if taken(queue[: i + 1]) > free), len(queue))
    behind = queue[blocked:]
    if filling == "best":
        behind = sorted(behind, key=lambda job: -job[1][1])
    for job in (*queue[:blocked], *behind):
        if job[1][1] <= free:
            free -= job[1][1]
            yield job


def taken(queue):
    return sum(nodes for _, (_, nodes, _) in queue)


def minute_by_minute(jobs, busy, eligible_per_user, queued_per_user, pass_every_s, filling):
    """Return when each job starts; whole nodes, and nothing reserved for anybody."""
    every = (pass_every_s or MINUTE) // MINUTE
    waits, starts = dict(enumerate(jobs)), {}
    runs = [(user, 1, end) for user, end in busy]
    minute = 0
    while waits:
        runs = [run for run in runs if run[2] > minute]
        mine = {user: sum(run[0] == user for run in runs) for user, _, _ in jobs}
        queue, seen = [], dict.fromkeys(mine, 0)
        for id_, job in waits.items():
            user = job[0]
            few = eligible_per_user is None or seen[user] < eligible_per_user
            if few and (queued_per_user is None or seen[user] + mine[user] < queued_per_user):
                seen[user] += 1
                queue.append((id_, job))
        free = NODES - sum(run[1] for run in runs)
        started = list(in_the_order_of_filling(queue, free, filling))
        for id_, (user, nodes, minutes) in started:
            starts[str(id_)] = minute
            runs.append((user, nodes, minute + minutes))
            del waits[id_]
        if pass_every_s or not started:
            minute += every
    return starts


@given(jobs=jobs_of_three, busy=busy_nodes, policy=bounds)
def test_passes_agree_with_going_through_the_minutes(jobs, busy, policy):
    pending = [
        waiting(str(i), nodes, minutes, of_job={"user": user, "submitted_at": NOW - 3600 + i})
        for i, (user, nodes, minutes) in enumerate(jobs)
    ]
    held = [
        running(f"r{i}", f"n{i}", left, user=user) for i, (user, left) in enumerate(busy, start=1)
    ]
    numbers = {key: value for key, value in policy.items() if value is not None}
    site = Site.model_validate({"policy": {"name": "list", **numbers}})
    made = forecast(cluster(NODES, *pending, *held), site)
    found = {p.job_id: (p.start_at - NOW) / MINUTE for p in made.predictions}
    assert found == minute_by_minute(jobs, busy, **policy)
