"""The readers of words of Slurm and PBS, of slurmrestd, configurations and captures, with seeds."""

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import small_pbs
from campaigns.hunting import Target
from campaigns.slurm_readers import (
    NOW,
    SOURCE,
    VALUE,
    Take,
    recorded,
    rest,
    text,
)
from ways import RECORDED, WAYS

from collectors.capture import Capture
from collectors.pbs import depend, select
from collectors.pbs import words as pbs_words
from collectors.pbs.hosts import parse_hosts
from collectors.pbs.ids import parsed
from collectors.pbs.jobs import parse_jobs as parse_pbs_jobs
from collectors.pbs.queues import parse_queues
from collectors.pbs.requests import Surroundings as PbsSurroundings
from collectors.pbs.reservations import parse_reservations as parse_pbs_reservations
from collectors.pbs.server import parse_list_sched, parse_sched_config, parse_server
from collectors.slurm.coverage import told
from collectors.slurm.files.conf import parse as parse_conf
from collectors.slurm.files.dump import parse_dump
from collectors.slurm.files.setup import load_setup, setup
from collectors.slurm.rest.connection import Reply
from collectors.slurm.rest.credentials import checked, claims, expires_at
from collectors.slurm.rest.replies import answer_in, refused
from collectors.slurm.rest.routes import read as read_routes
from collectors.slurm.rest.routes import routes_among
from collectors.slurm.words import dependencies, jobids, reasons, states, tasks, units, versions


def words_of_slurm() -> Iterator[Target]:
    """Yield the readers of single words of Slurm's and PBS's."""
    durations = [
        b"10:00",
        b"1-02:03:04",
        b"UNLIMITED",
        b"00:30",
        b"90",
        b"2-00",
        b"Partition_Limit",
    ]
    tres = [b"cpu=4,mem=2000M,node=1,billing=4,gres/gpu=1", b"gpu:tesla:2(S:0-1),ssd:1", b"N/A"]
    found: Mapping[str, tuple[Take, list[bytes]]] = {
        "durations": (units.seconds, durations),
        "minutes": (units.minutes, durations),
        "whole seconds": (units.whole_seconds, durations),
        "numbers": (units.number, [b"12", b"(null)", b"1.5K"]),
        "counts": (units.count, [b"12", b"4-8", b"3M"]),
        "fractions": (units.fraction, [b"0.5", b"inf", b"1e-3"]),
        "megabytes": (units.megabytes, [b"2000M", b"1.5G", b"4T", b"0"]),
        "tres": (units.tres, tres),
        "weights": (units.weights, [b"CPU=1.0,Mem=0.25G,GRES/gpu=2.0"]),
        "gres": (units.gres, tres),
        "licences": (units.licenses, [b"matlab:2,fluent", b"a|b", b"x=3;y"]),
        "instants": (units.instant, [b"2026-11-21T02:17:32", b"Unknown", b"1795206017"]),
        "task lists": (tasks.task_numbers, [b"1-5", b"0-99:4", b"1,3,5-9%2"]),
        "shown job ids": (
            partial(jobids.numbers, array_id="7"),
            [b"7_[1-3]", b"7_2", b"12+1", b"7"],
        ),
        "reasons": (partial(reasons.obstacle, chances=1), [b"Priority", b"QOSMaxJobsPerUser"]),
        "dependencies": (
            partial(dependencies.dependencies, ids={7: "7_1"}),
            [b"afterok:7(unfulfilled),afterany:9_*", b"singleton", b"after:12+30?afterok:1:2"],
        ),
        "states": (lambda word: states.stage(word.split()), [b"PENDING", b"RUNNING COMPLETING"]),
        "versions": (versions.habits, [b"22.05.8", b"26.05.5-rc1"]),
        "pbs sizes": (pbs_words.size_mb, [b"64gb", b"67108864kb", b"1tw"]),
        "pbs amounts": (pbs_words.amount, [b"4", b"2.5"]),
        "pbs counts": (pbs_words.count, [b"4", b"-1"]),
        "pbs durations": (pbs_words.seconds, [b"01:00:00", b"90", b"100:00:00.5"]),
        "pbs instants": (pbs_words.instant, [b"Fri Nov 20 14:02:00 2026", b"1795183320"]),
        "pbs limits": (pbs_words.limits, [b"[u:PBS_GENERIC=4],[o:PBS_ALL=99]"]),
        "pbs people": (pbs_words.people, [b"ada@login1.site.org,bob"]),
        "pbs ids": (parsed, [b"104[1].heron-pbs", b"101.heron-pbs", b"104[].heron-pbs"]),
        "pbs select": (
            partial(select.chunks, defaults={"ncpus": "1"}),
            [b"2:ncpus=4:mem=8gb+1:ngpus=1", b"1:host=h1"],
        ),
        "pbs place": (select.place, [b"scatter:excl", b"pack", b"group=rack"]),
        "pbs vnodes": (
            select.vnode_chunks,
            [b"(h1:ncpus=4:mem=8gb)+(h3[0]:ncpus=4+h3[1]:ncpus=2)"],
        ),
        "pbs dependencies": (depend.dependencies, [b"afterok:101.heron-pbs:102,on:2"]),
    }
    for name, (take, seeds) in found.items():
        yield Target(
            name=name,
            read=text(take),
            seeds=seeds,
            refuses=VALUE,
            weight=12,
            longest=2**9,
            # The four million tasks that an array may have are numbers all the same.
            most_memory_bytes=(192 if name == "task lists" else 64) * 2**20,
        )


