"""Jobs, out of pyslurm's: brought into the words of `squeue --json`, and read as those are."""

from collections.abc import Mapping

from collectors.slurm.library.holdings import generic, holdings
from collectors.slurm.library.records import UNLIMITED, Record, joined, read, word
from collectors.slurm.library.wishes import Wishes
from collectors.slurm.objects.jobs import JobList, jobs_of
from collectors.slurm.surroundings import Surroundings
from collectors.slurm.words.reasons import word_of
from predictor.domain import Fact, Quarantined

_SAME = (
    *("cluster", "name", "comment", "account", "qos", "partition", "user_id", "user_name"),
    *("group_name", "submit_time", "eligible_time", "accrue_time", "start_time", "end_time"),
    *("suspend_time", "scheduled_nodes", "required_nodes", "excluded_nodes", "cpus"),
    *("deadline", "priority", "nice", "max_nodes", "sockets_per_node", "required_switches"),
)
_RENAMED = {
    "job_id": "id",
    "job_state": "state",
    "resv_name": "reservation",
    "restart_cnt": "requeue_count",
    "requeue": "is_requeueable",
    "array_job_id": "array_id",
    "array_task_id": "array_task_id",
    "array_max_tasks": "array_tasks_parallel",
    "het_job_id": "heterogeneous_id",
    "het_job_offset": "heterogeneous_offset",
    "pre_sus_time": "pre_suspension_time",
    "last_sched_evaluation": "last_sched_evaluation_time",
    "time_limit": "time_limit",
    "time_minimum": "time_limit_min",
    "nodes": "allocated_nodes",
    "node_count": "num_nodes",
    "tasks": "ntasks",
    "tasks_per_node": "ntasks_per_node",
    "minimum_cpus_per_node": "min_cpus_per_node",
    "minimum_tmp_disk_per_node": "temporary_disk_per_node",
    "contiguous": "requires_contiguous_nodes",
    "maximum_switch_wait_time": "max_wait_time_switches",
    "tres_req_str": "requested_tres",
}
_SHARED = {"NO": "none", "YES": "oversubscribe", "USER": "user", "MCS": "mcs"}
_KINDS = ("after", "afterany", "afterburstbuffer", "aftercorr", "afternotok", "afterok")


def parse_jobs(
    text: str, around: Surroundings, wishes: Wishes | None = None
) -> tuple[JobList, tuple[Quarantined, ...]]:
    """Return the jobs of pyslurm's `Jobs.load()`, each id once. Raises SourceError."""
    found, bad = read(Fact.JOBS, text, lambda job: in_squeues_words(job, around, wishes or {}))
    jobs, also_bad = jobs_of(list(found), around)
    return jobs, bad + also_bad


def in_squeues_words(job: Record, around: Surroundings, wishes: Wishes) -> Record:
    """Return a job's record in the words of `squeue --json`. Raises ValueError."""
    number = job.get("id")
    gres = _gres(job, wishes.get(number, {}) if isinstance(number, int) else {})
    return {
        **{name: _bound(job[name]) for name in _SAME if name in job},
        **{name: _bound(job[theirs]) for name, theirs in _RENAMED.items() if theirs in job},
        **_tasks(job),
        **_memory(job),
        **gres,
        **holdings(job, gres, around.cpus_per_core),
        "state_reason": word_of(word(job, "state_reason")),
        "dependency": _dependency(job),
        "licenses": word(job, "licenses"),
        "features": word(job, "constraints"),
        "shared": _SHARED.get(word(job, "resource_sharing"), ""),
        "exit_code": _exit_code(job),
    }


def _bound(value: object) -> object:
    return {"infinite": True} if value == UNLIMITED else value


def _tasks(job: Record) -> Record:
    """Return the tasks of an array that a job stands for."""
    if "array_id" not in job:
        return {}
    waiting, parallel = word(job, "array_tasks_waiting"), word(job, "array_tasks_parallel")
    if not waiting:
        return {"array_task_id": job.get("array_task_id", 0)}  # pyslurm takes task 0 for none
    return {"array_task_string": f"{waiting}%{parallel}" if parallel else waiting}


def _memory(job: Record) -> Record:
    """Return MB per node or per CPU; null for both is all memory, as pyslurm takes 0 for none."""
    if "memory_per_gpu" in job:
        return {}
    return {name: job.get(name) for name in ("memory_per_node", "memory_per_cpu")}


def _gres(job: Record, wish: Mapping[str, str]) -> dict[str, str]:
    """Return what the job asks for per node, socket, task, or in all.

    Of what it asks for in all or per socket pyslurm tells at most how much that is in all, if the
    site counts such resources; squeue's word comes first.
    """
    per_node = job.get("gres_per_node")
    asked = {
        "tres_per_node": joined(per_node, ":") if isinstance(per_node, dict) else "",
        "tres_per_task": word(job, "tres_per_task"),
        "tres_per_socket": word(job, "tres_per_socket"),
        "tres_per_job": word(job, "tres_per_job"),
    }
    asked["tres_per_node"] = asked["tres_per_node"] or word(job, "tres_per_node")
    told = {name: words for name, words in {**asked, **wish}.items() if words}
    return told or {"tres_per_job": generic(word(job, "requested_tres"))}


def _dependency(job: Record) -> str:
    """Return the conditions as Slurm writes them."""
    told = job.get("dependencies")
    if not isinstance(told, dict):
        return ""
    found = [f"{kind}:{other}" for kind in _KINDS for other in _listed(told, kind)]
    if told.get("singleton") or not found:
        # Of `singleton(unfulfilled)` pyslurm tells only that there is a dependency.
        found.append("singleton")
    return ("?" if told.get("satisfy") == "any" else ",").join(found)


def _listed(told: Record, kind: str) -> list[object]:
    found = told.get(kind, [])
    if not isinstance(found, list):
        raise ValueError(f"dependencies: {kind}: expected a list, got {str(found)[:40]!r}")
    return found


def _exit_code(job: Record) -> Record:
    ended_by_signal = bool(job.get("exit_code_signal"))
    return {"return_code": {"set": not ended_by_signal, "number": job.get("exit_code", 0)}}
