"""The pass of a policy: who starts now, who is planned, and who stops the others.

After flux-sched's queue policies, which share one loop and differ in the number of reservations.
"""

from predictor.engine import codes, store
from predictor.engine.filling import Filling
from predictor.engine.placer import Placer
from predictor.engine.present import Present
from predictor.engine.queue import Queue
from predictor.engine.ranking_tables import NEVER
from predictor.engine.rule_tables import PolicyRules


class PolicyPass:
    """Looks at the queue in order: whoever can start, starts.

    Who cannot is planned while the policy has a reservation left; then its nodes are taken from
    that time on. Plans outlive a pass only if everybody gets one.
    """

    def __init__(self, placer: Placer, rules: PolicyRules) -> None:
        self.placer = placer
        self.queue: Queue = placer.queue
        self.present = Present(placer)
        self.filling = Filling(self.present, rules)
        self._obey(rules)
        self.plan_at = store.filled([-1] * self.queue.jobs)
        """By job: when it is planned to start; -1: it is not planned."""
        self.plan_record = store.numbers(self.queue.jobs)
        self.plans = store.numbers(self.queue.jobs)
        """The jobs that are planned."""
        self.plan_count = 0
        self.passes = 0
        self.looks = 0
        """How often the first place at any time was sought for somebody."""
        self.seen_in = store.numbers(self.queue.jobs)
        """By job: the last pass that came to it."""
        self.left_out = False
        """Whether the last pass did not look at somebody for the others of its user."""
        self.first_left_out = store.numbers(self.queue.jobs)
        """By job: whether the first pass left it out."""
        self.of_user = store.numbers(self.queue.users)
        self.most_of_user = store.numbers(self.queue.users)
        self.of_lane = store.numbers(self.queue.lanes)
        self.reserved = store.numbers(self.queue.partitions)
        self.blocked = store.numbers(self.queue.partitions)
        self.blocks = 0
        self.found = 0
        """By which of its records the job is placed that was placed last."""

    def _obey(self, rules: PolicyRules) -> None:
        self.reservations = rules.reservations
        self.skips = rules.skips
        self.scopes = self.queue.partitions if rules.by_partition else 1
        self.fills = rules.skips and rules.filling != codes.IN_TURN
        self.eligible_max = rules.eligible_per_user
        self.queued_max = rules.queued_per_user
        self.bounds = rules.eligible_per_user > 0 or rules.queued_per_user > 0
        self.nameless = rules.nameless
        self.keeps_plans = rules.reservations < 0 and rules.every_s == 0 and not rules.forgets
        self.foresees = rules.foresees
        self.looks_max = rules.looks_max
        self.forever = NEVER

    def run(self, now: int) -> None:
        """Start or plan whoever may be; what is planned for now starts too."""
        self._begin()
        self.present.begin(now)
        renewed = not self.keeps_plans or 0 < self.looks_max < self.looks
        for i in range(self.queue.length):
            record = self.queue.order[i]
            job = self.queue.record_job[record]
            if self._is_past_help(record, job) or not self._comes_to(record, job, now):
                continue
            if self.plan_at[job] < 0 and not renewed:
                # What those before it have does not depend on whoever comes behind them.
                renewed = True
                self._withdraw_behind(i)
                self.present.begin(now)
            if self._is_left_out(job):
                self.left_out = True
            elif self.plan_at[job] < 0:
                self._look_at(record, job)
            if self.blocks == self.scopes and not self.skips and not self.bounds:
                break
        self._fill()
        if self.keeps_plans:
            self.start_planned(now)
        else:
            self._withdraw()

    def _begin(self) -> None:
        self.passes += 1
        self.left_out = False
        self.blocks = 0
        self.filling.clear()
        for scope in range(self.scopes):
            self.reserved[scope] = 0
            self.blocked[scope] = 0
        for lane in range(self.queue.lanes):
            self.of_lane[lane] = self.queue.lane_running[lane]
        if self.bounds:
            self._count_users()

    def _count_users(self) -> None:
        """Note how many of each user's jobs may be looked at."""
        for user in range(self.queue.users):
            self.of_user[user] = 0
            self.most_of_user[user] = self.queued_max if self.queued_max else self.queue.jobs
        for person in range(self.queue.people):
            user = self.queue.user[person]
            if self.queued_max and user >= 0 and self.queue.state[person] == codes.RUNS:
                self.most_of_user[user] -= 1
        for user in range(self.queue.users):
            if 0 < self.eligible_max < self.most_of_user[user]:
                self.most_of_user[user] = self.eligible_max

    # -- who is looked at ----------------------------------------------------------------

    def _scope(self, record: int) -> int:
        return self.queue.record_partition[record] if self.scopes > 1 else 0

    def _is_past_help(self, record: int, job: int) -> bool:
        """Return whether looking at the job would certainly change nothing."""
        if not self.skips or self.fills or self.bounds or self.queue.lanes > 0:
            return False
        exhausted = 0 <= self.reservations <= self.reserved[self._scope(record)]
        return exhausted and self.present.lacks_room(job)

    def _comes_to(self, record: int, job: int, now: int) -> bool:
        """Return whether the job may be considered, and was not yet by another record."""
        ready_by = self.forever if self.foresees else now
        if self.seen_in[job] == self.passes or not self.queue.is_ready(record, ready_by):
            return False
        self.seen_in[job] = self.passes
        lane = self.queue.lane[job]
        if lane >= 0:
            if self.of_lane[lane] >= self.queue.lane_width[lane]:
                return False
            self.of_lane[lane] += 1
        return True

    def _is_left_out(self, job: int) -> bool:
        """Return whether enough others of its user are looked at."""
        user = self.queue.user[job]
        if not self.bounds or user == self.nameless:
            return False
        if self.of_user[user] >= self.most_of_user[user]:
            if self.passes == 1:
                self.first_left_out[job] = 1
            return True
        self.of_user[user] += 1
        return False

    # -- what becomes of it --------------------------------------------------------------

    def _look_at(self, record: int, job: int) -> None:
        scope = self._scope(record)
        may_wait = self.reservations < 0 or self.reserved[scope] < self.reservations
        if self.fills and self.blocked[scope] and not may_wait:
            self.filling.add(job)
        elif self.skips or not self.blocked[scope]:
            start = self._place(job, may_wait)
            if start < 0 or start > self.present.now:
                self.reserved[scope] += 1 if start >= 0 else 0
                self._block(scope)

    def _block(self, scope: int) -> None:
        if not self.blocked[scope]:
            self.blocked[scope] = 1
            self.blocks += 1

    def _place(self, job: int, may_wait: bool) -> int:
        """Start or plan the job, and return for when; -1: it could be neither."""
        now = self.present.now
        start = self._soonest(job) if may_wait else self._at_once(job)
        if start == now:
            self.placer.start(self.found, now)
            self.present.count()
        elif start > now and self.foresees and 0 <= self.queue.leaves_at[job] <= start:
            self.queue.leave(job, self.queue.leaves_at[job])
            return -1
        elif start > now:
            self._plan(job, start)
        return start

    def _at_once(self, job: int) -> int:
        able = self.present.can_start(job, True)
        self.found = self.present.record
        return self.present.now if able else -1

    def _soonest(self, job: int) -> int:
        """Return the first start in any of the job's records; -1: there is none."""
        best = -1
        now = self.present.now
        at = max(now, self.queue.ripe_at[job])
        self.looks += 1
        for i in range(self.queue.job_start[job], self.queue.job_start[job + 1]):
            record = self.queue.job_record[i]
            start = self.placer.place(record, at, now, 0)
            if start >= 0 and (best < 0 or start < best):
                best = start
                self.found = record
        return best

    def _fill(self) -> None:
        """Start whoever still can, in the order of the filling."""
        if self.filling.count == 0:
            return
        self.filling.sort()
        for i in range(self.filling.count):
            self._place(self.filling.jobs[i], False)

    # -- plans ---------------------------------------------------------------------------

    def _plan(self, job: int, start: int) -> None:
        self.plan_at[job] = start
        self.plan_record[job] = self.found
        self.plans[self.plan_count] = job
        self.plan_count += 1
        self._hold(job, True)

    def _hold(self, job: int, take: bool) -> None:
        record = self.plan_record[job]
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.placer.hold(part, self.plan_at[job], take)

    def _drop(self, job: int) -> None:
        self._hold(job, False)
        self.plan_at[job] = -1

    def _withdraw(self) -> None:
        """Withdraw all plans."""
        for i in range(self.plan_count):
            self._drop(self.plans[i])
        self.plan_count = 0

    def _withdraw_behind(self, place: int) -> None:
        """Withdraw the plans of those behind this place in the queue, which are not seen yet."""
        for i in range(place, self.queue.length):
            job = self.queue.record_job[self.queue.order[i]]
            if self.plan_at[job] >= 0 and self.seen_in[job] != self.passes:
                self._drop(job)
        self._forget_dropped()

    def _forget_dropped(self) -> None:
        kept = 0
        for i in range(self.plan_count):
            if self.plan_at[self.plans[i]] >= 0:
                self.plans[kept] = self.plans[i]
                kept += 1
        self.plan_count = kept

    def start_planned(self, now: int) -> None:
        """Start those whose time has come."""
        for i in range(self.plan_count):
            job = self.plans[i]
            if self.plan_at[job] == now:
                self._drop(job)
                self.placer.start(self.plan_record[job], now)
        self._forget_dropped()

    def next_planned(self) -> int:
        """Return when the next of those planned is to start; -1: nobody is planned."""
        following = -1
        for i in range(self.plan_count):
            at = self.plan_at[self.plans[i]]
            if following < 0 or at < following:
                following = at
        return following