def answers_of_pbs() -> Iterator[Target]:
    """Yield the readers of what PBS's commands print."""
    way = next(way for way in WAYS if way.name == "pbs-cli")
    printed = {name: [given.encode()] for name, given in way.printed.items()}
    # As older ones print it.
    printed["qstat"].append(re.sub(r'"([0-9]+)"', r"0\1", way.printed["qstat"]).encode())
    hosts, _ = parse_hosts(way.printed["pbsnodes"])
    around = PbsSurroundings(taken_at=small_pbs.NOW, hosts=hosts)
    found: Mapping[str, tuple[Take, list[bytes]]] = {
        "qstat": (partial(parse_pbs_jobs, around=around), printed["qstat"]),
        "pbsnodes": (parse_hosts, printed["pbsnodes"]),
        "qstat -Q": (parse_queues, printed["qstat_queues"]),
        "qstat -B": (parse_server, printed["qstat_server"]),
        "pbs_rstat": (
            partial(parse_pbs_reservations, host_of={}, cpus={}),
            printed["pbs_rstat"],
        ),
        "sched_config": (parse_sched_config, [b"backfill: true ALL\nround_robin: False all\n#x\n"]),
        "list sched": (parse_list_sched, [b"Sched default\n    state = idle\n    x = 1\n"]),
    }
    for name, (take, seeds) in found.items():
        yield Target(name=name, read=text(take), seeds=seeds, refuses=SOURCE)


def slurmrestd() -> Iterator[Target]:
    """Yield the readers of replies by HTTP, and of tokens."""
    jwt = b"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3OTUyMDYwMTcsInN1biI6ImFkYSJ9.c2lnbmVk"
    bodies = [*rest("diag"), b'{"errors": [{"error": "x", "error_number": 7}]}']
    paths = [b"/slurm/v0.0.42/jobs/", b"/slurmdb/v0.0.38/qos", b"/slurm/v0.0.45/nodes/"]
    routes = [b"slurm/jobs /slurm/v0.0.42/jobs\nslurm/nodes /slurm/v0.0.45/nodes\n"]
    yield Target(name="replies", read=replied, seeds=bodies, refuses=SOURCE)
    yield Target(name="refusals", read=turned_away, seeds=bodies, refuses=SOURCE)
    yield Target(name="routes", read=text(read_routes), seeds=routes, refuses=SOURCE, weight=4)
    yield Target(
        name="paths",
        read=text(lambda t: routes_among(t.split())),
        seeds=paths,
        refuses=(),
        weight=4,
    )
    yield Target(
        name="tokens",
        read=text(lambda t: checked(t, "here")),
        seeds=[jwt],
        refuses=SOURCE,
        weight=4,
    )
    yield Target(
        name="claims",
        read=text(lambda t: (claims(t), expires_at(t))),
        seeds=[jwt],
        refuses=(),
        weight=4,
    )


def replied(data: bytes) -> object:
    """Read a reply that is an answer."""
    return answer_in(Reply(status=200, content_type="application/json", body=data), "here")


def turned_away(data: bytes) -> object:
    """Make the error of a reply that is none."""
    status = (500, 401, 302, 504)[len(data) % 4]
    return refused(Reply(status=status, content_type="", body=data), "here", "a.b.c", NOW)


