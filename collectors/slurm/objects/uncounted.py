"""What a job asks for that no plan counts, out of its record in `squeue --json`."""

from collections.abc import Iterator

from collectors.slurm.objects.fields import Fields

TOPO = "--exclusive=topo"

_NUMBERED = (
    ("segment_size", "--segment"),
    ("sockets_per_node", "--sockets-per-node"),
    ("cores_per_socket", "--cores-per-socket"),
)


def uncounted(job: Fields) -> tuple[str, ...]:
    """Return it as options of sbatch: how nodes lie, and how CPUs lie in them."""
    return tuple(_options(job))


def _options(job: Fields) -> Iterator[str]:
    sizes = job.words("job_size_str")
    # Text does not tell them any more of who has started or left.
    if sizes and "PENDING" in job.words("job_state"):
        yield f"--nodes={','.join(sizes)}"
    yield from (f"{option}={job.count(key)}" for key, option in _NUMBERED if job.count(key) > 1)
    if "topo" in job.words("shared"):
        yield TOPO
    if "GRES_BINDING_ENFORCED" in job.words("flags"):
        yield "--gres-flags=enforce-binding"
