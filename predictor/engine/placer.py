"""Finding places for jobs, and starting them there."""

from predictor.engine import bits, sets, store
from predictor.engine.choice import Choice
from predictor.engine.clearing import Clearing
from predictor.engine.given import Given
from predictor.engine.groups import Groups
from predictor.engine.layout import Layout
from predictor.engine.leaning import Leaning
from predictor.engine.limits import Limits
from predictor.engine.queue import Queue
from predictor.engine.search import Search
from predictor.engine.timeline import Timeline
from predictor.engine.waking import Waking


class Placer:
    """Places the jobs of one queue on one timeline.

    What is started is taken on the timeline, counted by the limits and logged by the queue.
    """

    def __init__(
        self, queue: Queue, timeline: Timeline, groups: Groups, limits: Limits | None
    ) -> None:
        self.queue = queue
        self.timeline = timeline
        self.layout: Layout = self.timeline.layout
        self.words = self.timeline.words
        self.search = Search(timeline, groups.among)
        self.leaning = Leaning(self.layout, limits, self.search.portions.pieces)
        self.choice = Choice(self.search, self.leaning)
        self.groups = groups
        self.limits = limits
        self.nodes = store.words(self.queue.parts * self.words)
        """By part: where it was last placed."""
        self.first_word = store.numbers(self.queue.parts)
        self.end_word = store.numbers(self.queue.parts)
        """By part: the end of the words, from its `first_word` on, in which these nodes lie."""
        self.given = Given(timeline, self.queue.parts)
        self.way = store.numbers(self.queue.parts)
        self.length_s = store.numbers(self.queue.parts)
        """By part: how long it is planned to run where it was last placed."""
        self.brief = False
        """Whether everybody is planned as short as it would accept."""
        self.longest_s = queue.forever
        """Nobody is planned for longer."""
        self.start_at = store.numbers(self.queue.parts)
        self.boots_s = store.numbers(self.queue.parts)
        """By part: how long after its start it began to run, where nodes had to boot."""
        self.waking = Waking(timeline, queue.boots_s)
        self.clearing = Clearing(self.layout)
        self.tried = store.numbers(queue.records)
        """By record: whether the pass that looks ahead ever found it a place."""
        self.planned = store.filled([-1] * self.queue.jobs)
        """By job: the start that `plan` gave it."""

    def plan(self, now: int) -> None:
        """Give everybody the first start that delays nobody before it, and hold that for good."""
        self.search.forget()
        for i in range(self.queue.length):
            record = self.queue.order[i]
            job = self.queue.record_job[record]
            if self.planned[job] >= 0 or not self.queue.is_ready(record, now):
                continue
            start = self.place(record, now, now, 0)
            if start < 0:
                continue
            self.planned[job] = start
            for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
                self.start_at[part] = start
                self.hold(part, start, True)

    def place(self, record: int, at: int, now: int, margin_s: int) -> int:
        """Return the first start from `at` on common to all parts; -1: there is none.

        Nodes and ways of the parts are kept. A part must stay free `margin_s` longer than it runs.
        """
        first, end = self.queue.part_start[record], self.queue.part_start[record + 1]
        if end - first == 1:
            return self._place_part(first, at, at == now, margin_s)
        while True:
            latest, placed, agree = at, first, True
            while placed < end:
                # What is learned while a sibling is tentatively placed does not hold afterwards.
                start = self._place_part(placed, at, False, margin_s)
                if start < 0:
                    break
                self.hold(placed, start, True)
                self.start_at[placed] = start
                if start != latest and (placed > first or start < latest):
                    agree = False
                if start > latest:
                    latest = start
                placed += 1
            complete = placed == end
            for part in range(first, placed):
                self.hold(part, self.start_at[part], False)
                if self.start_at[part] != latest:
                    agree = False
            if complete and agree:
                return latest
            # From the last breakpoint on nothing changes: who does not fit then, never does.
            if not complete or at >= self.timeline.time[self.timeline.count - 1]:
                return -1
            at = latest

    def _place_part(self, part: int, at: int, remember: bool, margin_s: int) -> int:
        """Keep the way with the earliest start, and return that; ties go to the first way."""
        best = -1
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            kind, size = self.queue.kind[way], self.queue.size[way]
            length = self.length_of(way) + margin_s
            if remember:
                start = self.search.earliest(kind, size, length, at)
            else:
                start = self.search.first(kind, size, length, at)
            if start >= 0 and (best < 0 or start < best):
                best = start
                self.keep(part, way, start)
        return best

    def keep(self, part: int, way: int, at: int) -> None:
        """Keep the way for the part, on nodes chosen for the search that found the start `at`."""
        self.keep_as(part, way, self.queue.kind[way], at)

    def keep_as(self, part: int, way: int, kind: int, at: int) -> None:
        """Keep the way for the part, on nodes chosen as if it asked for another kind of them."""
        self.choice.choose(kind, self.queue.size[way], at)
        self.way[part] = way
        self.length_s[part] = self.length_of(way)
        first, end = self.layout.first_word[kind], self.layout.end_word[kind]
        self._set(part, self.choice.nodes, first, end)
        if self._uneven(kind):
            self.given.keep(
                part,
                self.choice.nodes,
                self.choice.gathering.given,
                self.choice.gathering.given_pieces,
            )

    def turn_to(self, part: int) -> None:
        """Take note that it is tried now to start the part."""
        way = self.queue.way_start[part]
        offset = self.queue.kind[way] * self.words
        self.leaning.turn_to(self.queue.claim[way], self.layout.candidates, offset)

    def turn_to_some(self, part: int, nodes: store.Words) -> None:
        """Take note that it is tried now to start the part as placed, on these nodes only."""
        self.leaning.turn_to(self.queue.claim[self.way[part]], nodes, 0)

    def fits_now(self, part: int, now: int, closed: store.Words) -> bool:
        """Return whether the part could start now off the closed nodes, and keep where."""
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            kind, size = self.queue.kind[way], self.queue.size[way]
            opens = self.search.opens_at(kind, size, self.length_of(way), now)
            fits = opens and self.search.keep_off(closed, kind, size)
            self.leaning.draw(kind, self.search.common)
            if fits and (not self.layout.contiguous[kind] or self.search.has_run(kind, size)):
                self.search.keep_lightest(kind, size)
                self.keep(part, way, now)
                if self.choice.suffices or not self.layout.doubtful[kind]:
                    return True
        return False

    def note_busy(self) -> None:
        """Take note which nodes somebody is on, or which are still being cleared."""
        sets.copy(self.choice.busy, 0, self.clearing.nodes, 0, self.words)
        self.groups.add_held(self.choice.busy)

    def keep_busiest(self, part: int, way: int, kind: int, at: int) -> None:
        """Keep the way for the part, on nodes first that were noted as busy."""
        self.choice.busy_first = True
        self.keep_as(part, way, kind, at)
        self.choice.busy_first = False

    def put(self, part: int, nodes: store.Words) -> None:
        """Put the part, whose way was kept, on other nodes."""
        self._set(part, nodes, 0, self.words)

    def _set(self, part: int, nodes: store.Words, first: int, end: int) -> None:
        """Put the part on nodes that all lie between two words."""
        while end > first and nodes[end - 1] == 0:
            end -= 1
        while first < end and nodes[first] == 0:
            first += 1
        self.first_word[part], self.end_word[part] = first, end
        sets.copy(self.nodes, part * self.words, nodes, 0, self.words)

    def length_of(self, way: int) -> int:
        """Return for how long the way is planned."""
        length = self.queue.least_s[way] if self.brief else self.queue.length_s[way]
        return min(length, self.longest_s)

    def hold(self, part: int, at: int, take: bool) -> None:
        """Take what the part was placed on, from `at` to its planned end, or give it back."""
        self.lay(part, at, at + self.length_s[part], take)

    def lay(self, part: int, start_at: int, end_at: int, take: bool) -> None:
        """Take what the part was placed on between two instants, or give it back."""
        kind, offset = self.queue.kind[self.way[part]], part * self.words
        shape = self.layout.shape[kind]
        uneven = self._uneven(kind)
        if uneven and take:
            self.given.take(part, self.nodes, offset, kind, start_at, end_at)
        elif uneven:
            self.given.give_back(part, self.nodes, offset, kind, start_at, end_at)
        elif take:
            self.timeline.take(self.nodes, offset, kind, shape, start_at, end_at)
        else:
            self.timeline.give_back(self.nodes, offset, kind, shape, start_at, end_at)

    def is_uneven(self, part: int) -> bool:
        """Return whether its nodes may give different numbers of CPUs where it was placed."""
        return self._uneven(self.queue.kind[self.way[part]])

    def _uneven(self, kind: int) -> bool:
        spread = self.layout.spread[kind]
        return spread >= 0 and not self.layout.whole[spread]

    def cpus_of(self, part: int, node: int) -> int:
        """Return how many CPUs a node gives that the part was placed on."""
        if self.is_uneven(part):
            return self.given.of(part, self.nodes, part * self.words, node)
        shape = self.layout.shape[self.queue.kind[self.way[part]]]
        row = shape * self.layout.classes + self.layout.node_class[node]
        return self.layout.amounts[row * self.layout.resources]

    def cpus_found(self, record: int) -> int:
        """Return how many CPUs the whole nodes have on which the record was last placed."""
        found = 0
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            offset = part * self.words
            for width in range(self.layout.widths):
                for w in range(self.words):
                    word = self.nodes[offset + w] & self.layout.width_nodes[width * self.words + w]
                    found += bits.popcount(word) * self.layout.width_cpus[width]
        return found

    def is_on(self, part: int, node: int) -> bool:
        """Return whether the part was last placed on the node."""
        w = node // self.layout.bits
        word = self.nodes[part * self.words + w]
        return word >> (node - w * self.layout.bits) & 1 != 0

    def run_s(self, job: int, record: int) -> int:
        """Return how long it runs: as told, but not beyond a limit that was cut for its start.

        Nor beyond the end of its reservation.
        """
        longest, cut = 0, False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if self.length_s[part] > longest:
                longest = self.length_s[part]
            if self.length_s[part] < self.queue.length_s[self.way[part]]:
                cut = True
        run_s = self.queue.run_s[job]
        if run_s < 0 or (cut and longest < run_s):
            run_s = longest
        first = self.queue.part_start[record]
        reservation = self.layout.reservation[self.queue.kind[self.way[first]]]
        since = self.queue.started_at[job] + self.boots_s[first]
        closes_at = self.layout.closes_at(self.timeline.calendar, reservation, since)
        return run_s if closes_at < 0 else min(run_s, closes_at - since)

    def planned_end(self, part: int) -> int:
        """Return when the part ends if it runs as long as planned."""
        return self.start_at[part] + self.length_s[part]

    def overrun(self, part: int, ends_at: int, take: bool) -> None:
        """Take or give back what a part holds beyond its planned end."""
        planned_end_at = self.planned_end(part)
        if ends_at <= planned_end_at:
            return
        self.lay(part, planned_end_at, ends_at, take)
        if take:
            offset = part * self.words
            self.groups.put_off(part, self.nodes, offset, planned_end_at, ends_at)

    def start(self, record: int, at: int) -> None:
        """Start the record where it was last placed."""
        job = self.queue.record_job[record]
        boots_s = self._wake(record, at) if self.layout.boots else 0
        longest_s = self.queue.longest_s(job, at)
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            self.boots_s[part] = boots_s
            self.length_s[part] = min(self.length_s[part], longest_s)
            self.hold(part, at, True)
            self.start_at[part] = at
            ends_at = at + self.length_s[part]
            self.groups.due_at[part] = 0
            self.groups.add(part, self.nodes, part * self.words, ends_at)
            if self.limits is not None and self.queue.claim[self.way[part]] >= 0:
                self._turn_limits_to(part, self.queue.claim[self.way[part]])
                self.limits.start(job, at)
        self.queue.start(record, at)

    def _wake(self, record: int, at: int) -> int:
        """Let the nodes of the record boot that sleep, and return how long it waits for any."""
        longest = 0
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            longest = max(longest, self.waking.wake(self.nodes, part * self.words, at))
        return longest

    def refused(self, record: int, at: int) -> bool:
        """Return whether a limit keeps the record from being looked at."""
        return self.early_rule_against(record, at) >= 0

    def early_rule_against(self, record: int, at: int) -> int:
        """Return the first rule that keeps the record from being looked at; -1: none."""
        if self.limits is None:
            return -1
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.queue.way_start[part]]
            rule = self.limits.early(claim, at) if claim >= 0 else -1
            if rule >= 0:
                return rule
        return -1

    def forgets(self, rule: int) -> bool:
        """Return whether it is not remembered whom the rule keeps from being looked at."""
        return self.limits is not None and self.limits.layout.rule_forgotten[rule] != 0

    def is_too_wide(self, record: int) -> bool:
        """Return whether a limit on nodes keeps the record from ever starting, wherever.

        Such a one is looked at like others, but no nodes are sought for it.
        """
        if self.limits is None:
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.queue.way_start[part]]
            if claim >= 0 and self.limits.layout.too_wide[claim]:
                return True
        return False

    def rule_against(self, record: int, at: int) -> int:
        """Return the first rule that keeps the record from where it was last placed; -1: none."""
        if self.limits is None:
            return -1
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.way[part]]
            if claim < 0:
                continue
            rule = self.limits.early(claim, at)
            if rule < 0:
                self._turn_limits_to(part, claim)
                rule = self.limits.late(at)
            if rule >= 0:
                return rule
        return -1

    def refused_there(self, record: int, at: int) -> bool:
        """Return whether a limit keeps the record from where it was last placed."""
        if self.limits is None:
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.way[part]]
            if claim >= 0:
                self._turn_limits_to(part, claim)
                if self.limits.late(at) >= 0:
                    return True
        return False

    def refused_anywhere(self, record: int, at: int) -> bool:
        """Return whether a limit keeps the record from starting, nodes new but those it names."""
        if self.limits is None:
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.queue.way_start[part]]
            if claim >= 0 and self.limits.late_unplaced(claim, at) >= 0:
                return True
        return False

    def refused_anew(self, record: int, at: int) -> bool:
        """Return whether a limit keeps the record from so many nodes, new but those it names."""
        if self.limits is None:
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            claim = self.queue.claim[self.way[part]]
            if claim < 0:
                continue
            cpus = self._uneven_cpus(part)
            if self.limits.late_anew(claim, self.nodes, part * self.words, cpus, at) >= 0:
                return True
        return False

    def _turn_limits_to(self, part: int, claim: int) -> None:
        """Turn the limits to a claim of the part where that was placed."""
        if self.limits is not None:
            self.limits.place(claim, self.nodes, part * self.words, self._uneven_cpus(part))

    def _uneven_cpus(self, part: int) -> int:
        """Return how many CPUs its nodes give together, if they may give different numbers."""
        uneven = self.is_uneven(part)
        return self.given.in_all(part, self.nodes, part * self.words) if uneven else 0

    def fails(self, record: int, now: int) -> bool:
        """Return whether a start now, where it was placed, comes to nothing though there is room.

        It waits on for nodes under fewer switches, or of some node whole sockets have more memory
        with their CPUs than is left. Source: Slurm 22.05, _job_test, which asks that last.
        """
        insists = self.queue.insists(self.queue.record_job[record], now)
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            kind, at = self.queue.kind[self.way[part]], part * self.words
            most = self.layout.switches_max[kind]
            if insists and 0 < most < self.leaves(part):
                return True
            by_cpu = self._uneven(kind) and self.layout.memory_each[kind] > 0
            if by_cpu and self.given.overfills(part, self.nodes, at, kind, now):
                return True
        return False

    def leaves(self, part: int) -> int:
        """Return on how many leaf switches the part was placed."""
        return self.choice.tree.leaves(self.nodes, part * self.words)

    def is_shut_out(self, record: int, now: int) -> bool:
        """Return whether nodes are closed to a fleeting record before its time is over."""
        if not self.queue.fleeting[record] or self.layout.calendars == 0:
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            way = self.way[part]
            end_at = now + self.queue.length_s[way]
            reservation = self.layout.reservation[self.queue.kind[way]]
            calendar = self.timeline.calendar
            era = self.layout.era(calendar, now)
            while era < self.layout.era_start[calendar + 1] and (
                self.layout.era_at[era] <= now or self.layout.era_at[era] < end_at
            ):
                row = (era * self.layout.reservations + reservation) * self.words
                if sets.exceeds(
                    self.nodes, part * self.words, self.layout.kept_nodes, row, self.words
                ):
                    return True
                era += 1
        return False

    def is_on_uncleared(self, record: int) -> bool:
        """Return whether it was placed on nodes that are still being cleared."""
        if self.clearing.is_over():
            return False
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            if sets.touch(self.nodes, part * self.words, self.clearing.nodes, 0, self.words):
                return True
        return False
