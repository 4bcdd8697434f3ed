"""What a job asked for, out of its record in `squeue --json`."""

from collectors.slurm.objects.fields import Fields
from collectors.slurm.objects.uncounted import uncounted
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from predictor.domain import UNLIMITED, Limit, Request, Sharing, Tres, amount_of

_ALONE = frozenset({"none", "exclusive", "topo"})
_SAME_USER = frozenset({"user", "mcs"})
_AGREES = frozenset({"oversubscribe", "shared"})


def request_of(job: Fields, widest: int, threads: int = 1, sockets: int = 1) -> Request:
    """Return the request.

    `widest` is the number of CPUs of the largest node, `threads` the most that a core has, and
    `sockets` the most that a node has.
    """
    asked = units.tres(job.text("tres_req_str"))
    used = min(threads, job.count("threads_per_core") or threads)
    task = _task(job, asked, used)
    cpus_named = _cpus_named(job, asked)
    cpus = max(cpus_named, _cpus_of_cores(job, task, used))
    nodes_named = _nodes_named(job, asked)
    together = _tasks_together(job, sockets)
    nodes = _nodes(job, nodes_named, cpus, widest * used // threads, together)
    per_node, in_total = _gres(job, nodes)
    gres = _times(per_node, nodes) + in_total
    with_gres = _with_gres(job.text("cpus_per_tres"), gres)
    cpus, cpus_named = max(cpus, with_gres), max(cpus_named, with_gres)
    memory_mb = _with_gres(job.text("memory_per_tres"), gres)
    memory_per_node, memory_per_cpu = _memory(job)
    uneven = _is_uneven(job, nodes) and job.count("tasks") != nodes * together
    if memory_mb and in_total and uneven:
        memory_per_node, memory_per_cpu = None, -(-memory_mb // cpus)
    elif memory_mb:
        memory_per_node, memory_per_cpu = -(-memory_mb // nodes), None
    held = job.text("licenses_allocated")
    return Request(
        nodes=nodes,
        cpus=cpus,
        cpus_named=cpus_named if cpus_named < cpus else None,
        nodes_named=nodes_named if nodes_named < nodes else None,
        limit_s=_limit_s(job),
        limit_min_s=_limit_min_s(job),
        nodes_max=_nodes_max(job, nodes, cpus),
        cpus_per_node=_more_than_one(max(task, job.count("minimum_cpus_per_node"))),
        tasks_per_node=job.count("tasks_per_node") or None,
        cpus_per_core=job.count("threads_per_core") or None,
        uneven=uneven,
        scattered="SPREAD_JOB" in job.words("flags"),
        memory_per_node_mb=memory_per_node,
        memory_per_cpu_mb=memory_per_cpu,
        tmp_disk_mb=job.count("minimum_tmp_disk_per_node"),
        gres_per_node=per_node,
        gres_total=in_total,
        # Of alternatives (`a|b`) who holds some tells which; from Slurm 26.05 on.
        licenses=units.licenses(held or job.text("licenses")),
        other_licenses=() if held else units.other_licenses(job.text("licenses")),
        sharing=_sharing(job.words("shared")),
        features=job.text("features"),
        required_nodes=expanded(job.text("required_nodes")),
        excluded_nodes=expanded(job.text("excluded_nodes")),
        contiguous=job.flag("contiguous"),
        switches=job.count("required_switches") or None,
        switches_wait_s=_switches_wait_s(job),
        uncounted=uncounted(job),
    )


def _task(job: Fields, asked: Tres, used: int) -> int:
    """Return how many CPUs each task has if it has its cores to itself; 0: it need not.

    `used`: how many of a core. Slurm 22.05 does not tell how many CPUs a task asks for. Source:
    Slurm 22.05, _allocate_sc.
    """
    if job.count("tasks_per_core") != 1 or job.count("tasks_per_node"):
        return 0
    in_all = amount_of(asked, "cpu") or job.count("cpus")
    each = max(1, job.count("cpus_per_task"), in_all // max(1, job.count("tasks")))
    return -(-each // used) * used


def _cpus_named(job: Fields, asked: Tres) -> int:
    """Return how many CPUs it says it needs, whatever its tasks leave unused beside them."""
    cpus = amount_of(asked, "cpu") or job.count("cpus")
    # Who asks for more memory than goes with a CPU waits for more CPUs than its TRES say.
    if "PENDING" in job.words("job_state") and not job.count("restart_cnt"):
        cpus = max(cpus, job.count("cpus"))
    return max(1, cpus)


def _cpus_of_cores(job: Fields, task: int, used: int) -> int:
    """Return how many CPUs go with the cores that its tasks take; 0: it says nothing of cores."""
    on_a_core = job.count("tasks_per_core")
    if not on_a_core:
        return 0
    return max(-(-job.count("tasks") // on_a_core) * used, job.count("tasks") * task)


def _nodes_named(job: Fields, asked: Tres) -> int:
    # `node_count` of a waiting job is Slurm's guess from its last plan; the TRES hold the least
    # number asked for, which can still be too few for the CPUs (`-n 100` alone asks for 1 node).
    return max(1, amount_of(asked, "node") or job.count("node_count"))


def _tasks_together(job: Fields, sockets: int) -> int:
    """Return how many of its tasks a node has at most; 0: any number."""
    return job.count("tasks_per_node") or job.count("tasks_per_socket") * sockets


def _nodes(job: Fields, named: int, cpus: int, widest: int, together: int) -> int:
    for_cpus = -(-cpus // widest) if widest else 1
    for_tasks = -(-job.count("tasks") // together) if together else 1
    return max(named, for_cpus, for_tasks)


def _nodes_max(job: Fields, nodes: int, cpus: int) -> int | None:
    bound = job.count("max_nodes")
    # Of a range it takes the least; who names none is spread as ever.
    if bound and "USE_MIN_NODES" in job.words("flags"):
        return None
    # A running job tells of no bound, but it has none if it is on more nodes than it asked for.
    held = job.count("node_count") if job.text("nodes") else 0
    if not bound and (not held or held > nodes) and not _is_forgotten(job):
        bound = job.count("tasks")  # without a bound it takes up to a node per task
    if held > nodes and _would_do_with_fewer(job, held, cpus):
        bound = held  # without one its tasks alone would have put it on fewer
    return bound if bound > nodes else None


def _would_do_with_fewer(job: Fields, held: int, cpus: int) -> bool:
    """Return whether one node less than it has would hold all that a running job asked for."""
    allocated = amount_of(units.tres(job.text("tres_alloc_str")), "cpu")
    return allocated * (held - 1) >= cpus * held


def _is_uneven(job: Fields, nodes: int) -> bool:
    """Return whether its tasks may lie on its nodes in different numbers, or anyhow on one."""
    told = nodes == 1 or not _is_forgotten(job)
    return job.count("tasks") > 1 and not job.count("tasks_per_node") and told


def _is_forgotten(job: Fields) -> bool:
    """Return whether it was sent back, after which Slurm tells no more its most nodes."""
    return job.count("restart_cnt") > 0 and not job.count("max_nodes")


def _more_than_one(amount: int) -> int | None:
    return amount if amount > 1 else None


def _limit_s(job: Fields) -> Limit:
    minutes = job.number("time_limit")
    if minutes is None or minutes is UNLIMITED:
        return minutes
    return 60 * job.count("time_limit")


def _limit_min_s(job: Fields) -> int | None:
    """Return the least limit it is planned for; Slurm plans who has a deadline for all of its."""
    return None if job.count("deadline") else 60 * job.count("time_minimum") or None


def _memory(job: Fields) -> tuple[int | None, int | None]:
    """Return MB per node and per CPU; at most one of them is given."""
    per_node, per_cpu = job.number("memory_per_node"), job.number("memory_per_cpu")
    if isinstance(per_cpu, int):
        return None, job.count("memory_per_cpu")
    if isinstance(per_node, int):
        return job.count("memory_per_node"), None
    # Slurm 22.05 writes null for both where newer versions say 0 per node: all of the memory.
    everything = job.is_null("memory_per_node") and job.is_null("memory_per_cpu")
    return (0 if everything else None), None


def _gres(job: Fields, nodes: int) -> tuple[Tres, Tres]:
    per_node = dict(units.gres(job.text("tres_per_node")))
    for name, amount in units.gres(job.text("tres_per_socket")):
        per_node[name] = amount * max(1, job.count("sockets_per_node"))
    in_total = dict(units.gres(job.text("tres_per_job")))
    for name, amount in units.gres(job.text("tres_per_task")):
        in_total[name] = amount * max(job.count("tasks"), nodes)
    return tuple(sorted(per_node.items())), tuple(sorted(in_total.items()))


def _times(gres: Tres, count: int) -> Tres:
    return tuple((name, amount * count) for name, amount in gres)


def _with_gres(word: str, gres: Tres) -> int:
    """Return how much goes with so many generic resources, by what goes with each: `gres:gpu:4`."""
    each = dict(units.gres(word))
    return sum(
        amount * each.get(name, each.get(name.partition(":")[0], 0)) for name, amount in gres
    )


def _switches_wait_s(job: Fields) -> int | None:
    """Return how long it waits for so few switches; None: for ever, or it asks for no number."""
    longest = job.number("maximum_switch_wait_time")
    return longest if job.count("required_switches") and isinstance(longest, int) else None


def _sharing(words: tuple[str, ...]) -> Sharing:
    if not _ALONE.isdisjoint(words):
        return Sharing.EXCLUSIVE
    if not _SAME_USER.isdisjoint(words):
        return Sharing.USER
    return Sharing.SHARED if _AGREES.isdisjoint(words) else Sharing.AGREES
