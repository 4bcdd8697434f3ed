"""The main pass, in strict order: who lacks nodes stops everybody behind it in its partition.

Source: Slurm 22.05 to 26.05, main scheduler, as measured on real ones.
"""

from predictor.engine import bits, codes, sets, store
from predictor.engine.layout import Layout
from predictor.engine.licensing import Licensing
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.rule_tables import Rules
from predictor.engine.timeline import Timeline
from predictor.engine.victims import Victims


class StrictPass:
    """Starts jobs in queue order, looking at the present only."""

    def __init__(self, placer: Placer, rules: Rules, victims: Victims | None = None) -> None:
        self.placer = placer
        self.victims = victims
        self.queue: Queue = placer.queue
        self.layout: Layout = placer.layout
        self.timeline: Timeline = placer.timeline
        self.licensing: Licensing = placer.search.licensing
        self.words = placer.words
        self.licenses_planned = rules.licenses_planned
        self.licenses_with_nodes = rules.licenses_with_nodes
        self.limits_stop = rules.limits_stop
        self.min_age_s = rules.min_age_s
        self.partition_depth = rules.main_depth_per_partition
        self.starts_max = rules.main_starts_max
        self.seen = store.numbers(self.queue.partitions)
        self.failed = store.numbers(self.queue.partitions)
        self.closed = store.words(self.words)
        """The nodes that those before keep from whoever comes behind."""
        self.barred = store.words(self.words)
        """The closed nodes and those that are still being cleared."""
        self.left = store.words(self.words)
        """The nodes left to the kind that was asked about last."""
        self.rehearses = False
        """Whether nobody is started, nor ended."""
        self.full = store.numbers(self.layout.reservations)
        """By reservation: whether one of its jobs lacks nodes, which stops the others behind it."""

    def run(self, now: int, depth: int) -> None:
        """Start jobs in strict order; a job that lacks nodes stops its partition.

        It also keeps everyone behind it off all nodes of its partition, unless it named the nodes
        it wants; who has a reservation only stops those behind who have the same. Who lacks a
        license, waits for its reservation, or may not start by a limit, is passed over. Looks at
        `depth` jobs; 0: at all; those beyond the depth of their partition do not count, nor do
        tasks of an array of which one has failed there. Jobs of several components are never
        started here, and each of these stops its partition.
        """
        self._forget()
        seen, failures, started = 0, 0, self.queue.logged
        given_up, given_up_in = -1, -1
        for i in range(self.queue.length):
            record = self.queue.order[i]
            if not self.queue.is_ready(record, now):
                continue
            if self.starts_max and self.queue.logged - started >= self.starts_max:
                return
            partition = self.queue.record_partition[record]
            array = self.queue.array[self.queue.record_job[record]]
            if array == given_up and self.queue.chance[record] == given_up_in:
                continue
            given_up, given_up_in = array, self.queue.chance[record]
            self.seen[partition] += 1
            if self.partition_depth and self.seen[partition] > self.partition_depth:
                continue
            if depth and seen == depth:
                return
            seen += 1
            part = self.queue.part_start[record]
            reservation = self.layout.reservation[self.queue.kind[self.queue.way_start[part]]]
            reserved = reservation > 0
            if self.full[reservation] or (self.failed[partition] and not reserved):
                continue
            logged = self.queue.logged
            # Where it would run into what comes later it may still be over before.
            self.placer.longest_s = self.queue.longest_s(self.queue.record_job[record], now)
            verdict = self._verdict(record, now, reserved)
            self.placer.longest_s = self.queue.forever
            if self.queue.logged > logged:
                given_up = -1
            if verdict == codes.STOPS_ALL:
                return
            if verdict == codes.STOPS_NODES:
                failures += self._stop(part, partition)
            if failures == self.queue.partitions:
                return

    def weigh(self, now: int) -> None:
        """Let nodes weigh what a pass leaves that starts nobody: who fits stops others instead.

        So does who lacks licenses: if those stopped everybody, a pass before left the weights.
        """
        self.rehearses = True
        self.run(now, 0)
        self.rehearses = False

    def _forget(self) -> None:
        """Let nobody have failed yet."""
        for partition in range(self.queue.partitions):
            self.failed[partition] = 0
            self.seen[partition] = 0
        for w in range(self.words):
            self.closed[w] = 0
            self.barred[w] = self.placer.clearing.nodes[w]
        for reservation in range(self.layout.reservations):
            self.full[reservation] = 0

    def _verdict(self, record: int, now: int, reserved: bool) -> int:
        """Start the record if it may start now, and return whom it stops."""
        part = self.queue.part_start[record]
        if self.queue.whole[record] >= 0 or self._is_shut_out(part):
            return codes.STOPS_NODES
        rule = self.placer.early_rule_against(record, now)
        if rule >= 0:
            return self._keep_back(record, rule, now)
        self._note(record, False)
        if self.queue.sought[record] != codes.SOUGHT:
            return codes.STOPS_NOBODY
        if self.placer.is_too_wide(record):
            return self._holds_up(record, now) if self.limits_stop else codes.STOPS_NOBODY
        self._turn_to(part, now)
        self._heed_wish(record, now)
        unlicensed = self.licensing.lack(self.queue, part, now, self.placer.longest_s, False)
        fits = not unlicensed and self.placer.fits_now(part, now, self.barred)
        if self.victims is not None and not (unlicensed or fits or self.rehearses):
            fits = self.victims.fits_over(record, now, self.barred)
        limits_first = self.licenses_with_nodes or not unlicensed
        if limits_first and self._is_limited(record, now, fits):
            return self._holds_up(record, now) if self.limits_stop else codes.STOPS_NOBODY
        if unlicensed:
            if self.rehearses:
                return codes.STOPS_NODES
            return codes.STOPS_ALL if self.licenses_planned else codes.STOPS_NOBODY
        if fits:
            return self._starts(record, now)
        return self._lacks_nodes(record, now, reserved)

    def _starts(self, record: int, now: int) -> int:
        """Start who fits, and return whom it stops: others if it fails or nobody is started."""
        if self.rehearses:
            return codes.STOPS_NODES
        if self.placer.fails(record, now):
            return self._holds_up(record, now)
        self.placer.start(record, now)
        if self.victims is not None:
            self.victims.press(record, now)
        return codes.STOPS_NOBODY

    def _lacks_nodes(self, record: int, now: int, reserved: bool) -> int:
        """Make room for who does not fit if others may be ended for it; return whom it stops."""
        if self.victims is not None and (
            not self.rehearses and self.victims.make_room(record, now, self.barred)
        ):
            return self._holds_up(record, now)
        part = self.queue.part_start[record]
        if self._is_out_of_reach(part, now):
            return codes.STOPS_NOBODY
        if reserved:
            self._note_full(self.queue.kind[self.queue.way_start[part]])
            return codes.STOPS_NOBODY
        return self._holds_up(record, now)

    def _holds_up(self, record: int, now: int) -> int:
        """Return whom one stops who should have started: nobody if none of its slots is kept."""
        young = self.queue.is_young(record, now, self.min_age_s)
        return codes.STOPS_NOBODY if young or self.queue.is_low[record] else codes.STOPS_NODES

    def _turn_to(self, part: int, now: int) -> None:
        """Let nodes weigh what a try of the part leaves, if it is tried on any.

        Source: Slurm 22.05, _pick_best_nodes, which first looks for the nodes that a job names.
        """
        way = self.queue.way_start[part]
        kind = self.queue.kind[way]
        required = kind * self.words
        if self.layout.required_count[kind] > 0:
            self._find_left(kind, now, now + self.placer.length_of(way))
            if sets.exceeds(self.layout.required, required, self.left, 0, self.words):
                return
        self.placer.turn_to(part)

    def _heed_wish(self, record: int, now: int) -> None:
        """Let nodes be chosen on as few leaves as the record still insists on."""
        kind = self.queue.kind[self.queue.way_start[self.queue.part_start[record]]]
        insists = self.queue.insists(self.queue.record_job[record], now)
        most = self.placer.layout.switches_max[kind] if insists else 0
        self.placer.choice.branches.leaves_most = most

    def _note(self, record: int, kept_back: bool) -> None:
        """Note whether a limit keeps the record back. Source: Slurm 22.05, state_reason."""
        if not self.rehearses:
            self.queue.kept_back[self.queue.record_job[record]] = kept_back

    def _keep_back(self, record: int, rule: int, now: int) -> int:
        """Return whom one stops who may not be looked at by a rule: others once, if at all.

        Where it is not remembered whom it blocks he stops them each time.
        """
        known = self.queue.kept_back[self.queue.record_job[record]]
        self._note(record, True)
        stops = self.limits_stop and (not known or self.placer.forgets(rule))
        return self._holds_up(record, now) if stops else codes.STOPS_NOBODY

    def _is_limited(self, record: int, now: int, fits: bool) -> bool:
        """Return whether a limit on nodes and what they give keeps the record from starting.

        That speaks before the lack of nodes: who would be limited on any stops nobody. It counts
        with what the nodes have that were found for it last, if any were.
        """
        if fits:
            return self.placer.refused_there(record, now)
        if self.placer.tried[record]:
            return self.placer.refused_anew(record, now)
        return self.placer.refused_anywhere(record, now)

    def _is_out_of_reach(self, part: int, now: int) -> bool:
        """Return whether too few nodes are left to the part, and nobody is on any of these.

        Others keep the rest, who come before or have reservations. Who is there is not asked where
        jobs may be ended for others. Source: Slurm 22.05, _pick_best_nodes, ESLURM_NODE_NOT_AVAIL.
        """
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            kind = self.queue.kind[way]
            count = self._find_left(kind, now, now + self.placer.length_of(way))
            required = kind * self.words
            if sets.exceeds(self.layout.required, required, self.left, 0, self.words):
                continue
            if self.victims is None and self._is_in_use(kind):
                return False
            if count >= self.layout.nodes_needed(kind, self.queue.size[way]):
                return False
        return True

    def _find_left(self, kind: int, now: int, until: int) -> int:
        """Find the nodes of the kind that nobody before and no reservation till then keeps."""
        found, own = 0, self.layout.reservation[kind]
        sets.copy(self.left, 0, self.layout.candidates, kind * self.words, self.words)
        self.timeline.keep_open(self.left, 0, self.words, own, now, until)
        for w in range(self.words):
            self.left[w] &= self.layout.usable[w] & ~self.closed[w]
            found += bits.popcount(self.left[w])
        return found

    def _is_in_use(self, kind: int) -> bool:
        """Return whether any of the nodes left is being cleared, or is not the kind's to take.

        Nodes that are shared are, though others be there, as long as these leave any CPU.
        """
        if sets.touch(self.left, 0, self.placer.clearing.nodes, 0, self.words):
            return True
        if self.layout.exact or self.layout.takes_whole[kind]:
            row = self.timeline.row[0] * self.layout.shapes + self.layout.shape[kind]
            return sets.exceeds(self.left, 0, self.timeline.room, row * self.words, self.words)
        for w in range(self.words):
            word = self.left[w]
            while word:
                node = w * self.layout.bits + bits.lowest(word)
                word &= word - 1
                if self.timeline.free_cpus(0, node) == 0:
                    return True
        return False

    def _note_full(self, kind: int) -> None:
        """Take note that the kind's reservation, if it has begun, has too few nodes left."""
        if self.placer.search.opens(kind):
            self.full[self.layout.reservation[kind]] = 1

    def _stop(self, part: int, partition: int) -> int:
        """Stop those behind on the nodes that the part blocks; return how many partitions fail."""
        named = self._names_nodes(part)
        self._close(part, named)
        return 0 if named else self._fail(partition)

    def _fail(self, partition: int) -> int:
        if self.failed[partition]:
            return 0
        self.failed[partition] = 1
        return 1

    def _is_shut_out(self, part: int) -> bool:
        """Return whether too few nodes are left to its partition, busy ones counted."""
        way = self.queue.way_start[part]
        members = self.queue.kind[way] * self.words
        asked = self.layout.nodes_asked(self.queue.kind[way], self.queue.size[way])
        return self.layout.count_outside(self.layout.members, members, self.closed) < asked

    def _names_nodes(self, part: int) -> bool:
        way = self.queue.way_start[part]
        kind = self.queue.kind[way]
        asked = self.layout.nodes_asked(kind, self.queue.size[way])
        return self.layout.required_count[kind] >= asked

    def _close(self, part: int, named: bool) -> None:
        """Keep everyone behind off the nodes that the part names, or off its whole partition."""
        for way in range(self.queue.way_start[part], self.queue.way_start[part + 1]):
            base = self.queue.kind[way] * self.words
            for w in range(self.words):
                word = self.layout.required[base + w] if named else self.layout.members[base + w]
                self.closed[w] |= word
                self.barred[w] |= word
