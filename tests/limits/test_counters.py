"""The counters, against a slow recount of the jobs that run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limited import DAY, NOW, PARENTS, Counting, job, site, used

from predictor.domain import QosFlag
from predictor.limits import Bound, Claim, Whose

HUGE = 10**12
NAMES = ("cpu", "mem", "node", "billing", "gres/gpu", "gres/gpu:a100", "license/matlab")
BUNDLE = tuple((name, HUGE) for name in NAMES)
EVERYTHING = {
    "group_jobs": HUGE,
    "group_wall_s": HUGE,
    "group_tres": BUNDLE,
    "group_tres_minutes": BUNDLE,
    "group_tres_run_minutes": BUNDLE,
    "max_jobs": HUGE,
    "max_jobs_per_account": HUGE,
    "max_tres": BUNDLE,
    "max_tres_per_account": BUNDLE,
    "usage": used(100, cpu=100),
}
HELD = (Bound.JOBS, Bound.TRES, Bound.RUN_MINUTES)
ACCOUNTS = ("optics", "physics", "root")
# What a QOS sets hides the same of associations, so that nobody would ask for theirs.
OF_QOS = site(
    qos={
        "normal": EVERYTHING,
        "lane": EVERYTHING | {"usage_factor": 2.5},
        "calm": EVERYTHING | {"flags": {QosFlag.NO_DECAY}},
    }
)
OF_ASSOCIATIONS = site(
    qos={"normal": {}, "lane": {"usage_factor": 2.5}},
    associations={(account, ""): EVERYTHING for account in ACCOUNTS}
    | {("optics", "ana"): EVERYTHING},
)
sites = st.sampled_from((OF_QOS, OF_ASSOCIATIONS))
FACTORS = {"lane": 2.5}
FEW = st.integers(0, 3)


@st.composite
def jobs(draw):
    """Jobs of known and unknown users, accounts, partitions and QOS, with their nodes."""
    nodes = draw(st.integers(1, 255))
    count = nodes.bit_count()
    return job(
        user=draw(st.sampled_from(("ana", "bob", ""))),
        account=draw(st.sampled_from((*ACCOUNTS, "chem", ""))),
        partition=draw(st.sampled_from(("batch", "fast", "gone"))),
        qos=draw(st.sampled_from(("normal", "lane", "calm", "gone", ""))),
        nodes=count,
        cpus=count * draw(FEW),
        memory_mb=count * draw(FEW),
        gres=(("gpu:a100", count * draw(FEW)), ("gpu:v100", count * draw(FEW))),
        licenses=(("matlab", draw(FEW)),),
        limit_s=draw(st.integers(10 * DAY, 11 * DAY)),
    ), nodes


@st.composite
def histories(draw):
    """What happened: (job, nodes, start, end or None), and when we look."""
    at, history = NOW, []
    for one, nodes in draw(st.lists(jobs(), max_size=12)):
        at += draw(st.integers(0, DAY // 4))
        history.append((one, nodes, at, draw(st.none() | st.integers(0, DAY).map(at.__add__))))
    return history, max([at, *(end for *_, end in history if end)])


# One of each sort, so that every group has somebody who asks for its rules.
ASKING = [
    job(user=user, account=account, qos=qos)
    for user in ("ana", "bob")
    for account in ACCOUNTS
    for qos in ("normal", "lane", "calm")
]


def played(told, history, *others):
    """Return the counters after the history, its starts and ends in the order of their times."""
    counting = Counting(told, [*(each[0] for each in history), *others, *ASKING])
    events = [(start, 1, i) for i, (_, _, start, _) in enumerate(history)]
    events += [(end, 2, i) for i, (_, _, _, end) in enumerate(history) if end is not None]
    for at, what, i in sorted(events):
        counting.start(i, history[i][1], at) if what == 1 else counting.end(i, at)
    return counting


def rules(counting, *bounds):
    """Return the rules of such bounds, by number."""
    return [(number, rule) for number, rule in enumerate(counting.rules) if rule.bound in bounds]


def members(history, scope):
    """Return the jobs of a group, whether or not they still run."""
    return [each for each in history if belongs(each[0], scope)]


def belongs(one, scope):
    in_qos = scope.name in (one.qos, "lane" if one.partition == "fast" else None)
    match scope.whose:
        case Whose.QOS:
            return in_qos
        case Whose.USER_OF_QOS:
            return in_qos and one.user == scope.member
        case Whose.ACCOUNT_OF_QOS:
            return in_qos and one.account == scope.member
        case Whose.USER_OF_ACCOUNT:
            return (one.account, one.user) == (scope.name, scope.member)
    above = one.account
    while above and above != scope.name:
        above = PARENTS.get(above, "")
    return above == scope.name and above in ACCOUNTS


def taken(one, name):
    kind, _, which = name.partition("/")
    if kind == "gres":
        return sum(n for name_, n in one.gres if which in (name_, name_.split(":")[0]))
    if kind == "license":
        return sum(n for _, n in one.licenses)
    # Where nothing is weighed, CPUs are billed.
    return {
        "cpu": one.cpus,
        "mem": one.memory_mb,
        "node": one.nodes,
        "billing": one.cpus,
    }[name]


def decayed(start, end, at, half_life_s):
    """Return how much of the seconds from `start` to `end` is left at `at`, step by step."""
    if half_life_s == 0:
        return end - start
    steps = 200
    width = (end - start) / steps
    middles = (start + (i + 0.5) * width for i in range(steps))
    return sum(width * 0.5 ** ((at - middle) / half_life_s) for middle in middles)


@settings(deadline=None, max_examples=40)
@given(sites, histories())
def test_the_counters_are_those_of_a_recount(told, lived):
    history, now = lived
    counting = played(told, history)
    counted_at = now - (now - NOW) % told.settings.priority_period_s
    for number, rule in rules(counting, *HELD):
        running = [each for each in members(history, rule.scope) if each[3] is None]
        if rule.bound is Bound.JOBS:
            expected = len(running)
        elif rule.bound is Bound.RUN_MINUTES:
            expected = sum(
                taken(one, rule.resource)
                * (start + one.limit_s - max(start, counted_at))
                * FACTORS.get(one.qos, 1)
                for one, _, start, _ in running
            )
            expected = expected // 60 * 60
        elif rule.resource == "node":
            expected = sum(any(n >> i & 1 for _, n, *_ in running) for i in range(8))
        else:
            expected = sum(taken(one, rule.resource) for one, *_ in running)
        assert counting.in_use(number, now) == expected


@settings(deadline=None, max_examples=40)
@given(sites, histories())
def test_what_is_used_up_is_what_a_slow_integral_says(told, lived):
    history, now = lived
    counting = played(told, history[:4])
    for number, rule in rules(counting, Bound.USED_MINUTES):
        half_life_s = 0 if rule.scope.name == "calm" else DAY
        left = 0.5 ** ((now - NOW) / half_life_s) if half_life_s else 1
        expected = (6000 * left if rule.resource == "cpu" else 0) + sum(
            taken(one, rule.resource)
            * FACTORS.get(one.qos, 1)
            * decayed(start, now if end is None else end, now, half_life_s)
            for one, _, start, end in members(history[:4], rule.scope)
        )
        assert counting.in_use(number, now) == pytest.approx(expected, rel=1e-5, abs=1e-3)


@settings(deadline=None, max_examples=40)
@given(sites, histories(), jobs())
def test_an_end_at_once_undoes_the_start(told, lived, another):
    history, now = lived
    one, nodes = another
    counting = played(told, history, one)
    before = [counting.in_use(number, now) for number in range(len(counting.rules))]
    counting.start(len(history), nodes, now)
    counting.end(len(history), now)
    assert [counting.in_use(number, now) for number in range(len(counting.rules))] == before


@settings(deadline=None, max_examples=40)
@given(sites, histories())
def test_when_all_have_ended_nothing_is_in_use(told, lived):
    history, now = lived
    counting = played(told, history)
    for i, (*_, end) in enumerate(history):
        if end is None:
            counting.end(i, now)
    assert not any(counting.in_use(number, now) for number, _ in rules(counting, *HELD))


@pytest.mark.parametrize("less", [{"cpus": -1}, {"limit_s": -1}, {"gres": (("gpu", -2),)}])
def test_nobody_claims_less_than_nothing(less):
    with pytest.raises(ValueError, match="less than nothing"):
        Claim(**{"user": "ana", "nodes": 1, "cpus": 1, "limit_s": 1} | less)
