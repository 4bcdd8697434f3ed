"""The counters, against a slow recount of the jobs that run."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from limited import DAY, NOW, PARENTS, job, site, used

from predictor.limits import Book, Reach, Whose

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
ACCOUNTS = ("optics", "physics", "root")
SITE = site(
    qos={
        "normal": EVERYTHING,
        "lane": EVERYTHING | {"usage_factor": 2.5},
        "calm": EVERYTHING | {"flags": ("NoDecay",)},
    },
    associations={(account, ""): EVERYTHING for account in ACCOUNTS}
    | {("optics", "ana"): EVERYTHING},
)
FACTORS = {"lane": 2.5}
FEW = st.integers(0, 3)


@st.composite
def jobs(draw):
    """Claims of known and unknown users, accounts, partitions and QOS, with their nodes."""
    nodes = draw(st.integers(1, 255))
    return job(
        user=draw(st.sampled_from(("ana", "bob", ""))),
        account=draw(st.sampled_from((*ACCOUNTS, "chem", ""))),
        partition=draw(st.sampled_from(("batch", "fast", "gone"))),
        qos=draw(st.sampled_from(("normal", "lane", "calm", "gone", ""))),
        nodes=nodes.bit_count(),
        cpus=draw(FEW),
        memory_mb=draw(FEW),
        billing=draw(FEW),
        gres=(("gpu:a100", draw(FEW)), ("gpu:v100", draw(FEW))),
        licenses=(("matlab", draw(FEW)),),
        limit_s=draw(st.integers(10 * DAY, 11 * DAY)),
    ), nodes


@st.composite
def histories(draw):
    """What happened: (claim, nodes, start, end or None), and when we look."""
    at, history = NOW, []
    for claim, nodes in draw(st.lists(jobs(), max_size=12)):
        at += draw(st.integers(0, DAY // 4))
        history.append((claim, nodes, at, draw(st.none() | st.integers(0, DAY).map(at.__add__))))
    return history, max([at, *(end for *_, end in history if end)])


def played(history):
    """Return the book after the history, its starts and ends in the order of their times."""
    book = Book(SITE)
    events = [(start, 1, i) for i, (_, _, start, _) in enumerate(history)]
    events += [(end, 2, i) for i, (_, _, _, end) in enumerate(history) if end is not None]
    for at, what, i in sorted(events):
        claim, nodes, *_ = history[i]
        book.start(str(i), claim, nodes, at) if what == 1 else book.end(str(i), at)
    return book


def members(history, scope):
    """Return the jobs of a group, whether or not they still run."""
    return [each for each in history if belongs(each[0], scope)]


def belongs(claim, scope):
    in_qos = scope.name in (claim.qos, "lane" if claim.partition == "fast" else None)
    match scope.whose:
        case Whose.QOS:
            return in_qos
        case Whose.USER_OF_QOS:
            return in_qos and claim.user == scope.member
        case Whose.ACCOUNT_OF_QOS:
            return in_qos and claim.account == scope.member
        case Whose.USER_OF_ACCOUNT:
            return (claim.account, claim.user) == (scope.name, scope.member)
    above = claim.account
    while above and above != scope.name:
        above = PARENTS.get(above, "")
    return above == scope.name and above in ACCOUNTS


def taken(claim, name):
    kind, _, which = name.partition("/")
    if kind == "gres":
        return sum(n for one, n in claim.gres if which in (one, one.split(":")[0]))
    if kind == "license":
        return sum(n for _, n in claim.licenses)
    return {
        "cpu": claim.cpus,
        "mem": claim.memory_mb,
        "node": claim.nodes,
        "billing": claim.billing,
    }[name]


def decayed(start, end, at, half_life_s):
    """Return how much of the seconds from `start` to `end` is left at `at`, step by step."""
    if half_life_s == 0:
        return end - start
    steps = 200
    width = (end - start) / steps
    middles = (start + (i + 0.5) * width for i in range(steps))
    return sum(width * 0.5 ** ((at - middle) / half_life_s) for middle in middles)


@given(histories())
def test_the_counters_are_those_of_a_recount(told):
    history, now = told
    book = played(history)
    for (scope, reach), tally in book.tallies.items():
        running = [each for each in members(history, scope) if each[3] is None]
        assert tally.jobs == len(running)
        if reach is Reach.USER and scope.whose is Whose.USER_OF_ACCOUNT:
            continue
        for name in NAMES:
            expected = sum(taken(claim, name) for claim, *_ in running)
            if name == "node":
                expected = sum(any(n >> i & 1 for _, n, *_ in running) for i in range(8))
            assert tally.in_use(name) == expected
        for name in NAMES if reach is Reach.GROUP else ():
            assert tally.run_seconds(name, now) == sum(
                taken(claim, name) * (start + claim.limit_s - now) * FACTORS.get(claim.qos, 1)
                for claim, _, start, _ in running
            )


@given(histories())
def test_what_is_used_up_is_what_a_slow_integral_says(told):
    history, now = told
    book = played(history[:4])
    for (scope, reach), tally in book.tallies.items():
        if reach is not Reach.GROUP:
            continue
        half_life_s = 0 if scope.name == "calm" else DAY
        left = 0.5 ** ((now - NOW) / half_life_s) if half_life_s else 1
        expected = 6000 * left + sum(
            claim.cpus
            * FACTORS.get(claim.qos, 1)
            * decayed(start, now if end is None else end, now, half_life_s)
            for claim, _, start, end in members(history[:4], scope)
        )
        assert tally.used_seconds("cpu", now) == pytest.approx(expected, rel=1e-5, abs=1e-3)


@given(histories(), jobs())
def test_an_end_at_once_undoes_the_start(told, another):
    history, now = told
    book = played(history)
    claim, nodes = another
    book.before_placing(claim, now)  # a group met for the first time appears with its counters at 0
    before = {key: deepcopy(tally.state(now)) for key, tally in book.tallies.items()}
    book.start("x", claim, nodes, now)
    book.end("x", now)
    assert "x" not in book
    assert {key: tally.state(now) for key, tally in book.tallies.items()} == before


@given(histories())
def test_when_all_have_ended_nothing_is_in_use(told):
    history, now = told
    book = played(history)
    for i, (*_, end) in enumerate(history):
        if end is None:
            book.end(str(i), now)
    for (_, reach), tally in book.tallies.items():
        assert tally.jobs == 0
        assert not any(tally.held.values())
        assert not tally.nodes.used
        assert reach is not Reach.GROUP or tally.run_seconds("cpu", now) == 0


def test_a_job_neither_starts_nor_ends_twice():
    book = Book(SITE)
    book.start("1", job(), 1, NOW)
    with pytest.raises(ValueError, match="job 1 cannot start twice"):
        book.start("1", job(), 1, NOW)
    book.end("1", NOW)
    with pytest.raises(KeyError):
        book.end("1", NOW)


@pytest.mark.parametrize("less", [{"cpus": -1}, {"limit_s": -1}, {"gres": (("gpu", -2),)}])
def test_nobody_claims_less_than_nothing(less):
    with pytest.raises(ValueError, match="less than nothing"):
        job(**less)
