"""Who waits in which order, who may be considered, and what else happens around them."""

from predictor.engine import codes, store
from predictor.engine.heap import Heap
from predictor.engine.ranking_tables import NEVER
from predictor.engine.tables import Fates, QueueTables


class Queue:
    """The state of everybody: people are numbered, first those who wait, then those who run."""

    def __init__(self, tables: QueueTables, fates: Fates | None = None) -> None:
        self._lay_records(tables)
        self._lay_components(tables)
        self._lay_ways(tables)
        self._lay_people(tables)
        self._lay_fates(tables, fates)
        self._lay_conditions(tables)
        self.partitions = tables.partitions
        self.users = tables.users
        self.arrays = tables.arrays
        self.associations = tables.associations
        self.lanes = len(tables.lane_width)
        self.forever = NEVER
        self.lane_width = store.filled(tables.lane_width)
        self.events = Heap(2 * self.people + 16)
        self.state = store.numbers(self.people)
        self.taken = store.numbers(self.people)
        """By whom others know it: whether any of a job's forms has started."""
        self.ripe_at = store.numbers(self.jobs)
        self.unmet = store.numbers(self.jobs)
        self.holds = store.numbers(self.jobs)
        self.missing = store.numbers(self.conditions)
        self.met_at = store.numbers(self.conditions)
        self.lane_running = store.numbers(self.lanes)
        self.started_at = store.numbers(self.jobs)
        self.started_record = store.numbers(self.jobs)
        self.begun = store.numbers(self.people)
        """By whom others know it: whether it has ever started."""
        self.runs_over = store.numbers(self.jobs)
        self.log = store.numbers(self.jobs)
        self.order = store.numbers(self.records)
        self.waiting = 0
        self.awaited = 0
        """For how many who wait time is to run on until they start."""
        self.logged = 0
        self.length = 0

    def _lay_records(self, tables: QueueTables) -> None:
        records = tables.records
        self.records = len(records)
        self.record_job = store.filled([record.job for record in records])
        self.record_partition = store.filled([record.partition for record in records])
        self.chance = store.filled(
            [one.partition if one.chance < 0 else one.chance for one in records]
        )
        """By record: of which number those of other tasks are that are there in the same way."""
        by_job: list[list[int]] = [[] for _ in tables.waiting]
        for number, record in enumerate(records):
            by_job[record.job].append(number)
        self.job_start = store.starts(by_job)
        self.job_record = store.filled([number for numbers in by_job for number in numbers])
        self.record_slot = store.filled([record.slot for record in records])
        self.band = store.filled([record.band for record in records])
        self.tie = store.filled([record.tie for record in records])
        self.protected_from = store.filled([record.protected_from for record in records])
        self.unreserved = store.filled([int(not record.reserves) for record in records])
        self.fleeting = store.filled([int(record.fleeting) for record in records])
        self.drawn = store.filled([int(record.drawn) for record in records])
        self.queued = store.filled([int(record.queued) for record in records])
        self.sought = store.filled([record.sought for record in records])
        self.is_low = store.numbers(len(records))
        """Whether its priority, as it is, is too low for protection."""

    def _lay_components(self, tables: QueueTables) -> None:
        records = tables.records
        self.component = store.filled([record.component for record in records])
        starting = {
            record.job: number for number, record in enumerate(records) if not record.queued
        }
        self.whole = store.filled(
            [starting[record.job] if record.component >= 0 else -1 for record in records]
        )
        """By record of a component: that by which its job starts; -1: it is none."""

    def _lay_ways(self, tables: QueueTables) -> None:
        """Lay out the parts of records, the ways in which each may start, and their rates."""
        parts = [part for record in tables.records for part in record.parts]
        ways = [way for part in parts for way in part]
        self.parts = len(parts)
        self.part_start = store.starts([record.parts for record in tables.records])
        self.way_start = store.starts(parts)
        self.kind = store.filled([way.kind for way in ways])
        self.size = store.filled([way.cpus or way.nodes for way in ways])
        """By way: how many nodes, or CPUs where these need not be spread evenly."""
        self.length_s = store.filled([way.length_s for way in ways])
        self.least_s = store.filled([way.least_s or way.length_s for way in ways])
        self.claim = store.filled([way.claim for way in ways])
        self.rate_start = store.starts([way.rates for way in ways])
        self.rate = store.reals(self.rate_start[len(ways)])
        for place, rate in enumerate(rate for way in ways for rate in way.rates):
            self.rate[place] = rate

    def _lay_people(self, tables: QueueTables) -> None:
        waiting = tables.waiting
        self.jobs = len(waiting)
        self.people = self.jobs + len(tables.running)
        users = [one.user for one in waiting]
        self.user = store.filled(users + [one.user for one in tables.running])
        ordinals = [one.ordinal for one in waiting]
        self.ordinal = store.filled(ordinals + [one.ordinal for one in tables.running])
        self.array = store.filled([one.array for one in waiting])
        self.apart = store.filled([int(one.apart) for one in waiting])
        self.association = store.filled([one.association for one in waiting])
        self.enters_at = store.filled([one.enters_at for one in waiting])
        self.kept_back = store.filled([int(one.kept_back) for one in waiting])
        """By job: whether it is noted that a limit keeps it back, as it was looked at last."""
        self.not_before = store.filled([one.not_before for one in waiting])
        self.any_of = store.filled([int(one.any_of) for one in waiting])
        lanes = [one.lane for one in waiting]
        self.lane = store.filled(lanes + [one.lane for one in tables.running])
        self.eligible_since = store.filled([one.eligible_since for one in waiting])
        self.insists_s = store.filled([one.insists_s for one in waiting])
        self.replaced = store.filled([int(one.replaced) for one in waiting])
        self.asleep = store.filled([int(one.asleep) for one in waiting])
        self.is_awaited = store.filled([int(one.awaited) for one in waiting])
        self.over_by = store.filled([one.over_by for one in waiting])
        self.later_start = store.starts([one.later_runs for one in waiting])
        later = [run for one in waiting for run in one.later_runs]
        self.later_at = store.filled([at for at, _ in later])
        self.later_run_s = store.filled([run_s for _, run_s in later])
        self.known_as = store.filled(
            [job if one.original < 0 else one.original for job, one in enumerate(waiting)]
            + list(range(self.jobs, self.people))
        )
        self.run = store.filled([one.run for one in tables.running])
        self.held_start = store.starts([one.held for one in waiting])
        spans = [span for one in waiting for span in one.held]
        self.held_from = store.filled([span[0] for span in spans])
        self.held_until = store.filled([span[1] for span in spans])

    def _lay_fates(self, tables: QueueTables, fates: Fates | None) -> None:
        if fates is None:
            fates = Fates(
                run_s=[one.run_s for one in tables.waiting],
                leaves_at=[one.leaves_at for one in tables.waiting],
                ends_at=[one.ends_at for one in tables.running],
                boots_s=tables.boots_s,
            )
        self.boots_s = fates.boots_s
        self.run_s = store.filled(fates.run_s)
        self.leaves_at = store.filled(fates.leaves_at)
        self.ends_at = store.filled(fates.ends_at)

    def _lay_conditions(self, tables: QueueTables) -> None:
        jobs = [(job, after) for job, one in enumerate(tables.waiting) for after in one.after]
        self.conditions = len(jobs)
        self.condition_job = store.filled([job for job, _ in jobs])
        self.condition_started = store.filled([int(after.started) for _, after in jobs])
        self.condition_delay = store.filled([after.delay_s for _, after in jobs])
        self.condition_people = store.filled([len(set(after.people)) for _, after in jobs])
        watched: list[list[tuple[int, bool]]] = [[] for _ in range(self.people)]
        for condition, (_, after) in enumerate(jobs):
            # Shared, as thousands may wait for thousands.
            as_one, as_rival = (condition, False), (condition, True)
            for person in sorted(set(after.people)):
                watched[person].append(as_one)
            for person in sorted(set(after.rivals) - set(after.people)):
                watched[person].append(as_rival)
        self.watch_start = store.starts(watched)
        watches = [watch for found in watched for watch in found]
        self.watch = store.filled([condition for condition, _ in watches])
        self.watch_rival = store.filled([int(rival) for _, rival in watches])

    def begin(self, now: int) -> None:
        """Take everybody to the state at `now`, from which time moves on."""
        self.events.clear()
        self.logged = 0
        self.waiting = 0
        self.awaited = 0
        self.length = 0
        for record in range(self.records):
            if self.queued[record] and not self.asleep[self.record_job[record]]:
                self.order[self.length] = record
                self.length += 1
        for lane in range(self.lanes):
            self.lane_running[lane] = 0
        for condition in range(self.conditions):
            self.missing[condition] = self.condition_people[condition]
            self.met_at[condition] = 0
        for job in range(self.jobs):
            self._set_out(job, now)
        for condition in range(self.conditions):
            self.unmet[self.condition_job[condition]] += 1
        for condition in range(self.conditions):
            if self.missing[condition] == 0:
                self._fulfil(condition, 0)
        for person in range(self.jobs, self.people):
            self.state[person] = codes.RUNS
            self.begun[person] = 1
            self._join_lane(person, 1)
            self.events.push(self.ends_at[person - self.jobs], codes.END, person)
            self._told(person, 0, 1)

    def _set_out(self, job: int, now: int) -> None:
        self.state[job] = codes.WAITS
        self.ripe_at[job] = self.not_before[job]
        self.taken[job] = 0
        self.unmet[job] = 0
        self.holds[job] = 0
        self.started_at[job] = -1
        self.started_record[job] = -1
        self.runs_over[job] = 0
        self.begun[job] = 0
        if self.asleep[job]:
            self.state[job] = codes.GONE
            return
        self._count(job, 1)
        if self.enters_at[job] > now:
            self.state[job] = codes.ABSENT
            self.events.push(self.enters_at[job], codes.ARRIVE, job)
        if self.leaves_at[job] >= 0:
            self.events.push(self.leaves_at[job], codes.LEAVE, job)
        if self.not_before[job] > now:
            self.events.push(self.not_before[job], codes.RIPEN, job)
        if self.insists_s[job] >= 0:
            self.events.push(self.insists_until(job), codes.RIPEN, job)
        for i in range(self.held_start[job], self.held_start[job + 1]):
            self.events.push(self.held_from[i], codes.HOLD, job)
            self.events.push(self.held_until[i], codes.RELEASE, job)

    def _count(self, job: int, change: int) -> None:
        self.waiting += change
        self.awaited += change * self.is_awaited[job]

    def is_queued(self, record: int, at: int) -> bool:
        """Return whether nothing but itself elsewhere keeps the record back.

        Who is one too many of its array is not in the queue either (job_independent, Slurm 22.05).
        """
        job = self.record_job[record]
        if self.state[job] != codes.WAITS or self.unmet[job] > 0 or self.holds[job] > 0:
            return False
        lane = self.lane[job]
        if lane >= 0 and self.lane_running[lane] >= self.lane_width[lane]:
            return False
        return self.ripe_at[job] <= at

    def is_ready(self, record: int, at: int) -> bool:
        """Return whether the record may be considered at `at`."""
        return self.is_queued(record, at) and not self.taken[self.known_as[self.record_job[record]]]

    def is_young(self, record: int, at: int, age_s: int) -> bool:
        """Return whether the record could be considered for less than `age_s` so far."""
        return age_s > 0 and at - self._considered_since(self.record_job[record]) < age_s

    def _considered_since(self, job: int) -> int:
        return max(self.ripe_at[job], self.eligible_since[job])

    def insists_until(self, job: int) -> int:
        """Return until when the job insists on few switches, as things are; -1: for ever."""
        if self.insists_s[job] < 0:
            return -1
        return self._considered_since(job) + self.insists_s[job]

    def insists(self, job: int, now: int) -> bool:
        """Return whether the job still insists on few switches, if it asked for any."""
        until = self.insists_until(job)
        return until < 0 or until > now

    def start(self, record: int, at: int) -> None:
        """Let the record's job start."""
        job = self.record_job[record]
        self.state[job] = codes.RUNS
        self._count(job, -1)
        self.started_at[job] = at
        self.started_record[job] = record
        self.taken[self.known_as[job]] = 1
        if self.logged == len(self.log):
            self._more_log()
        self.log[self.logged] = job
        self.logged += 1
        self._join_lane(job, 1)
        if not self.begun[self.known_as[job]]:
            self.begun[self.known_as[job]] = 1
            # Who starts in a pass is seen to have started a second later.
            self._told(job, at + 1, 1)

    def end(self, person: int, at: int) -> None:
        """Let somebody end who runs."""
        self.state[person] = codes.GONE
        self._join_lane(person, -1)
        self._told(person, at, 0)

    def is_sent_back(self, job: int) -> bool:
        """Return whether the run that ends now is not the last one, as was told beforehand."""
        later = self.later_start[job] + self.runs_over[job]
        return later < self.later_start[job + 1]

    def ready_again_at(self, job: int) -> int:
        """Turn to the run that follows, as told beforehand, and return when that may begin."""
        later = self.later_start[job] + self.runs_over[job]
        self.runs_over[job] += 1
        self.run_s[job] = self.later_run_s[later]
        return self.later_at[later]

    def send_back(self, job: int, ready_at: int) -> None:
        """Let a job wait anew that ran, or that was asleep. Nobody who waits for its end is told.

        It is not in the order yet: `sweep` has been called since it started.
        """
        if self.state[job] == codes.RUNS:
            self._join_lane(job, -1)
        self.state[job] = codes.WAITS
        self.apart[job] = 1
        self.taken[self.known_as[job]] = 0
        self.ripe_at[job] = ready_at
        self._count(job, 1)
        self.events.push(ready_at, codes.RIPEN, job)
        for i in range(self.job_start[job], self.job_start[job + 1]):
            if self.queued[self.job_record[i]]:
                self._line_up(self.job_record[i])

    def _line_up(self, record: int) -> None:
        """Put a record where it stood at the beginning, among those that are there."""
        i = self.length
        while i > 0 and self.order[i - 1] > record:
            self.order[i] = self.order[i - 1]
            i -= 1
        self.order[i] = record
        self.length += 1

    def hand_over(self, person: int) -> None:
        """Let somebody be gone as whom another form will wait. Nobody who waits for it is told."""
        self.state[person] = codes.GONE
        self._join_lane(person, -1)

    def _more_log(self) -> None:
        self.log = store.grown(self.log, 2 * len(self.log) + 1)

    def leave(self, job: int, at: int) -> bool:
        """Withdraw a job that has not started, and return whether it waited."""
        if self.state[job] > codes.WAITS:
            return False
        waited = self.state[job] == codes.WAITS
        self.state[job] = codes.GONE
        self._count(job, -1)
        if not self.replaced[job]:
            self._told(job, at, 1)
            self._told(job, at, 0)
        return waited

    def longest_s(self, job: int, at: int) -> int:
        """Return how long a limit may be at most that it starts with then, in whole minutes.

        Source: Slurm 22.05, `--deadline` and `--time-min`, as measured on a real one.
        """
        if self.over_by[job] < 0:
            return self.forever
        left_s = self.over_by[job] - at
        return max(codes.MINUTE_S, left_s // codes.MINUTE_S * codes.MINUTE_S)

    def plan_truly(self, job: int) -> None:
        """Let who waits be planned for as long as it really runs."""
        if self.run_s[job] < 0:
            return
        for i in range(self.job_start[job], self.job_start[job + 1]):
            record = self.job_record[i]
            first = self.way_start[self.part_start[record]]
            for way in range(first, self.way_start[self.part_start[record + 1]]):
                self.length_s[way] = self.run_s[job]
                self.least_s[way] = self.run_s[job]

    def come(self, job: int) -> None:
        """Let an arrival wait from now on, though it is ready only when it is submitted."""
        self.state[job] = codes.WAITS
        if self.enters_at[job] > self.ripe_at[job]:
            self.ripe_at[job] = self.enters_at[job]

    def sweep(self) -> None:
        """Drop from the order whoever does not wait any more."""
        kept = 0
        for i in range(self.length):
            record = self.order[i]
            if self.state[self.record_job[record]] < codes.RUNS:
                self.order[kept] = record
                kept += 1
        self.length = kept

    def _join_lane(self, person: int, change: int) -> None:
        if self.lane[person] >= 0:
            self.lane_running[self.lane[person]] += change

    def _told(self, person: int, at: int, started: int) -> None:
        """Note for all conditions on the person that it started, or that it ended."""
        known_as = self.known_as[person]
        for i in range(self.watch_start[known_as], self.watch_start[known_as + 1]):
            condition = self.watch[i]
            if self.watch_rival[i]:
                # Once the condition is met it does not matter who starts, nor who ends then.
                more = 2 * started - 1 if self.missing[condition] > 0 else 0
            else:
                more = -1 if self.condition_started[condition] == started else 0
            if more == 0:
                continue
            self.missing[condition] += more
            if at > self.met_at[condition]:
                self.met_at[condition] = at
            if self.missing[condition] == 0:
                self._fulfil(condition, self.met_at[condition])

    def _fulfil(self, condition: int, at: int) -> None:
        job = self.condition_job[condition]
        ripe_at = at + self.condition_delay[condition]
        if self.any_of[job]:
            if self.unmet[job] == 0:
                return
            self.unmet[job] = 0
        else:
            self.unmet[job] -= 1
        if ripe_at > self.ripe_at[job]:
            self.ripe_at[job] = ripe_at
        if self.unmet[job] == 0 and self.state[job] == codes.WAITS:
            self.events.push(self.ripe_at[job], codes.RIPEN, job)
            if self.insists_s[job] >= 0:
                self.events.push(self.insists_until(job), codes.RIPEN, job)
