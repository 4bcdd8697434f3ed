"""What a job holds of each node, out of pyslurm's: in the words of `squeue --json`."""

from collections.abc import Mapping

from collectors.slurm.library.records import Record, word
from collectors.slurm.words import units
from collectors.slurm.words.hostlists import expanded
from collectors.slurm.words.tasks import task_numbers
from predictor.domain import amount_of

LONGEST_CORES = 127
"""pyslurm cuts the list of a job's cores after so many characters."""


def holdings(job: Record, asked: Mapping[str, str], cpus_per_core: Mapping[str, int]) -> Record:
    """Return `job_resources` and `gres_detail`; nothing for a job without nodes.

    `asked` is what the job asks for of generic resources. Where pyslurm cannot tell who has what
    on which node, that is spread evenly. Raises ValueError.
    """
    names = expanded(word(job, "allocated_nodes"))
    if not names:
        return {}
    layout = job.get("layout")
    if isinstance(layout, dict) and set(layout) == set(names) and all(map(_told, layout.values())):
        shares = [_exact(name, layout[name], cpus_per_core) for name in names]
        gres = [_amounts(layout[name].get("gres")) for name in names]
    else:
        shares = [_even(job, name, len(names)) for name in names]
        gres = [_even_gres(job, asked, len(names))] * len(names)
    return {
        "job_resources": {"select_type": "", "nodes": {"allocation": shares}},
        "gres_detail": gres,
    }


def _told(share: object) -> bool:
    cores = share.get("cpu_ids") if isinstance(share, dict) else None
    return isinstance(cores, str) and 0 < len(cores) < LONGEST_CORES


def _exact(name: str, share: Record, cpus_per_core: Mapping[str, int]) -> Record:
    cores = len(task_numbers(word(share, "cpu_ids")))
    return _share(name, cores * cpus_per_core.get(name, 1), share.get("memory"))


def _even(job: Record, name: str, nodes: int) -> Record:
    cpus, held = job.get("cpus"), units.tres(word(job, "allocated_tres"))
    even = -(-cpus // nodes) if isinstance(cpus, int) else 0
    return _share(name, even, amount_of(held, "mem") // nodes)


def _share(name: str, cpus: int, memory_mb: object) -> Record:
    return {"name": name, "cpus": {"count": cpus}, "memory": {"allocated": memory_mb}}


def _amounts(gres: object) -> str:
    """Return `gpu:tesla:2` for `{"gpu:tesla": {"count": 2, "indexes": "0-1"}}`."""
    told = gres.items() if isinstance(gres, dict) else ()
    counts = ((name, each.get("count") if isinstance(each, dict) else each) for name, each in told)
    return ",".join(f"{name}:{count}" for name, count in counts)


def _even_gres(job: Record, asked: Mapping[str, str], nodes: int) -> str:
    held = generic(word(job, "allocated_tres")) or asked.get("tres_per_job", "")
    if held:
        return ",".join(f"{name}:{-(-amount // nodes)}" for name, amount in units.gres(held))
    return asked.get("tres_per_node", "")


def generic(bundle: str) -> str:
    """Return the generic resources of a bundle, each once: by its type if that is told.

    `cpu=1,gres/gpu=2,gres/gpu:a100=2` counts the same two GPUs twice.
    """
    parts = [part for part in bundle.split(",") if part.startswith("gres/")]
    typed = {part.partition(":")[0] for part in parts if ":" in part}
    return ",".join(part for part in parts if part.partition("=")[0] not in typed)
