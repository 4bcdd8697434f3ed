"""The sorted structures of the replay engines, against plain ones searched from end to end."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sortedcontainers import SortedDict

from verification.traces.profile import Profile
from verification.traces.releases import Releases
from verification.traces.waiting import Waiting

MACHINE = 20
releases = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 9)), max_size=300)


@given(releases, st.randoms(use_true_random=False))
def test_releases_come_back_in_order_of_time(given_releases, random):
    held, expected, inside = Releases(), SortedDict(), []
    for at, procs in given_releases:
        held.add(at, procs)
        expected[at] = expected.get(at, 0) + procs
        inside.append((at, procs))
        if random.random() < 0.4:
            gone_at, gone = inside.pop(random.randrange(len(inside)))
            held.remove(gone_at, gone)
            expected[gone_at] -= gone
            if not expected[gone_at]:
                del expected[gone_at]
        if expected:
            wanted = random.randint(1, sum(expected.values()))
            held.fit(wanted)
            assert (held.fit_at, held.fit_procs) == first_fit(expected, wanted)


def first_fit(expected, wanted):
    found = 0
    for at, procs in expected.items():
        found += procs
        if found >= wanted:
            return at, found
    raise AssertionError("more wanted than there is")


def test_releases_in_many_chunks():
    held = Releases()
    for number in range(5000):
        held.add(number * 7919 % 5003, 1)
    for number in range(0, 5000, 2):
        held.remove(number * 7919 % 5003, 1)
    left = sorted(number * 7919 % 5003 for number in range(1, 5000, 2))
    for wanted in (1, 2, 777, 2500):
        held.fit(wanted)
        assert (held.fit_at, held.fit_procs) == (left[wanted - 1], wanted)


requests = st.tuples(st.integers(1, 9), st.integers(1, 9))


@given(st.lists(requests, min_size=4, max_size=40), st.data())
@settings(max_examples=200)
def test_the_next_waiting_job_that_fits(queue, data):
    waiting, inside = Waiting(len(queue)), dict(enumerate(queue))
    for job, (procs, limit_s) in inside.items():
        waiting.add(job, procs, limit_s)
    for gone in data.draw(st.sets(st.integers(0, len(queue) - 1))):
        waiting.remove(gone)
        del inside[gone]
    after, free, window_s, extra = data.draw(
        st.tuples(*[st.integers(0, 50)] + [st.integers(0, 9)] * 3)
    )
    fitting = [
        job
        for job, (procs, limit_s) in inside.items()
        if job >= after and procs <= free and (limit_s <= window_s or procs <= extra)
    ]
    assert waiting.next(after, free, window_s, extra) == min(fitting, default=-1)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9), st.integers(1, MACHINE)), max_size=25)
)
def test_a_profile_against_one_number_for_each_second(wishes):
    profile, frees, now = Profile(60, MACHINE), [MACHINE] * 1000, 0
    for number, (known_at, duration_s, procs) in enumerate(wishes):
        now += number % 3
        profile.forget_before(now)
        known_at = max(known_at, now) if number % 2 else 999
        expected = min(known_at, first_place(frees, now, procs, duration_s, known_at))
        found = profile.earliest(now, procs, duration_s, known_at)
        assert found == expected
        if all(free >= procs for free in frees[found : found + duration_s]):
            profile.add(found, found + duration_s, -procs)
            frees[found : found + duration_s] = [
                free - procs for free in frees[found : found + duration_s]
            ]


def first_place(frees, now, procs, duration_s, known_at):
    for start_at in range(now, known_at):
        until = min(start_at + duration_s, known_at)
        if all(free >= procs for free in frees[start_at:until]):
            return start_at
    return known_at
