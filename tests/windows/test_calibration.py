"""Windows that hold as often as they say, whatever the simulation makes of them."""

import json
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.errors import StorageError
from predictor.windows.calibration import Calibration
from predictor.windows.raw import BY, HIGH, LEVELS, LOW, MIDDLE, Raw

NOW = 1_000_000
LIKE = ("jobs of batch held back by a limit", "jobs of batch")


def drawn(*leads_s, waited_s=0):
    return Raw.of(leads_s, horizon_s=30 * 86_400, waited_s=waited_s)


class Cluster:
    """Jobs that come one after the other, and start as a simulation said, but for some luck."""

    def __init__(self, calibration, seed=0):
        self.calibration, self.now = calibration, NOW
        self.random = Random(seed)  # noqa: S311
        self.held, self.kept, self.off_s = [], [], []
        self.starts = []

    def look(self, lead_s, luck, spread=0.2, jobs=1):
        """Half an hour later, answer so many more jobs; real leads are said ones with luck."""
        self.now += 1800
        for job_id, at in [one for one in self.starts if one[1] <= self.now]:
            self.calibration.started(job_id, at)
        self.starts = [one for one in self.starts if one[1] > self.now]
        self.calibration.passed(self.now)
        for number in range(jobs):
            centre_s = lead_s(self.random)
            leads_s = [centre_s * math.exp(spread * self.random.gauss(0, 1)) for _ in range(12)]
            raw, job_id = drawn(*leads_s), f"{self.now}_{number}"
            told = self.calibration.corrected(raw, LIKE, job_id=job_id)
            self.calibration.said(job_id, self.now, raw, LIKE, told)
            real_s = centre_s * luck(self.random)
            self.starts.append((job_id, self.now + round(real_s)))
            self.held.append(told.quantiles_s[LOW] <= real_s <= told.quantiles_s[HIGH])
            self.kept.append(real_s <= told.quantiles_s[BY])
            self.off_s.append(abs(real_s - told.lead_s))


def share(found):
    return sum(found) / len(found)


def some_hours(random):
    return math.exp(random.uniform(math.log(600), math.log(40_000)))


def lognormal(mean, sigma):
    return lambda random: math.exp(random.gauss(mean, sigma))


def heavy_tailed(random):
    return 0.5 * random.paretovariate(1.2)


@pytest.mark.parametrize(
    "luck",
    [
        pytest.param(lognormal(0.0, 0.3), id="better than believed beforehand"),
        pytest.param(lognormal(0.0, 1.3), id="worse than believed beforehand"),
        pytest.param(lognormal(0.7, 0.6), id="always later than said"),
        pytest.param(heavy_tailed, id="some much later than said"),
    ],
)
def test_windows_hold_as_often_as_they_say(luck):
    cluster = Cluster(Calibration(), seed=1)
    for _ in range(180):
        cluster.look(some_hours, luck, jobs=6)
    assert 0.76 <= share(cluster.held[200:]) <= 0.84
    assert 0.92 <= share(cluster.kept[200:]) <= 0.975


def test_windows_hold_again_after_a_change():
    cluster = Cluster(Calibration(), seed=2)
    for _ in range(90):
        cluster.look(some_hours, lognormal(0.0, 0.3), jobs=8)
    before = len(cluster.held)
    for _ in range(90):
        cluster.look(some_hours, lognormal(1.0, 0.8), jobs=8)
    assert share(cluster.held[before : before + 50]) < 0.6
    assert 0.76 <= share(cluster.held[before + 300 :]) <= 0.86


def test_what_is_known_beforehand_covers_from_the_first_hours_on():
    cluster = Cluster(Calibration(), seed=3)
    for _ in range(12):
        cluster.look(some_hours, lognormal(0.2, 0.6), jobs=10)
    assert share(cluster.held) >= 0.7


def said(calibration, job_id, now, *leads_s):
    """Let it be `now`, tell a job what was drawn, and return that."""
    calibration.passed(now)
    told = calibration.corrected(drawn(*leads_s), LIKE, job_id=job_id)
    calibration.said(job_id, now, drawn(*leads_s), LIKE, told)
    return told


def test_where_all_draws_agree_windows_have_some_width():
    told = Calibration().corrected(drawn(*[3600] * 12), LIKE)
    assert told.quantiles_s[LOW] < 3600 < told.quantiles_s[HIGH] <= told.quantiles_s[BY]


def test_a_miss_is_known_as_soon_as_the_window_has_passed():
    calibration = Calibration()
    told = said(calibration, "7", NOW, 500, 600, 700)
    calibration.passed(NOW + told.quantiles_s[HIGH])
    assert calibration.lately(told, LIKE) is None
    calibration.passed(NOW + told.quantiles_s[HIGH] + 1)
    lately = calibration.lately(told, LIKE)
    assert (lately.jobs, lately.held80) == (1, 0.0)
    calibration.started("7", NOW + 9000)
    calibration.passed(NOW + 9000)
    assert calibration.lately(told, LIKE).jobs == 1, "it is not counted again"