def configurations(scratch: Path) -> Iterator[Target]:
    """Yield the readers of slurm.conf and what lies beside it, of dumps and tables of settings."""
    conf = [
        *recorded("slurm-*/minutes/slurm.conf"),
        b"ClusterName=x\nNodeName=n[1-4] CPUs=4 RealMemory=100\nPartitionName=p Nodes=ALL\n",
        b'NodeSet=a Feature=x\nSchedulerParameters=bf_window=10,"b c"\\\n,d # e\nInclude %c.conf\n',
    ]
    tree = [
        b"---\n- topology: m # x\n  cluster_default: true\n  tree:\n    switches:\n"
        b'      - switch: t\n        children: a,b\n      - switch: a\n        nodes: "n[1-2]"\n'
    ]
    dump = [
        b"Cluster - 'live':Fairshare=1:QOS='normal'\nParent - 'root'\nUser - 'root':DefaultAccount="
        b"'root'\nAccount - 'physics':Fairshare=30:GrpTRES=cpu=100,mem=20G:GrpWall=100\nParent - "
        b"'physics'\nUser - 'daemon':Partition='cores':Fairshare=1:MaxJobs=1\n"
    ]
    yield Target(
        name="slurm.conf",
        read=text(lambda t: setup(parse_conf(t))),
        seeds=conf,
        refuses=SOURCE,
        weight=0.2,
    )
    yield Target(
        name="slurm.conf in a folder",
        read=partial(beside, scratch, "slurm.conf"),
        seeds=conf,
        refuses=SOURCE,
        words=(b"Include slurm.conf\n", b"Include *\n", b"Include /dev/zero\n", b"Include ..\n"),
    )
    yield Target(
        name="topology.yaml",
        read=partial(beside, scratch, "topology.yaml"),
        seeds=tree,
        refuses=SOURCE,
    )
    yield Target(name="sacctmgr dump", read=text(parse_dump), seeds=dump, refuses=())
    yield Target(
        name="settings of a dump", read=text(lambda t: told.in_dump(t, "x")), seeds=dump, refuses=()
    )
    yield Target(
        name="settings of a table",
        read=text(lambda t: list(told.in_table(t))),
        seeds=recorded("slurm-*/cluster/qos.txt", "slurm-*/cluster/assoc.txt"),
        refuses=(),
    )
    yield Target(
        name="settings of a controller",
        read=text(lambda t: list(told.told({"config": t, "partitions": t}))),
        seeds=recorded("slurm-*/cluster/config.txt", "slurm-*/cluster/partitions.txt"),
        refuses=(),
    )


def beside(scratch: Path, name: str, data: bytes) -> object:
    """Read a configuration one of whose files is this."""
    folder = scratch / "conf"
    folder.mkdir(exist_ok=True)
    (folder / "slurm.conf").write_bytes(
        b"ClusterName=x\nNodeName=n[1-4]\nPartitionName=p Nodes=ALL\n"
    )
    (folder / name).write_bytes(data)
    try:
        return load_setup(folder / "slurm.conf")
    finally:
        (folder / name).unlink()


def captures(scratch: Path) -> Iterator[Target]:
    """Yield the readers of recorded command output: as packed, as lines, and of its table."""
    import zstandard

    minutes = RECORDED / "slurm-22.05" / "minutes"
    small = next(iter(sorted(RECORDED.glob("scenarios/arrays"))))
    packed = (small / "snapshots.jsonl.zst").read_bytes()
    lines = zstandard.ZstdDecompressor(max_window_size=2**31).decompressobj().decompress(packed)
    first = b"".join(lines.splitlines(keepends=True)[:14])
    accounted = (minutes / "sacct_jobs.psv.gz").read_bytes()
    pack = zstandard.ZstdCompressor(level=1).compress
    run = partial(captured, scratch, "snapshots.jsonl.zst")
    table = partial(accounted_for, scratch)
    plain = gzip.decompress(accounted)[:3_000]
    yield Target(name="captures, packed", read=run, seeds=[pack(first)], refuses=SOURCE, weight=0.3)
    yield Target(
        name="captures",
        read=lambda data: run(pack(data)),
        seeds=[first],
        refuses=SOURCE,
        weight=0.05,
    )
    yield Target(
        name="captured accounts, packed",
        read=table,
        seeds=[gzip.compress(plain)],
        refuses=SOURCE,
    )


def captured(scratch: Path, name: str, data: bytes) -> int:
    """Replay a capture whose recorded runs are these."""
    folder = scratch / "capture"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    return sum(1 for _ in Capture(folder).observations())


def accounted_for(scratch: Path, data: bytes) -> int:
    """Read how jobs ended out of a capture whose table is this."""
    folder = scratch / "accounts"
    folder.mkdir(exist_ok=True)
    (folder / "snapshots.jsonl.zst").touch()
    (folder / "sacct_jobs.psv.gz").write_bytes(data)
    return sum(1 for _ in Capture(folder).outcomes())
