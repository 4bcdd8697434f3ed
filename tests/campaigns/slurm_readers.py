"""The readers of what Slurm and PBS answer, with recorded answers to begin from."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from campaigns.hunting import Target
from ways import RECORDED, WAYS, Way

from collectors.commands import Printed
from collectors.slurm import past
from collectors.slurm.library import jobs as library_jobs
from collectors.slurm.library import nodes as library_nodes
from collectors.slurm.library import settings as library_settings
from collectors.slurm.library import tables as library_tables
from collectors.slurm.library.process import _head_of
from collectors.slurm.library.wishes import parse_gres
from collectors.slurm.objects import accounting as accounting_objects
from collectors.slurm.objects import config as config_objects
from collectors.slurm.objects import diagnosis, limits, nodes, partitions, reservations, shares
from collectors.slurm.objects import jobs as job_objects
from collectors.slurm.objects import licenses as license_objects
from collectors.slurm.surroundings import Surroundings
from collectors.slurm.text import jobs as job_text
from collectors.slurm.text import limits as limit_text
from collectors.slurm.text import nodes as node_text
from collectors.slurm.text import partitions as partition_text
from collectors.slurm.text import reservations as reservation_text
from collectors.slurm.text.accounting import parse_accounting
from collectors.slurm.text.assoc_mgr import parse_usage
from collectors.slurm.text.config import parse_config
from collectors.slurm.text.groups import parse_groups
from collectors.slurm.text.jobdetails import parse_details
from collectors.slurm.text.licenses import parse_licenses
from collectors.slurm.text.planned import parse_planned
from collectors.slurm.text.sdiag import parse_diagnosis
from collectors.slurm.text.sprio import parse_priorities
from collectors.slurm.text.sshare import parse_shares
from collectors.slurm.text.topology import parse_topology, parse_wishes
from predictor import lml
from predictor.clock import SystemClock
from predictor.errors import SourceError

VERSIONS = ("22.05", "24.11", "26.05")


NOW = 1_795_206_017


AROUND = Surroundings(taken_at=NOW, cpus_per_core={"n01": 1}, widest=8)


SMALL = 8_000


"""A long answer is cut to so many bytes at the end of a line: mutated often, it is read often."""


MARK = "~abcdefgh"


Take = Callable[[str], object]


def text(take: Take) -> Callable[[bytes], object]:
    """Return what reads bytes as they come from a command: what is no UTF-8 is replaced."""
    return lambda data: take(data.decode(errors="replace"))


def recorded(*patterns: str) -> list[bytes]:
    """Return the recorded answers whose paths match."""
    files = sorted(file for pattern in patterns for file in RECORDED.glob(pattern))
    assert files, patterns
    return [short(_unpacked(file)) for file in files]


def _unpacked(file: Path) -> bytes:
    data = file.read_bytes()
    return gzip.decompress(data) if file.suffix == ".gz" else data


def short(data: bytes) -> bytes:
    """Return the beginning of a text; of an answer in JSON, the first few of each list."""
    if len(data) <= SMALL:
        return data
    if data.lstrip()[:1] == b"{":
        return json.dumps(_fewer(json.loads(data))).encode()
    return data[: data.rfind(b"\n", 0, SMALL) + 1 or SMALL]


def _fewer(value: object) -> object:
    if isinstance(value, dict):
        return {key: _fewer(inner) for key, inner in value.items()}
    return [_fewer(inner) for inner in value[:2]] if isinstance(value, list) else value


def rest(name: str) -> list[bytes]:
    """Return the answers of slurmrestd to one question, of all releases."""
    return recorded(f"slurm-*/forms/rest_{name}.json.gz")


def pyslurm(key: str) -> list[bytes]:
    """Return what the process that asks pyslurm tells."""
    told_of = []
    for version in VERSIONS:
        recorded_of = json.loads((RECORDED / f"slurm-{version}" / "pyslurm.json").read_text())
        known = recorded_of.get(key, [])
        found = known[:3] if isinstance(known, list) else [known]
        told_of += [json.dumps({"pyslurm": "25.11.2", "found": found}).encode()] if found else []
    return told_of


SOURCE = (SourceError,)


VALUE = (ValueError, OverflowError)


def answers_in_text() -> Iterator[Target]:
    """Yield the readers of what Slurm's commands print."""
    table = recorded("slurm-*/forms/squeue_table.txt")
    details, _ = parse_details((RECORDED / "slurm-22.05/forms/jobs_details.txt").read_text())
    jobs = partial(job_text.parse_jobs, around=AROUND, details=details, version=(24, 11, 5))
    found: Mapping[str, tuple[Take, list[bytes]]] = {
        "squeue table": (jobs, table),
        "scontrol show job": (parse_details, recorded("slurm-*/forms/jobs_details.txt")),
        "scontrol show config": (parse_config, recorded("slurm-*/cluster/config.txt")),
        "scontrol show nodes": (node_text.parse_nodes, recorded("slurm-*/cluster/nodes_text.txt")),
        "scontrol show partition": (
            partition_text.parse_partitions,
            recorded("slurm-*/cluster/partitions.txt"),
        ),
        "scontrol show reservation": (
            partial(reservation_text.parse_reservations, cpus={"n01": 4}),
            recorded("slurm-*/cluster/reservations.txt"),
        ),
        "scontrol show assoc_mgr": (parse_usage, recorded("slurm-*/cluster/assoc_mgr.txt")),
        "scontrol show licenses": (parse_licenses, recorded("slurm-*/cluster/licenses.txt")),
        "scontrol show topology": (parse_topology, recorded("slurm-*/cluster/topology.txt")),
        "squeue switches": (parse_wishes, recorded("slurm-*/cluster/switches.txt")),
        "squeue planned": (parse_planned, [b"7|n[1-4]|\n12|(null)|\n 9|n01,n02|\n"]),
        "squeue gres": (parse_gres, [b"7|gres/gpu:1|N/A|N/A|\n6|N/A||N/A|\n"]),
        "getent group": (parse_groups, [b"blue:x:1001:ann,bob\nred:x:1002:\n"]),
        "sprio": (parse_priorities, recorded("slurm-*/cluster/sprio.txt")),
        "sshare": (parse_shares, recorded("slurm-*/cluster/sshare.txt")),
        "sdiag": (parse_diagnosis, recorded("slurm-*/cluster/sdiag.txt")),
        "sacctmgr qos": (limit_text.parse_qos, recorded("slurm-*/cluster/qos.txt")),
        "sacctmgr assoc": (
            partial(limit_text.parse_associations, cluster="lab"),
            recorded("slurm-*/cluster/assoc.txt"),
        ),
        "sacct table": (parse_accounting, recorded("slurm-*/accounting/sacct.txt")),
    }
    for name, (take, seeds) in found.items():
        yield Target(name=name, read=text(take), seeds=seeds, refuses=SOURCE)
    yield Target(
        name="sacct rows", read=streamed, seeds=sacct_rows(), refuses=SOURCE, words=(MARK.encode(),)
    )