def test_who_waits_on_widens_windows_before_anybody_starts():
    calibration = Calibration()
    before = said(calibration, "0", NOW, 600)
    for number in range(1, 40):
        said(calibration, str(number), NOW, 600)
    calibration.passed(NOW + before.quantiles_s[HIGH] + 600)
    assert calibration.corrected(drawn(600), LIKE).quantiles_s[HIGH] > before.quantiles_s[HIGH]


def test_a_job_that_left_teaches_nothing():
    calibration = Calibration()
    told = said(calibration, "7", NOW, 600)
    calibration.left("7")
    calibration.started("7", NOW + 100_000)
    calibration.started("8", NOW)
    calibration.passed(NOW + 100_000)
    assert calibration.corrected(drawn(600), LIKE) == told
    assert calibration.lately(told, LIKE) is None


def test_the_minutes_of_one_job_do_not_count_as_so_many_jobs():
    calibration = Calibration()
    for minute in range(8):
        told = said(calibration, "7", NOW + 60 * minute, 540 - 60 * minute)
    calibration.started("7", NOW + 540)
    calibration.passed(NOW + 540)
    assert calibration.lately(told, LIKE).jobs == 1


def test_a_likely_start_stays_as_told_while_it_hardly_moves():
    calibration = Calibration()
    first = NOW + said(calibration, "7", NOW, 7200).lead_s
    for minute in range(1, 30):
        now = NOW + 60 * minute
        wobble = 300 * (-1) ** minute
        assert now + said(calibration, "7", now, 7200 - 60 * minute + wobble).lead_s == first
    for minute in range(30, 100):
        now = NOW + 60 * minute
        told = now + said(calibration, "7", now, 12_000 - 60 * minute).lead_s
    assert told == pytest.approx(first + 4800, abs=1200), "it has moved far"


def test_a_learned_lean_moves_the_likely_start():
    cluster = Cluster(Calibration(), seed=5)
    for _ in range(90):
        cluster.look(some_hours, lognormal(0.7, 0.3), jobs=6)
    told = cluster.calibration.corrected(drawn(7200), LIKE)
    assert 1.4 * 7200 < told.lead_s < 2.2 * 7200


def test_equal_outcomes_give_equal_windows():
    told = []
    for _ in range(2):
        cluster = Cluster(Calibration(), seed=6)
        for _ in range(20):
            cluster.look(some_hours, lognormal(0.3, 0.5), jobs=3)
        told.append(cluster.calibration.state())
    assert told[0] == told[1]


@pytest.mark.parametrize("started_at", [-(10**18), 0, NOW - 1, NOW, 10**18])
def test_absurd_starts_break_nothing(started_at):
    calibration = Calibration()
    for number in range(5):
        said(calibration, f"\udc80{number}", NOW, 0, 10**12, None)
        calibration.started(f"\udc80{number}", started_at)
    calibration.passed(-5)
    told = calibration.corrected(drawn(600), ["\udc80" * 10**5] * 1000)
    assert list(told.quantiles_s) == sorted(told.quantiles_s)
    assert told.quantiles_s[0] >= 0


def test_a_state_goes_on_where_it_was_left():
    cluster = Cluster(Calibration(), seed=4)
    for _ in range(30):
        cluster.look(some_hours, lognormal(0.2, 0.9), jobs=3)
    state = cluster.calibration.state()
    restored = Calibration.restored(json.loads(json.dumps(state, allow_nan=False)))
    assert restored.state() == state
    for calibration in (cluster.calibration, restored):
        calibration.passed(cluster.now + 60)
    raw = drawn(100, 5000, 9000)
    assert restored.corrected(raw, LIKE) == cluster.calibration.corrected(raw, LIKE)
    assert restored.lately(restored.corrected(raw, LIKE), LIKE) is not None


@pytest.mark.parametrize(
    "state",
    [
        None,
        [],
        {"now": "yesterday"},
        {"now": 1, "firsts": [[]]},
        {"now": 1, "levels": [{"by": float("nan")}] * 5},
        {"now": 1, "jobs": {"7": {"samples": {}}}},
        {"now": 1, "else": 2},
    ],
)
def test_a_strange_state_is_refused(state):
    with pytest.raises(StorageError, match="not the state of windows"):
        Calibration.restored(state)


LEADS = st.lists(
    st.one_of(st.none(), st.floats(), st.integers(-10, 10**7)), min_size=1, max_size=12
)


@given(LEADS)
def test_quantiles_ascend_and_none_is_past(leads_s):
    raw = drawn(*leads_s)
    told = Calibration().corrected(raw, LIKE)
    for quantiles_s in (raw.quantiles_s, told.quantiles_s):
        assert len(quantiles_s) == len(LEVELS)
        assert quantiles_s[0] >= 0
        assert list(quantiles_s) == sorted(quantiles_s)


def test_an_outlook_says_the_same_in_instants():
    told = Calibration().corrected(drawn(600, 700, 800), LIKE)
    outlook = told.outlook(1000, "as usual")
    assert outlook.likely_at == 1000 + told.quantiles_s[MIDDLE]
    assert outlook.low_at <= outlook.likely_at <= outlook.high_at <= outlook.by_at
    assert outlook.chance_by(outlook.high_at) == pytest.approx(0.9)
