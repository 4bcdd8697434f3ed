"""An independent scheduler: slow, obvious, and without any code of the packages.

Whole nodes only. At every instant at which something happens it looks at the queue anew, with
running jobs expected to end at their limits; no plan is kept.
"""

from dataclasses import dataclass, field


@dataclass(kw_only=True)
class Task:
    id: str
    submit: int
    nodes: int
    run: int
    limit: int
    start: int | None = None
    on: tuple[int, ...] = ()

    @property
    def end(self) -> int | None:
        return None if self.start is None else self.start + self.run


@dataclass(kw_only=True)
class Taken:
    """A node that is not to be had for a while."""

    node: int
    since: int
    until: int


@dataclass(kw_only=True)
class NaiveCluster:
    """So many nodes under a policy: fcfs, list, easy or conservative."""

    size: int
    policy: str
    tasks: list[Task] = field(default_factory=list)

    def run(self) -> None:
        """Let every task start."""
        now = 0
        while any(task.start is None for task in self.tasks):
            planned = self._look(now)
            instants = [task.submit for task in self.tasks] + planned
            instants += [task.end for task in self.tasks if task.end is not None]
            now = min(at for at in instants if at > now)

    def _look(self, now: int) -> list[int]:
        """Start who may start now; return for when others are planned."""
        taken = [one for task in self._running(now) for one in _taken(task.on, task.start, task)]
        reservations = {"fcfs": 0, "list": 0, "easy": 1}.get(self.policy, len(self.tasks))
        planned, blocked = [], False
        for task in self._waiting(now):
            if blocked and self.policy == "fcfs":
                break
            may_wait = len(planned) < reservations
            at = self._earliest(task, now, taken) if may_wait else now
            free = self._free(at, at + task.limit, taken)
            if len(free) < task.nodes:
                blocked = True
                continue
            chosen = tuple(free[: task.nodes])
            taken += _taken(chosen, at, task)
            if at == now:
                task.start, task.on = now, chosen
            else:
                blocked = True
                planned.append(at)
        return planned

    def _running(self, now: int) -> list[Task]:
        return [one for one in self.tasks if one.start is not None and one.start + one.run > now]

    def _waiting(self, now: int) -> list[Task]:
        queue = [task for task in self.tasks if task.start is None and task.submit <= now]
        return sorted(queue, key=lambda task: (task.submit, int(task.id)))

    def _earliest(self, task: Task, now: int, taken: list[Taken]) -> int:
        instants = sorted({now, *(one.until for one in taken if one.until > now)})
        return next(
            at for at in instants if len(self._free(at, at + task.limit, taken)) >= task.nodes
        )

    def _free(self, since: int, until: int, taken: list[Taken]) -> list[int]:
        """Return the nodes that nobody has at any time from `since` to before `until`."""
        clash = {one.node for one in taken if one.since < until and one.until > since}
        return [node for node in range(self.size) if node not in clash]


class TwoPasses(NaiveCluster):
    """Plans for everybody as Slurm's backfill pass does, every second and with all nodes alike.

    Plans keep nodes to themselves; whoever chooses among these knows of runners, not of plans.
    """

    def _look(self, now: int) -> list[int]:
        plans: list[Taken] = []
        planned = []
        for task in self._waiting(now):
            found = self._plan(task, now, plans)
            if found is None:
                continue
            at, chosen = found
            if at == now:
                task.start, task.on = now, chosen
            else:
                plans += _taken(chosen, at, task)
                planned.append(at)
        return planned

    def _plan(self, task: Task, now: int, plans: list[Taken]) -> tuple[int, tuple[int, ...]] | None:
        """Return when the task would start, and where; None if it gets no plan."""
        given_up = {node: one.start + one.limit for one in self._running(now) for node in one.on}
        at: int | None = now
        while at is not None:
            # The instant at which the task may end has to be free as well.
            free = self._free(at, at + task.limit + 1, plans)
            opening = self._opening(at, plans)
            if len(free) < task.nodes:
                at = opening
                continue
            enough_at = sorted(given_up.get(node, now) for node in free)[task.nodes - 1]
            start = max(at, enough_at)
            if opening is not None and start > opening:
                at = opening
                continue
            left = [node for node in free if given_up.get(node, now) <= enough_at]
            chosen = tightest(left, task.nodes)
            if set(chosen) <= set(self._free(start, start + task.limit, plans)):
                return start, chosen
            at = start
        return None

    def _opening(self, at: int, plans: list[Taken]) -> int | None:
        """Return when a plan gives up nodes next that no other plan takes at once."""
        ends = sorted({one.until for one in plans if one.until > at})
        return next(
            (
                end
                for end in ends
                if set(self._free(end, end + 1, plans)) - set(self._free(end - 1, end, plans))
            ),
            None,
        )


def _taken(nodes: tuple[int, ...], start: int, task: Task) -> list[Taken]:
    return [Taken(node=node, since=start, until=start + task.limit) for node in nodes]


def tightest(free: list[int], count: int) -> tuple[int, ...]:
    """Return the first of the shortest run of neighbours that is enough, else of the longest."""
    chosen: list[int] = []
    while len(chosen) < count:
        missing = count - len(chosen)
        runs = runs_of([node for node in free if node not in chosen])
        enough = [run for run in runs if len(run) >= missing]
        best = min(enough, key=len) if enough else max(runs, key=len)
        chosen += best[:missing]
    return tuple(sorted(chosen))


def runs_of(nodes: list[int]) -> list[list[int]]:
    """Return the runs of neighbours."""
    runs: list[list[int]] = []
    for node in nodes:
        if runs and runs[-1][-1] == node - 1:
            runs[-1].append(node)
        else:
            runs.append([node])
    return runs
