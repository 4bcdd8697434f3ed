"""The priorities of all who wait, recomputed as time moves on."""

from predictor.engine import powers, store
from predictor.engine.ranking_tables import NEVER, UNKNOWN, RankingTables
from predictor.engine.shares import Shares, reals

HIGHEST = 4_294_967_295
"""The highest priority; the lowest is 1, because 0 means held."""


class Ranking:
    """Who waits has a number per slot, a record in a partition; who runs is charged for it.

    Between recomputations no number changes, but for those who arrive. Instants never go back,
    except to the start. `spares`: so many who share a slot may get one of their own.
    """

    def __init__(self, tables: RankingTables, spares: int = 0) -> None:
        self.shares = Shares(tables.tree, tables.formula, tables.dampening, tables.fairshare_weight)
        self.first_at = tables.recomputed_at
        self.period_s = tables.period_s
        self.age_weight = tables.age_weight
        self.max_age_s = tables.max_age_s
        self.kept = tables.kept
        self.rises_only = tables.rises_only
        self.resets = store.filled(tables.resets)
        self._lay_slots(tables, spares)
        self._lay_runs(tables)
        self.restart()

    def _lay_slots(self, tables: RankingTables, spares: int) -> None:
        slots = tables.slots
        self.first_slots = len(slots)
        self.first_number = store.filled([one.number for one in slots])
        self.first_since = store.filled([one.since for one in slots])
        self.first_waits = store.filled([int(one.waits) for one in slots])
        self.moves = store.filled([int(one.moves) for one in slots])
        self.place = store.filled([one.place for one in slots])
        self.held = store.filled([int(one.held) for one in slots])
        self.payer = store.filled([one.payer for one in slots])
        self.sharer = store.filled([one.sharer for one in slots])
        self.age = reals([one.age for one in slots])
        self.fairshare = reals([one.fairshare for one in slots])
        self.association = reals([one.association for one in slots])
        self.size_untried = reals([one.size for one in slots])
        self.size_tried = reals([one.size_tried for one in slots])
        self.size_per_cpu = reals([one.size_per_cpu for one in slots])
        self.sizes_vary = any(one.size_per_cpu for one in slots)
        """Whether what a size is worth hangs on the place found last."""
        self.partition = reals([one.partition for one in slots])
        self.qos = reals([one.qos for one in slots])
        self.tres = reals([one.tres for one in slots])
        self.rest = reals([one.rest for one in slots])
        self.most_slots = len(slots) + spares
        self.made_of = store.filled(range(len(slots)), self.most_slots)
        """By slot: the one of the start whose figures it counts with."""
        self.number = store.numbers(self.most_slots)
        self.since = store.numbers(self.most_slots)
        self.waits = store.numbers(self.most_slots)
        self.size = store.reals(self.most_slots)

    def _lay_runs(self, tables: RankingTables) -> None:
        runs = tables.runs
        most = max(len(runs), tables.most_runs)
        self.most_runs = most
        self.first_runs = len(runs)
        self.first_started_at = store.filled([one.started_at for one in runs])
        self.run_payer = store.filled([one.payer for one in runs], most)
        self.run_place = store.filled([one.place for one in runs], most)
        self.run_rate = reals([one.rate for one in runs], most)
        self.started_at = store.numbers(most)
        self.ended_at = store.numbers(most)
        self.charged = store.numbers(most)
        """Those that may still be charged, by their jobs' places."""

    def restart(self) -> None:
        """Go back to the start: all that ran then runs on."""
        self.shares.restart()
        self.recomputed_at = self.first_at
        self.resets_seen = 0
        self.slots = self.first_slots
        for slot in range(self.slots):
            self.number[slot] = self.first_number[slot]
            self.since[slot] = self.first_since[slot]
            self.waits[slot] = self.first_waits[slot]
            self.size[slot] = self.size_untried[slot]
        for run in range(self.first_runs):
            self.charged[run] = run
            self.started_at[run] = self.first_started_at[run]
            self.ended_at[run] = NEVER
        self.charging = self.first_runs

    # -- what happens ----------------------------------------------------------------------

    def begin(self, run: int, slot: int, rate: float, at: int, end_at: int) -> None:
        """Charge whoever pays for the slot with so much usage per second; NEVER: it goes on."""
        self.run_payer[run] = self.payer[self.made_of[slot]]
        self.run_rate[run] = rate
        self.started_at[run] = at
        self.ended_at[run] = end_at
        self.run_place[run] = self.place[self.made_of[slot]]
        i = self.charging
        # The order counts only where usage is read while it is charged.
        while not self.shares.ranked and i > 0 and self._is_behind(self.charged[i - 1], slot):
            self.charged[i] = self.charged[i - 1]
            i -= 1
        self.charged[i] = run
        self.charging += 1

    def _is_behind(self, run: int, slot: int) -> bool:
        return self.run_place[run] > self.place[self.made_of[slot]]

    def finish(self, run: int, at: int) -> None:
        """Charge a run until `at`, which may be to come, whatever was said before."""
        self.ended_at[run] = at

    def accrue(self, slot: int, at: int) -> None:
        """Let the slot age from `at` on, unless it does, or is to, from another instant on."""
        if self.since[slot] == UNKNOWN:
            self.since[slot] = at

    def tried(self, slot: int, cpus: int) -> None:
        """Count the slot with the size that was planned for it, on nodes of so many CPUs.

        If that counts and is not known, as 0 says, its size stays as it was.
        """
        made_of = self.made_of[slot]
        if cpus == 0 and self.size_per_cpu[made_of] != 0:
            return
        self.size[slot] = self.size_tried[made_of] + self.size_per_cpu[made_of] * cpus

    def is_sized(self, slot: int) -> bool:
        """Return whether the slot already counts with the size planned for it, if that is one."""
        made_of = self.made_of[slot]
        if self.size_per_cpu[made_of] != 0:
            return True
        return self.size[slot] == self.size_tried[made_of]

    def enter(self, slot: int, at: int) -> None:
        """Let an arrival have a number at once, by the fairshare in force."""
        self.waits[slot] = 1
        if self.moves[self.made_of[slot]]:
            self.number[slot] = self._sum(slot, at)

    def own_slot(self, slot: int) -> int:
        """Return a slot of its own for one of those who share this one, which counts as it does."""
        own = self.slots
        self.slots += 1
        self.made_of[own] = self.made_of[slot]
        self.number[own] = self.number[slot]
        self.since[own] = self.since[slot]
        self.waits[own] = self.waits[slot]
        self.size[own] = self.size[slot]
        return own

    def enter_again(self, slot: int, at: int, ready_at: int) -> None:
        """Let somebody wait anew who was sent back; its age begins once it is ready.

        Its number stays until all are recomputed. Source: Slurm 22.05.
        """
        self.since[slot] = ready_at
        self.size[slot] = self.size_untried[self.made_of[slot]]
        if self.number[slot] == UNKNOWN:
            self.enter(slot, at)
        self.waits[slot] = 1

    def leave(self, slot: int) -> None:
        """Let the number of somebody who waits no more stay as it is."""
        self.waits[slot] = 0

    # -- what comes of it ------------------------------------------------------------------

    def value(self, slot: int) -> int:
        """Return the number in force: 0 for who is held, UNKNOWN where nobody knows it."""
        return self.number[slot]

    def due_at(self) -> int:
        """Return when all numbers are to be recomputed next."""
        return self.recomputed_at + self.period_s

    def recompute(self, at: int) -> None:
        """Recompute all numbers that can be, as of `at`, which is after the last time.

        Linear in slots and runs, n log n in the share tree.
        """
        if self.shares.members > 0:
            self._charge_ended(at)
            self.shares.begin()
            self.shares.fade(powers.power(self.kept, at - self.recomputed_at))
            self._charge_others(at)
            self.shares.rate()
        self.recomputed_at = at
        for slot in range(self.slots):
            if self.moves[self.made_of[slot]] and self.waits[slot]:
                number = self._sum(slot, at)
                if number > self.number[slot] or not self.rises_only:
                    self.number[slot] = number

    def _charge_ended(self, at: int) -> None:
        """Charge what ended since the last time, which was charged at its end, before any fading.

        A reset comes with the recomputation, and forgives that.
        Source: Slurm, Multifactor Priority Plugin.
        """
        if self._reset(at):
            self.shares.empty()
            return
        for i in range(self.charging):
            run = self.charged[i]
            if self.ended_at[run] <= at:
                self._charge(run, self.ended_at[run])

    def _charge_others(self, at: int) -> None:
        """Charge what goes on, job after job.

        Where usage is read meanwhile, somebody's counts with what was charged before the first of
        his jobs that waits. Source: Slurm 22.05, _decay_thread without Fair Tree, as read.
        """
        going_on, slot = 0, 0
        for i in range(self.charging):
            run = self.charged[i]
            if self.ended_at[run] > at:
                slot = self._rate_before(self.run_place[run], slot)
                self._charge(run, at)
                self.charged[going_on] = run
                going_on += 1
        self.charging = going_on
        self._rate_before(NEVER, slot)

    def _rate_before(self, place: int, slot: int) -> int:
        """Rate whose slots, from this one on, wait before the place; return the first behind.

        Those who were held at the start are passed over.
        """
        if self.shares.ranked:
            return slot
        while slot < self.slots and self.place[self.made_of[slot]] < place:
            made_of = self.made_of[slot]
            counts = self.waits[slot] and self.moves[made_of] and not self.held[made_of]
            if counts and self.sharer[made_of] >= 0:
                self.shares.rate_one(self.sharer[made_of])
            slot += 1
        return slot

    def _charge(self, run: int, until: int) -> None:
        """Charge a run for the time since the last recomputation, faded while that passed."""
        since = self.started_at[run]
        if since < self.recomputed_at:
            since = self.recomputed_at
        if until > since and self.run_payer[run] >= 0:
            seconds = until - since
            amount = self.run_rate[run] * seconds * powers.power(self.kept, seconds)
            self.shares.charge(self.run_payer[run], amount)

    def _reset(self, at: int) -> bool:
        """Return whether usage was reset since the last recomputation."""
        found = False
        while self.resets_seen < len(self.resets) and self.resets[self.resets_seen] <= at:
            if self.resets[self.resets_seen] > self.recomputed_at:
                found = True
            self.resets_seen += 1
        return found

    def _sum(self, slot: int, at: int) -> int:
        """Return the sum of the factors, in Slurm's order, cut to a whole number."""
        made_of = self.made_of[slot]
        age, fairshare = self.age[made_of], self.fairshare[made_of]
        if self.since[slot] != UNKNOWN:
            age = self.age_weight * self._age_factor(at - self.since[slot])
        if self.sharer[made_of] >= 0:
            fairshare = self.shares.points[self.sharer[made_of]]
        points = age + self.association[made_of] + fairshare + self.size[slot]
        points = points + self.partition[made_of] + self.qos[made_of]
        points = points + self.tres[made_of] + self.rest[made_of]
        if points >= HIGHEST:
            return HIGHEST
        return int(points) if points > 1 else 1

    def _age_factor(self, seconds: int) -> float:
        if seconds <= 0:
            return 0.0
        if seconds >= self.max_age_s:
            return 1.0
        return seconds / self.max_age_s
