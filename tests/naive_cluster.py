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
    """So many nodes under a policy: fcfs, list, easy, conservative, or two-pass."""

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
        taken = [
            Taken(node=node, since=task.start, until=task.start + task.limit)
            for task in self.tasks
            if task.start is not None and task.start + task.run > now
            for node in task.on
        ]
        queue = [task for task in self.tasks if task.start is None and task.submit <= now]
        queue.sort(key=lambda task: (task.submit, int(task.id)))
        planned, reserved, blocked = [], 0, False
        for task in queue:
            if blocked and self.policy == "fcfs":
                break
            may_wait = {"fcfs": 0, "list": 0, "easy": 1}.get(self.policy, len(queue)) > reserved
            at = self._earliest(task, now, taken) if may_wait else now
            free = self._free(task, at, taken)
            if len(free) < task.nodes:
                blocked = True
                continue
            chosen = self._choose(free, task.nodes)
            taken += [Taken(node=n, since=at, until=at + task.limit) for n in chosen]
            if at == now:
                task.start, task.on = now, chosen
            else:
                blocked = True
                reserved += 1
                planned.append(at)
        return planned

    def _earliest(self, task: Task, now: int, taken: list[Taken]) -> int:
        instants = sorted({now, *(one.until for one in taken if one.until > now)})
        return next(at for at in instants if len(self._free(task, at, taken)) >= task.nodes)

    def _free(self, task: Task, at: int, taken: list[Taken]) -> list[int]:
        """Return the nodes that nobody has for as long as the task may run from `at` on."""
        clash = {one.node for one in taken if one.since < at + task.limit and one.until > at}
        return [node for node in range(self.size) if node not in clash]

    def _choose(self, free: list[int], count: int) -> tuple[int, ...]:
        if self.policy != "two-pass":
            return tuple(free[:count])
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
