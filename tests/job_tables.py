"""squeue's table and scontrol's details of jobs, written as Slurm writes them."""

from collections.abc import Mapping, Sequence

from collectors.slurm.text.jobtable import BAR, FREE, PLAIN

TOKEN = "0f1e2d3c4b5a6978"
MARK = f"<{TOKEN}>"

WAITING = {
    **dict.fromkeys(PLAIN, "0"),
    "Cluster": "live",
    "UserName": "nobody",
    "GroupName": "nogroup",
    "Account": "(null)",
    "QOS": "(null)",
    "Partition": "batch",
    "Reservation": "(null)",
    "State": "PENDING",
    "Reason": "Priority",
    "SubmitTime": "2026-11-21T20:47:55",
    "EligibleTime": "2026-11-21T20:47:55",
    "AccrueTime": "N/A",
    "StartTime": "N/A",
    "EndTime": "N/A",
    "LastSchedEval": "N/A",
    "TimeUsed": "0:00",
    "TimeLimit": "20:00",
    "MinTime": "0:00",
    "PriorityLong": "1000",
    "Dependency": "(null)",
    "Requeue": "1",
    "NumNodes": "1",
    "MaxNodes": "1",
    "NumCPUs": "1",
    "NumTasks": "1",
    "cpus-per-task": "1",
    "MinCPUs": "1",
    "MinMemory": "500M",
    "Sockets": "*",
    **dict.fromkeys(("tres-per-job", "tres-per-node", "tres-per-socket", "tres-per-task"), "N/A"),
    "tres-alloc": "cpu=1,mem=500M,node=1,billing=1",
    "Licenses": "(null)",
    "Feature": "(null)",
    "ReqNodes": "",
    "OverSubscribe": "OK",
    "Wait4Switch": "0:00",
    "NodeList": "",
    "SchedNodes": "(null)",
    "Name": "sleep",
    "Comment": "(null)",
}
"""A job of one core that waits, by squeue's names of the fields."""
RUNNING = {
    "State": "RUNNING",
    "StartTime": "2026-11-21T20:50:00",
    "EndTime": "2026-11-21T21:10:00",
    "TimeUsed": "1:00",
    "NodeList": "n[1-2]",
    "NumNodes": "2",
    "NumCPUs": "3",
    "NumTasks": "3",
    "tres-alloc": "cpu=3,mem=1500M,node=2,billing=3",
}
"""What is different of one that runs on two nodes."""


def a_row(number: int, **fields: str) -> dict[str, str]:
    """Return a row; of fields not given, those of `WAITING`."""
    ids = {"JobID": str(number), "JobArrayID": str(number), "ArrayJobID": str(number)}
    return WAITING | ids | fields


def table(rows: Sequence[Mapping[str, str]], mark: str = MARK) -> str:
    """Return what squeue prints of them, when asked with that mark."""
    headings = {name: name.upper() for name in PLAIN + FREE}
    return "".join(f"{_line(row, mark)}\n" for row in (headings, *rows))


def _line(row: Mapping[str, str], mark: str) -> str:
    plain = BAR.join(row[name] for name in PLAIN)
    return plain + mark + "".join(row[name] + mark for name in FREE)


def details_of(
    row: Mapping[str, str], *, nodes: str, held: str = "", array: str = "", **more: str
) -> str:
    """Return what `scontrol -d -o show job` prints of a row's job.

    `array` is its place in one, as `ArrayJobId=12 ArrayTaskId=5`.
    """
    said = {"ExcNodeList": "(null)", "MinMemoryCPU": "500M"} | more
    told = {"NodeList": row["NodeList"], "NumNodes": nodes, "NumCPUs": row["NumCPUs"]}
    words = " ".join(f"{key}={value}" for key, value in (told | said).items())
    return (
        f"JobId={row['JobID']} {array}{' ' if array else ''}JobName={row['Name']} "
        f"UserId=nobody(65534) Priority=1000 JobState={row['State']} Reason=None "
        f"SubmitTime={row['SubmitTime']} {words} {held} Features=(null) Comment={row['Comment']} \n"
    )
