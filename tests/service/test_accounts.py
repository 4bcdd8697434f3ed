"""Accounting is asked a little at a time, and what it tells is committed once."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, spec, waiting
from services import StandingClock

from predictor.domain import Call, FinishedJob, Outcome, SchedulerSettings
from predictor.domain.durations import DAY_S as DAY
from predictor.domain.source import Told
from predictor.errors import SourceError, SourceOverflow, StorageError
from predictor.service.accounts import Accounts
from predictor.service.fairness import MOST_OF_A_USER, Fairness
from predictor.storage import open_for_reading, open_for_writing


def over(id_, ended_at, **more):
    return FinishedJob(
        spec=spec(id_, **more),
        started_at=ended_at - MINUTE,
        ended_at=ended_at,
        outcome=Outcome.COMPLETED,
    )


class Database:
    """Tells of the jobs it holds; fails if it is told to, or if there are too many in an answer."""

    past_s = 2 * DAY

    def __init__(self, *jobs, most=10**6):
        self.jobs = list(jobs)
        self.most = most
        self.error = None
        self.asked = []

    def ended(self, since, until, take):
        self.asked.append((since, until))
        call = Call(name="sacct", duration_s=0.1, size_bytes=100)
        if self.error is not None:
            return Told(calls=(replace(call, ok=False),), error=self.error)
        found = [job for job in self.jobs if since <= job.ended_at < until]
        for number, job in enumerate(found):
            if number >= self.most:
                return Told(calls=(replace(call, ok=False),), error=SourceOverflow("too long"))
            take((job,))
        return Told(calls=(call,))


class Service:
    """Looks each minute, and asks accounting after each look."""

    def __init__(self, folder, database):
        self.folder = folder
        self.database = database
        self.clock = StandingClock(NOW)
        self.writer = open_for_writing(folder / "recording", clock=self.clock)
        self.accounts = Accounts(folder / "past", self.clock, self.writer.first_at)
        self.last = open_for_reading(folder / "recording").latest()

    def look(self, *jobs, minutes=1, shown_s=300):
        self.clock.at += minutes * MINUTE
        settings = SchedulerSettings(min_job_age_s=shown_s)
        seen = cluster(4, *jobs, taken_at=int(self.clock.at), settings=settings)
        self.accounts.looked(self.last, seen, self.database.past_s)
        self.writer.append(seen)
        self.last = seen
        return self.accounts.ask(self.database, self.learn)

    def learn(self, jobs):
        return self.writer.add_outcomes(jobs, learned_at=self.last.taken_at)

    def outcomes(self):
        return [job.spec.id for job in open_for_reading(self.folder / "recording").outcomes()]


@pytest.fixture
def service(tmp_path):
    """Begin one on the same folder as the one before."""
    running = []

    def begin(database):
        for one in running:
            one.writer.close()
        running.append(Service(tmp_path, database))
        return running[-1]

    yield begin
    running[-1].writer.close()


def settled(service, *jobs, looks=100):
    """Look until nothing is open any more, but a dozen times at least."""
    for number in range(looks):
        service.look(*jobs)
        if number >= 11 and not service.accounts.state.behind_s:
            break
    return service


def test_one_question_follows_a_look_at_most_and_a_restart_does_not_ask_anew(service):
    database = Database(over("1", NOW - DAY), over("2", NOW - HOUR))
    first = settled(service(database))
    assert len(database.asked) < 40
    assert sorted(first.outcomes()) == ["1", "2"]
    assert first.accounts.state.behind_s == 0
    asked = len(database.asked)
    again = service(database)
    again.clock.at = first.clock.at
    settled(again)
    assert len(database.asked) == asked


def test_that_nobody_ended_is_believed_when_it_was_said_three_times(service):
    database = Database(over("1", NOW - 47 * HOUR))
    one = service(database)
    jobs, database.jobs = database.jobs, []
    one.look()
    one.look()
    database.jobs = jobs
    settled(one)
    assert one.outcomes() == ["1"]
    assert len({*database.asked[:3]}) == 1
    assert database.asked.count(database.asked[-1]) == 3


def test_the_history_goes_on_where_it_was_interrupted(service):
    database = Database(over("1", NOW - 47 * HOUR))
    first = service(database)
    first.look()
    (begun,) = database.asked
    again = service(database)
    again.clock.at = first.clock.at
    again.look()
    assert database.asked[1][0] == begun[1]


def test_who_ended_unseen_is_told_of_exactly_once(service):
    database = Database()
    one = settled(service(database))
    at = int(one.clock.at)
    one.look(waiting("7"), waiting("8"))
    database.jobs = [over("7", at + 2 * MINUTE), over("unseen", at + 3 * MINUTE)]
    one.look(waiting("8"), minutes=30)
    settled(one, waiting("8"))
    assert sorted(one.outcomes()) == ["7", "unseen"]
    state = one.accounts.state
    assert (state.repaired, state.missing, state.unrepaired) == (1, 0, 0)


def test_an_outage_of_the_database_only_delays_it(service):
    database = Database()
    one = settled(service(database))
    asked = len(database.asked)
    database.error = SourceError("sacct: Connection refused")
    one.look(waiting("7"))
    database.jobs = [over("7", int(one.clock.at) + MINUTE)]
    told = [one.look(minutes=30), *(one.look() for _ in range(90))]
    failed = [each for each in told if each is not None]
    assert 5 <= len(database.asked) - asked < 12
    assert len(failed) == len(database.asked) - asked
    assert "refused" in one.accounts.state.error
    assert one.accounts.state.missing == 1
    database.error = None
    settled(one)
    assert one.outcomes() == ["7"]
    assert one.accounts.state == replace(one.accounts.state, repaired=1, missing=0, error="")


def test_the_gap_is_still_known_after_a_restart_during_the_outage(service):
    database = Database()
    one = settled(service(database))
    one.look(waiting("7"))
    at = one.clock.at
    database.error = SourceError("down")
    two = service(database)
    two.clock.at = at
    two.look(minutes=60)
    three = service(Database(over("7", int(at) + MINUTE)))
    three.clock.at = two.clock.at
    settled(three)
    assert three.outcomes() == ["7"]
    assert three.accounts.state.repaired == 1


def test_too_many_for_an_answer_are_asked_for_in_parts(service):
    jobs = [over(str(n), NOW - DAY + 40 * n, user=f"u{n}") for n in range(500)]
    database = Database(*jobs, most=60)
    one = settled(service(database))
    assert sorted(one.outcomes(), key=int) == [str(n) for n in range(500)]
    assert one.accounts.state.behind_s == 0


def test_what_can_be_had_of_a_minute_with_too_many_is_had_and_then_it_goes_on(service):
    crowd = [over(str(n), NOW - HOUR, user=f"u{n}") for n in range(90)]
    database = Database(*crowd, over("last", NOW - MINUTE), most=60)
    one = settled(service(database))
    assert len(one.outcomes()) == 61
    assert one.accounts.state.behind_s == 0


def test_a_disk_that_refuses_costs_nothing_but_time(service):
    one = service(Database(over("1", NOW - HOUR)))
    keep, one.learn = one.learn, lambda jobs: (_ for _ in ()).throw(StorageError("full"))
    with pytest.raises(StorageError, match="full"):
        settled(one)
    one.learn = keep
    settled(one)
    assert one.outcomes() == ["1"]


def test_a_site_that_asks_for_no_past_asks_nothing(service):
    database = Database()
    database.past_s = 0
    settled(service(database))
    assert database.asked == []


def test_of_a_flood_in_the_history_some_of_each_kind_are_taken_and_all_of_the_others():
    flood = [over(f"{n}", NOW, user="eve") for n in range(5_000)]
    names = [over(f"{n}", NOW, user="eve", partitions=(f"p{n}",)) for n in range(5_000)]
    others = [over(f"{n}", NOW, user=f"user{n}") for n in range(50)]
    assert len(Fairness().of([*flood, *others])) == 64 + 50
    assert len(Fairness().of([*flood, *names, *others])) == MOST_OF_A_USER + 50
