"""A second opinion on policies: decides anew each second, by trying second after second.

Shares no code with the engine. A problem is what `engine_scenes.Scene` is made of; nodes are taken
in their order.
"""

from dataclasses import dataclass

LONGEST = 400
"""Until then everything has started that these problems can hold."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """So many CPUs of a node that are held from one second up to another."""

    node: int
    start: int
    end: int
    cpus: int


def held_by(running, nodes, cpus):
    """Return what those hold who run."""
    return [
        Piece(node=n, start=0, end=one["until"], cpus=one.get("cpus", cpus))
        for one in running.values()
        for n in range(nodes)
        if one["nodes"] >> n & 1
    ]


class Machine:
    def __init__(self, nodes, cpus):
        self.nodes, self.cpus = nodes, cpus

    def is_free(self, node, pieces, wanted, start, end):
        for second in range(start, end):
            there = [p for p in pieces if p.node == node and p.start <= second < p.end]
            if sum(piece.cpus for piece in there) + wanted > self.cpus:
                return False
        return True

    def find(self, job, pieces, start):
        """Return what the job would hold if it started then; None: too few nodes are free."""
        end, wanted = start + job["s"], job.get("cpus", self.cpus)
        allowed = [n for n in range(self.nodes) if job.get("candidates", -1) >> n & 1]
        free = [n for n in allowed if self.is_free(n, pieces, wanted, start, end)]
        if "total" in job:
            given = self.spread(job, {n: self.left(n, pieces, start, end) for n in free})
            return given and [
                Piece(node=n, start=start, end=end, cpus=cpus) for n, cpus in given.items()
            ]
        if len(free) < job["nodes"]:
            return None
        return [Piece(node=n, start=start, end=end, cpus=wanted) for n in free[: job["nodes"]]]

    def left(self, node, pieces, start, end):
        """Return how many CPUs of the node nobody has all the time."""
        return max(
            wanted
            for wanted in range(self.cpus + 1)
            if self.is_free(node, pieces, wanted, start, end)
        )

    @staticmethod
    def spread(job, left):
        """Return how many CPUs each node gives to a job that takes what the first have; or None."""
        task, rest, able = job["cpus"], job["total"], {}
        for node, cpus in left.items():
            if rest > 0:
                able[node] = min(cpus, max(rest, task))
                rest -= able[node]
        return None if rest > 0 else dealt(able, job["total"] // task, task)


def dealt(able, tasks, task):
    """Deal tasks, one to each node in turn; at last whatever is left where none fits any more."""
    given = dict.fromkeys(able, 0)
    while tasks > 0:
        fits = [n for n in able if able[n] - given[n] >= task]
        for node in (fits or able)[:tasks] if fits else list(able)[:tasks]:
            given[node] = min(able[node], given[node] + task)
            tasks -= 1
    return given


def slow_pass(machine, queue, held, now, policy):
    """Return what is decided now: of whom (by name) what is held, from when on."""
    decided = {}
    pieces = list(held)
    reserved, blocked = 0, False
    for name, job in queue:
        if blocked and not policy["skips"]:
            break
        may_wait = policy["reservations"] < 0 or reserved < policy["reservations"]
        instants = range(now, LONGEST) if may_wait else [now]
        places = (machine.find(job, pieces, start) for start in instants)
        found = next((place for place in places if place), None)
        if found is None or found[0].start > now:
            blocked = True
        if found is not None:
            reserved += found[0].start > now
            decided[name] = found
            pieces += found
    return decided


def slow_starts(jobs, running, nodes, cpus, policy):
    """Return when each job starts, and on which nodes, if it is decided anew each second."""
    machine = Machine(nodes, cpus)
    held = held_by(running, nodes, cpus)
    starts = {}
    for now in range(LONGEST):
        waiting = ((n, job) for n, job in jobs.items() if n not in starts)
        queue = [(n, job) for n, job in waiting if job.get("not_before", 0) <= now]
        held = [piece for piece in held if piece.end > now]
        if not queue and len(starts) == len(jobs):
            break
        for name, found in slow_pass(machine, queue, held, now, policy).items():
            if found[0].start == now:
                starts[name] = [now, [piece.node for piece in found]]
                held += found
    return starts
