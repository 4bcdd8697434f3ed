"""What the machine gives: how full it is, how well jobs are packed, and how soon all is done."""

from collections.abc import Iterable, Sequence

from verification.measures.course import Ran, Watch
from verification.measures.queue import waiting_cpus
from verification.measures.steps import held, mean, together


def utilisation(jobs: Iterable[Ran], watch: Watch) -> float:
    """Return the share of the machine's CPU-seconds that jobs held, in [0, 1]."""
    return mean(held(cpus_held(jobs), watch.since, watch.until)) / watch.cpus


def throughput_per_h(jobs: Iterable[Ran], watch: Watch) -> float:
    """Return how many jobs ended in an hour, over the time watched."""
    ended = sum(1 for job in jobs if job.end_at and watch.since <= job.end_at < watch.until)
    return 3600 * ended / watch.span_s


def makespan_s(jobs: Iterable[Ran], watch: Watch) -> int | None:
    """Return how many seconds after `since` the last job ended; None: some are not known to.

    Those who left the queue unstarted do not count.
    """
    ends = [job.end_at for job in jobs if job.left_at is None]
    known = [end for end in ends if end is not None]
    return max(known) - watch.since if known and len(known) == len(ends) else None


def fragmentation(jobs: Sequence[Ran], watch: Watch) -> float:
    """Return the share of CPU-seconds lost, in [0, 1]: they were idle while jobs asked for them.

    At any instant lost is what is idle, but no more than those who wait ask for. Whoever must not
    start yet counts as well. Source: the "loss of capacity" of Zhang, Franke, Moreira and
    Sivasubramaniam, An Integrated Approach to Parallel Scheduling, 2003.
    """
    busy = held(cpus_held(jobs), watch.since, watch.until)
    lost = sum(
        length_s * min(wanted, max(0, watch.cpus - used))
        for length_s, used, wanted in together(busy, waiting_cpus(jobs, watch))
    )
    return lost / (watch.cpus * watch.span_s)


def allocation_efficiency(jobs: Iterable[Ran], watch: Watch) -> float | None:
    """Return the share of the CPUs of nodes in use that jobs hold, over time, in [0, 1].

    1: no node is used in part. A job's CPUs are taken to lie evenly on its nodes. None: places are
    not told, or nothing ran. Source: AccaSim, "resource allocation efficiency".
    """
    by_node: dict[str, list[tuple[int, int | None, int]]] = {}
    held_s = 0.0
    for job in jobs:
        if job.start_at is None or not watch.node_cpus:
            continue
        length_s = _overlap_s(job.start_at, job.end_at, watch)
        held_s += length_s * job.cpus if job.node_names else 0
        for name in job.node_names:
            by_node.setdefault(name, []).append((job.start_at, job.end_at, 1))
    in_use_s = sum(
        watch.node_cpus.get(name, 0) * (end - begin)
        for name, spans in by_node.items()
        for begin, end, height in held(spans, watch.since, watch.until)
        if height
    )
    return held_s / in_use_s if in_use_s else None


def _overlap_s(begin: int, end: int | None, watch: Watch) -> int:
    last = watch.until if end is None else min(end, watch.until)
    return max(0, last - max(begin, watch.since))


def cpus_held(jobs: Iterable[Ran]) -> Iterable[tuple[int, int | None, int]]:
    """Return from when until when (None: on and on) how many CPUs were held, job by job."""
    return ((job.start_at, job.end_at, job.cpus) for job in jobs if job.start_at is not None)