def sacct_rows() -> list[bytes]:
    """Return what sacct prints when its columns are parted by a mark."""
    plain = [
        line for data in recorded("slurm-*/accounting/sacct.txt") for line in data.split(b"\n")
    ]
    rows = [
        line.replace(b"|", MARK.encode())
        for line in plain
        if line.count(b"|") == 18 and b"Unknown" not in line
    ]
    return [b"\n".join((*rows[at : at + 3], b"")) for at in range(1, 10, 3)]


def streamed(data: bytes) -> object:
    """Read sacct's rows as they come, in two pieces. Raises what the reading raises."""

    def stream(_argv: object, _timeout_s: float, take: Callable[[bytes], object]) -> Printed:
        take(data[: len(data) // 2])
        take(data[len(data) // 2 :])
        return Printed(output="", size_bytes=len(data))

    answer = past.ask_accounting(
        stream,
        SystemClock(),
        since=0,
        until=NOW,
        take=len,
        timeout_s=9,
        mark=lambda: MARK,
    )
    if answer.error is not None:
        raise answer.error
    return answer


def answers_in_json() -> Iterator[Target]:
    """Yield the readers of answers in JSON: commands', slurmrestd's, and those of pyslurm."""
    squeue = recorded("slurm-*/cluster/squeue.json", "slurm-22.05/submissions/squeue.json")
    found: Mapping[str, tuple[Take, list[bytes]]] = {
        "jobs in JSON": (
            partial(job_objects.parse_jobs, around=AROUND),
            squeue + rest("jobs"),
        ),
        "nodes in JSON": (
            nodes.parse_nodes,
            recorded("slurm-*/cluster/sinfo.json") + rest("nodes"),
        ),
        "nodes one by one": (nodes.one_by_one, rest("nodes")),
        "reservations in JSON": (
            partial(reservations.parse_reservations, cpus={"n01": 4}),
            rest("reservations"),
        ),
        "partitions in JSON": (partitions.parse_partitions, rest("partitions")),
        "diagnosis in JSON": (diagnosis.parse_diagnosis, rest("diag")),
        "shares in JSON": (shares.parse_shares, rest("shares")),
        "licenses in JSON": (license_objects.parse_licenses, rest("licenses")),
        "settings in JSON": (config_objects.parse_config, rest("conf")),
        "about in JSON": (config_objects.parse_about, rest("diag")),
        "accounting in JSON": (
            partial(accounting_objects.parse_ended, place="here"),
            recorded("slurm-*/accounting/jobs.json"),
        ),
        "qos in JSON": (limits.parse_qos, rest_of("qos")),
        "associations in JSON": (
            partial(limits.parse_associations, cluster="lab"),
            rest_of("associations"),
        ),
        "pyslurm's jobs": (partial(library_jobs.parse_jobs, around=AROUND), pyslurm("jobs")),
        "pyslurm's nodes": (library_nodes.parse_nodes, pyslurm("nodes")),
        "pyslurm's settings": (library_settings.parse_config, pyslurm("config")),
        "pyslurm's diagnosis": (library_settings.parse_diagnosis, pyslurm("diag")),
        **pyslurm_tables(),
    }
    for name, (take, seeds) in found.items():
        yield Target(name=name, read=text(take), seeds=seeds, refuses=SOURCE)
    heads = [b'{"exit": 0, "bytes": 1200}', b'{"exit": 1, "bytes": 0}']
    yield Target(name="pyslurm's head", read=_head_of, seeds=heads, refuses=(ValueError,), weight=4)


def rest_of(what: str) -> list[bytes]:
    """Return slurmrestd's answers about a thing, out of the recordings of all its answers."""
    told_of = []
    for version in VERSIONS:
        packed = (RECORDED / f"slurm-{version}" / "rest.jsonl.gz").read_bytes()
        lines = map(json.loads, gzip.decompress(packed).decode().splitlines())
        told_of += [
            short(json.dumps(line["answer"]).encode())
            for line in lines
            if line["path"].rstrip("/").endswith(what)
        ]
    return told_of


def pyslurm_tables() -> Mapping[str, tuple[Take, list[bytes]]]:
    """Return the readers of pyslurm's tables with what was recorded for them."""
    takes: Mapping[str, Take] = {
        "partitions": library_tables.parse_partitions,
        "reservations": partial(library_tables.parse_reservations, cpus={"n01": 4}),
        "licenses": library_tables.parse_licenses,
        "associations": partial(library_tables.parse_associations, cluster="lab"),
    }
    return {f"pyslurm's {name}": (take, pyslurm(name)) for name, take in takes.items()}


def whole_looks() -> Iterator[Target]:
    """Yield looks in which one answer is hostile, for each way of looking and each answer.

    What is accepted must be something that a recording gives back as it was given.
    """
    for way in WAYS:
        for name in sorted(way.own):
            yield Target(
                name=f"{way.name}: {name}",
                read=partial(looked, way, name),
                seeds=[way.printed[name].encode()],
                refuses=SOURCE,
                weight=0.02,
            )


def looked(way: Way, name: str, data: bytes) -> None:
    """Look with that answer to one question, and write and read what was seen."""
    given = data.decode(errors="replace")
    others = frozenset(way.printed.keys() - way.needed - {name})
    seen = way.look({name: lambda _good: given}, others).snapshot
    if lml.read(lml.write(seen)).snapshot != seen:
        raise AssertionError("a recording would give back something else")
