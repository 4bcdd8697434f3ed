"""Suspended jobs: they keep what they hold, and lend their CPUs to the jobs that preempted them.

Source: Slurm 22.05, PreemptMode=SUSPEND,GANG, as measured on a real one: the time limit of a
suspended job does not run, and only those for whom it was suspended get any of its CPUs.
"""

from predictor.engine import codes, store
from predictor.engine.layout import Layout
from predictor.engine.placer import Placer
from predictor.engine.ranking_tables import NEVER
from predictor.engine.roster import Roster
from predictor.engine.timeline import Timeline


class Still:
    """The loans between those who run: of which node, how many CPUs, until when at the latest."""

    def __init__(self, placer: Placer, roster: Roster) -> None:
        self.placer = placer
        self.roster = roster
        self.layout: Layout = placer.layout
        self.timeline: Timeline = placer.timeline
        self.forever = NEVER
        people = placer.queue.people
        self.left_s = store.filled([-1] * people)
        """How long each who stands still will run on; -1: it does not stand still."""
        self.planned_s = store.numbers(people)
        """How long each who stands still is planned to run on."""
        self.count = 0
        self.giver = store.numbers(16)
        self.taker = store.numbers(16)
        self.node = store.numbers(16)
        self.cpus = store.numbers(16)
        self.whole = store.numbers(16)
        self.until = store.numbers(16)

    def set_aside(self, person: int, now: int, aside: bool) -> None:
        """Let it be as if somebody had no CPUs, nor ever gave any back, or as it is."""
        if self._lends_all(person):
            self.roster.show_ends(person, not aside)
        if aside:
            self._lay_loans(person, now, False)
        for hold in range(self.roster.first(person), self.roster.last(person)):
            for node in range(self.layout.nodes):
                if self.roster.holds(hold, node):
                    self._lay(hold, node, now, self.roster.until(person), aside)
        if not aside:
            self._lay_loans(person, now, True)

    def _lends_all(self, person: int) -> bool:
        """Return whether nothing is left for its end to give back once somebody has no CPUs."""
        for hold in range(self.roster.first(person), self.roster.last(person)):
            for node in range(self.layout.nodes):
                if not self.roster.holds(hold, node) or self._is_whole(hold, node):
                    continue
                amounts = self._amounts(hold, node)
                for k in range(1, self.layout.resources):
                    if self.layout.amounts[amounts + k] > 0:
                        return False
        return True

    def _lay(self, hold: int, node: int, now: int, until: int, lend: bool) -> None:
        cpus, whole = self._cpus(hold, node), self._is_whole(hold, node)
        if lend:
            self.timeline.lend(node, cpus, whole, now, until)
        else:
            self.timeline.reclaim(node, cpus, whole, now, until)

    def _lay_loans(self, giver: int, now: int, lend: bool) -> None:
        for i in range(self.count):
            if self.giver[i] == giver:
                self._lay_loan(i, now, lend)

    def _lay_loan(self, i: int, now: int, lend: bool) -> None:
        node, cpus, whole, until = self.node[i], self.cpus[i], self.whole[i], self.until[i]
        if lend:
            self.timeline.lend(node, cpus, whole != 0, now, until)
        else:
            self.timeline.reclaim(node, cpus, whole != 0, now, until)

    def _cpus(self, hold: int, node: int) -> int:
        if hold < self.roster.queue.parts:
            return self.placer.cpus_of(hold, node)
        return self.layout.amounts[self._amounts(hold, node)]

    def _is_whole(self, hold: int, node: int) -> bool:
        """Return whether all is held that the node has."""
        if hold < self.roster.queue.parts and self.placer.is_uneven(hold):
            return False
        amounts = self._amounts(hold, node)
        capacity = self.layout.node_class[node] * self.layout.resources
        for k in range(self.layout.resources):
            if self.layout.amounts[amounts + k] < self.layout.capacity[capacity + k]:
                return False
        return True

    def _amounts(self, hold: int, node: int) -> int:
        row = self.roster.shape(hold) * self.layout.classes + self.layout.node_class[node]
        return row * self.layout.resources

    # -- loans ----------------------------------------------------------------------------

    def lack(self, node: int) -> int:
        """Return how many CPUs of the node are taken now that it does not have."""
        return -self.timeline.free_cpus(0, node)

    def lend(self, giver: int, taker: int, node: int, now: int, until: int) -> None:
        """Let somebody stand still for who takes its CPUs of the node, as far as those lack."""
        for hold in range(self.roster.first(giver), self.roster.last(giver)):
            if not self.roster.holds(hold, node):
                continue
            wanted = min(self.lack(node), self._cpus(hold, node) - self._lent(giver, node))
            if wanted <= 0:
                continue
            self._halt(giver, now, until)
            if self.count == len(self.giver):
                self._more()
            i = self.count
            self.count += 1
            self.giver[i], self.taker[i], self.node[i] = giver, taker, node
            self.cpus[i], self.whole[i], self.until[i] = wanted, 0, until
            if self._is_whole(hold, node) and self._lent(giver, node) == wanted:
                self.whole[i] = 1
            self._lay_loan(i, now, True)

    def _lent(self, giver: int, node: int) -> int:
        found = 0
        for i in range(self.count):
            if self.giver[i] == giver and self.node[i] == node:
                found += self.cpus[i]
        return found

    def _halt(self, person: int, now: int, until: int) -> None:
        if self.left_s[person] < 0:
            self.left_s[person] = self.roster.ends_at[person] - now
            self.planned_s[person] = self.roster.until(person) - now
        # Who plans sees its end put off only once it goes on.
        self.roster.move_end(person, max(until, self.roster.until(person)))
        self.roster.ends_at[person] = self.forever
        self._prolong(person, now)

    def _prolong(self, taker: int, now: int) -> None:
        """Let loans to somebody last as long as it holds anything, which may be longer now."""
        until = self.roster.until(taker)
        for i in range(self.count):
            if self.taker[i] == taker and self.until[i] < until:
                self._lay_loan(i, now, False)
                self.until[i] = until
                self.roster.move_end(self.giver[i], max(until, self.roster.until(self.giver[i])))
                self._lay_loan(i, now, True)
                self._prolong(self.giver[i], now)

    def release(self, taker: int, now: int) -> None:
        """Let those go on whose CPUs nobody else has whom somebody gives back who is gone."""
        kept, first = 0, self.count
        for i in range(self.count):
            if self.taker[i] == taker:
                self._lay_loan(i, now, False)
        for i in range(self.count):
            if self.taker[i] != taker:
                self._move(i, kept)
                kept += 1
        self.count = kept
        if kept < first:
            self._resume(now)

    def _resume(self, now: int) -> None:
        """Let all go on who stand still and lend nothing."""
        for i in range(self.roster.count):
            person = self.roster.people[i]
            if self.left_s[person] >= 0 and not self._lends(person):
                ends_at = now + self.left_s[person]
                self.left_s[person] = -1
                self.roster.ends_at[person] = ends_at
                self.roster.move_end(person, max(now + self.planned_s[person], ends_at))
                self._prolong(person, now)
                self.placer.queue.events.push(ends_at, codes.END, person)

    def _lends(self, person: int) -> bool:
        loans = 0
        for i in range(self.count):
            if self.giver[i] == person:
                loans += 1
        return loans > 0

    def _move(self, source: int, target: int) -> None:
        self.giver[target], self.taker[target] = self.giver[source], self.taker[source]
        self.node[target], self.cpus[target] = self.node[source], self.cpus[source]
        self.whole[target], self.until[target] = self.whole[source], self.until[source]

    def _more(self) -> None:
        size = 2 * len(self.giver)
        self.giver = store.grown(self.giver, size)
        self.taker = store.grown(self.taker, size)
        self.node = store.grown(self.node, size)
        self.cpus = store.grown(self.cpus, size)
        self.whole = store.grown(self.whole, size)
        self.until = store.grown(self.until, size)
