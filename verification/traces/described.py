"""What a trace tells of a job, in the words that models of run times know."""

from predictor.domain import JobSpec, Request, Untrusted

DESCRIBED = ("user", "group", "executable", "queue", "partition")
"""The fields that tell whose job it is and of which kind."""
UNKNOWN = -1


def spec_of(
    number: int,
    user: int,
    group: int,
    executable: int,
    queue: int,
    partition: int,
    *,
    procs: int,
    limit_s: int,
    at: int,
) -> JobSpec:
    """Return the job: the executable stands for its name, and each processor for a node."""
    return JobSpec(
        id=str(number),
        user=f"u{user}",
        account=f"g{group}",
        name=Untrusted("" if executable == UNKNOWN else f"x{executable}"),
        partitions=(f"q{queue}p{partition}",),
        request=Request(nodes=procs, cpus=procs, limit_s=limit_s),
        submitted_at=at,
        eligible_at=at,
    )
