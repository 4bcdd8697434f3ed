"""A job's shape as the lines of a script that ask for it."""

from collections.abc import Iterator, Mapping

from predictor.cli.terminal import plain

OPTIONS = {
    "nodes": "nodes",
    "ntasks": "ntasks",
    "cpus_per_task": "cpus-per-task",
    "time_limit": "time",
    "mem_mb": "mem",
    "mem_per_cpu_mb": "mem-per-cpu",
    "gres": "gres",
    "licenses": "licenses",
    "constraint": "constraint",
    "exclusive": "exclusive",
    "partition": "partition",
    "account": "account",
    "qos": "qos",
    "reservation": "reservation",
    "nodelist": "nodelist",
}
"""By the name in a shape, the option of sbatch."""


def directives(shape: Mapping[str, object]) -> Iterator[str]:
    """Yield an `#SBATCH` line for each thing that the shape asks for."""
    for key, option in OPTIONS.items():
        wanted = shape.get(key)
        if wanted is True:
            yield f"#SBATCH --{option}"
        elif wanted not in (None, False, ""):
            yield f"#SBATCH --{option}={plain(str(wanted))}"
