"""The readers of documents, site files, formulas, recordings, questions and tokens, with seeds."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from campaigns.hunting import Target
from clusters import NOW, cluster, running, waiting
from services import Client, StandingClock, board, client, result, said, scene

from collectors.cli import _setting
from collectors.lmlfile import LmlFile
from collectors.sitefile import asked_for
from predictor import lml
from predictor.cli import client as asking
from predictor.cli.columns import columns, layout, ordered
from predictor.cli.request import Memory, of_script, shape
from predictor.cli.timesyntax import deadline
from predictor.domain import Snapshot
from predictor.domain.instants import instant_of
from predictor.errors import (
    DocumentError,
    FormulaError,
    QueuecastError,
    ServiceError,
    SiteError,
    SourceError,
)
from predictor.hostlists import expanded, folded
from predictor.lml.check import check
from predictor.priority.attributes import ATTRIBUTES
from predictor.priority.formula import compile_formula
from predictor.scheduling.features import UnsupportedConstraint, alternatives
from predictor.service.asking.identify import Identify
from predictor.service.asking.peers import Peer, owner
from predictor.service.asking.tokens import Tokens
from predictor.service.asking.viewers import Role, Viewer
from predictor.service.jobids import parse_job_ids
from predictor.service.problems import Refused
from predictor.service.questions import JobsQuestion
from predictor.service.watches.bodies import Wish
from predictor.service.whatif.asking import Supposing
from predictor.service.whatif.shapes import WhatIf, amounts, limit_s
from predictor.site import default
from predictor.site.access import AccessTable
from predictor.site.load import load
from predictor.site.values import host_name, seconds
from predictor.suppositions import Supposed
from predictor.web.whatif import read as form
from verification.gate import parse_gate

HOUSE = Path(__file__).parents[2]


DOCUMENTS = HOUSE / "tests" / "lml" / "documents"


VALUE = (ValueError, OverflowError)


WORD = 2**9


"""Inputs of readers of single words are no longer."""


def text(take: Callable[[str], object]) -> Callable[[bytes], object]:
    """Return what reads bytes as they come from a person, lone surrogates and all."""
    return lambda data: take(data.decode("utf-8", "surrogateescape"))


def filed(file: Path, take: Callable[[Path], object]) -> Callable[[bytes], object]:
    """Return what reads bytes out of a file."""

    def read(data: bytes) -> object:
        file.write_bytes(data)
        return take(file)

    return read


def small() -> Snapshot:
    """A cluster with a job of each kind."""
    return cluster(2, waiting("11", 2), running("10", "n1", 30))


def documents(scratch: Path) -> Iterator[Target]:
    """Yield the readers of LML: ours, others', of a folder; the checker; adding predictions."""
    seen = small()
    seeds = [
        lml.write(seen, said(seen)),
        *((DOCUMENTS / name).read_bytes() for name in ("larch.lml", "llview.lml")),
    ]
    words = (
        *(b'<data key="x" value="1"/>', b"</info>", b'<object id="job1" name="1" type="job"/>'),
        *(
            b'<?xml version="1.0" encoding="UTF-16"?>',
            b"\xef\xbb\xbf",
            b"\xff\xfe<",
            b"<!ENTITY a 'b'>",
        ),
        *(b"value=", b"key=", b"~2", b"x_format"),
        *(b"1..4000000", b"(n[1-999999],32)", b"\\u0000"),
    )
    common = {"seeds": seeds, "refuses": (DocumentError,), "words": words, "weight": 0.4}
    yield Target(name="LML", read=partial(lml.read, place="x.lml"), **common)
    yield Target(name="LML to add to", read=added_to, **common)
    yield Target(name="LML to check", read=check, **{**common, "refuses": ()})
    folder = scratch / "sections"
    folder.mkdir()
    (folder / "b.xml").write_bytes(seeds[2])
    section = filed(folder / "a.xml", lambda _file: LmlFile(path=folder).observe())
    yield Target(name="LML in sections", read=section, **{**common, "refuses": (SourceError,)})


def added_to(data: bytes) -> bytes:
    """Return the document with predictions for what it tells, and read that again."""
    seen = lml.read(data, place="x.lml").snapshot
    queued = tuple(job for job in seen.pending if job.spec.partitions)
    made = lml.annotate(data, seen, said(replace(seen, pending=queued)), place="x.lml")
    lml.read(made)
    return made


def sites(scratch: Path) -> Iterator[Target]:
    """Yield the readers of site files, of their source alone, and of settings on a command line."""
    files = sorted((HOUSE / "config" / "sites").glob("*.toml"))
    seeds = [file.read_bytes() for file in files]
    words = tuple(sorted({key for seed in seeds for key in re.findall(rb"[a-z_]{3,}", seed)}))[:80]
    refused = (SiteError,)
    yield Target(
        name="site files",
        read=filed(scratch / "site.toml", load),
        seeds=[*seeds, b'["recording"]\n"p a" = 1\n\'x\'.y = {"z" = [1, "a"]}\n'],
        refuses=refused,
        words=(*words, b"[[", b"]]", b'"""', b"\n[policy]\n", b"1e9", b"12h"),
        weight=0.5,
    )
    yield Target(
        name="sources of site files",
        read=filed(scratch / "source.toml", lambda file: asked_for(file, "slurm-cli")),
        seeds=[b'[source]\nkind = "capture"\npath = "x"\n', *seeds],
        refuses=refused,
    )
    yield Target(
        name="settings",
        read=text(_setting),
        seeds=[b"past_s=12", b'path="x"', b"form=json"],
        refuses=(click.UsageError,),
        weight=4,
        longest=WORD,
    )
    yield Target(
        name="tokens of a site",
        read=filed(scratch / "tokens.toml", lambda file: Tokens.read(file, StandingClock())),
        seeds=[b"[[tokens]]\nname='a'\nsha256='%s'\nexpires='2033-01-01'\n" % (b"0" * 64)],
        refuses=refused,
        words=(b"read:jobs", b"scope", b"expires = 1979-05-27", b"0" * 64),
    )


def formulas() -> Iterator[Target]:
    """Yield the reader of priority formulas, which also works them out, and of constraints."""
    names = frozenset(ATTRIBUTES)

    def worth(formula: str) -> float:
        return compile_formula(formula, names)(dict.fromkeys(names, 3.0))

    yield Target(
        name="formulas",
        read=text(worth),
        seeds=[
            b"1000 * xfactor + (500 if nodes >= 64 else 0) - 10 * user_running_jobs",
            b"min(age_s / 3600, 7) // 2 % 3 + if(nodes < 4 and not cpus == 1, sqrt(cpus), log(2))",
        ],
        refuses=(FormulaError,),
        words=(*(name.encode() for name in sorted(names)), b"exp(", b"floor(", b"abs(", b"9**9**9"),
        weight=4,
    )
    yield Target(
        name="constraints",
        read=text(tried),
        seeds=[b"a&b", b"[a|b]", b"a*2&b*1", b"(a|b)&c"],
        refuses=(UnsupportedConstraint,),
        weight=4,
        longest=WORD,
    )


def tried(constraint: str) -> list[bool]:
    """Return whether a node with a few features meets each way."""
    return [one.test(frozenset({"a", "c"})) for one in alternatives(constraint)]


def words() -> Iterator[Target]:
    """Yield the readers of single words that people write."""
    known = columns(str)
    found: Mapping[str, tuple[Callable[[str], object], list[bytes]]] = {
        "hostlists": (expanded, [b"n[001-128],gpu1", b"a[1-3]b[4,6]", b"x"]),
        "hostlists back": (lambda t: folded(t.split(",")), [b"n001,n002,x1,gpu", b"a1b2,a1b3"]),
        "job ids": (parse_job_ids, [b"123,123_7,123_[1-9%4],123+1,12[]", b"7[3]"]),
        "instants": (instant_of, [b"2026-11-21T02:17:32Z", b"1795206017"]),
        "deadlines": (partial(deadline, now=NOW), [b"18:00", b"2026-11-21T18:00", b"02:30:15"]),
        "limits": (limit_s, [b"90", b"12:00:00", b"1-00:30", b"UNLIMITED", b"12h"]),
        "amounts": (amounts, [b"gpu:a100:4,ssd", b"gres/gpu=2"]),
        "site durations": (partial(of_site, seconds), [b"1d 12h", b"90s", b"1-00:00:00"]),
        "site hosts": (partial(of_site, host_name), [b"www.site.org", b"[::1]"]),
        "columns": (lambda t: layout(t, known), [b"%.18i %9P %j|%u", b"%i"]),
        "sorting": (lambda t: ordered([], t, known), [b"-i,+P,j"]),
        "gates": (parse_gate, [b"mae=30m,coverage80=0.75", b"bias=5%"]),
        "amounts of memory": (partial(Memory().convert, param=None, ctx=None), [b"4G", b"4000"]),
        "nodes and begin": (
            lambda t: shape({"nodes": t, "begin": t}),
            [b"2-4", b"2026-11-21T18:00:00"],
        ),
    }
    for name, (take, seeds) in found.items():
        yield Target(
            name=name,
            read=text(take),
            seeds=seeds,
            refuses=(*VALUE, click.ClickException),
            weight=12,
            longest=WORD,
        )


def of_site(take: Callable[[str], object], word: str) -> object:
    """Read a word as a site file holds it, which is UTF-8."""
    return take(word.encode("utf-8", "surrogateescape").decode(errors="replace"))


def scripts(scratch: Path) -> Iterator[Target]:
    """Yield the reader of job scripts."""
    yield Target(
        name="job scripts",
        read=filed(scratch / "job.sh", of_script),
        seeds=[b"#!/bin/sh\n#SBATCH -N 2 --time=1:00 # x\n#SBATCH --mem=4G --gres=gpu:1\nsrun a\n"],
        refuses=(QueuecastError,),
        words=(b"#SBATCH ", b"--nodes=", b"--exclusive", b"-p", b"--help", b"--wrap='", b"\\\n"),
        weight=0.5,
    )


def questions() -> Iterator[Target]:
    """Yield the readers of questions: their bodies, parameters and headers, and all at once."""
    wish = b'{"job": "11", "kinds": ["soon", "slipped"], "soon_minutes": 30, "webhook": null}'
    what_if = (
        b'{"shapes": [{"nodes": 2, "time_limit": "12:00:00", "gres": "gpu:4", "partition": "batch",'
        b' "nodelist": "n1", "begin": "2026-11-21T18:00:00Z"}, {"instead_of": "11", "ntasks": 4}],'
        b' "draws": 3, "by": "2026-11-21T18:00:00Z"}'
    )
    query = b'{"job": "11,12_[1-3]", "user": "ada", "state": "all", "by": "1795206017", "limit": 5}'
    whole = [
        b"GET /api/v1/clusters/scene/forecasts?state=all&by=1795206017 HTTP/1.1\r\naccept: */*",
        b"GET /what-if?nodes=2&time_limit=60&partition=batch&mem_mb=100 HTTP/1.1",
        b'GET /job/12_3 HTTP/1.1\r\nif-none-match: W/"x"\r\nlast-event-id: 3',
        b"POST /api/v1/clusters/scene/what-if HTTP/1.1\r\ncontent-type: application/json\r\n\r\n"
        + what_if,
        b"POST /api/v1/watches HTTP/1.1\r\ncontent-type: application/json\r\n\r\n" + wish,
        b"GET /mine?user=bob&by=18:00 HTTP/1.1",
    ]
    yield Target(name="wishes", read=Wish.model_validate_json, seeds=[wish], refuses=VALUE)
    yield Target(name="what-ifs", read=WhatIf.model_validate_json, seeds=[what_if], refuses=VALUE)
    yield Target(
        name="parameters",
        read=lambda data: JobsQuestion.model_validate_json(data).jobs,
        seeds=[query],
        refuses=VALUE,
    )
    yield Target(
        name="forms",
        read=lambda data: form(
            {"nodes": (t := data.decode("latin-1")), "time_limit": t, "gres": t}
        ),
        seeds=[b"12", b"1:00:00"],
        refuses=(),
    )
    viewers = (
        Viewer(),
        Viewer(role=Role.USER, name="ada"),
        Viewer(role=Role.OPERATOR, name="olga"),
    )
    filled, clock = board(result(scene(), windows=True)), StandingClock()
    doors = [
        client(filled, clock, viewer=viewer, supposing=Busy(default(), clock)) for viewer in viewers
    ]
    yield Target(
        name="requests",
        read=partial(requested, doors),
        seeds=whole,
        refuses=(),
        words=(
            b"%00",
            b"%ff",
            b"&",
            b"cursor=",
            b"limit=",
            b"format=csv",
            b"/api/v1/me",
            b"9" * 4_400,
        ),
        weight=0.02,
        longest=2**13,
    )


class Busy(Supposing):
    """Takes questions as far as that they are understood; no process is started for them."""

    async def answers(self, *_asked: object) -> Mapping[str, Supposed]:
        """Refuse."""
        raise Refused(503, "too many ask at the same time")


def requested(doors: list[Client], data: bytes) -> None:
    """Ask what the bytes say. An answer of 500 is a fault of ours."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    method, target = [*first.split(b" "), b"", b""][:2]
    path = re.sub(rb"[^!-~]", lambda found: b"%%%02X" % ord(found[0]), target or b"/").decode()
    if not re.fullmatch(rb"[A-Z]{1,9}", method) or path.startswith("//"):
        return
    told = (line.decode("latin-1").partition(": ") for line in lines)
    sent = {key: value for key, _, value in told if re.fullmatch(r"[a-z-]+", key)}
    door = doors[len(data) % len(doors)]
    try:
        answer = door.ask(method.decode(), "/" + path.lstrip("/"), sent, body or None)
    except (ValueError, TypeError, *_not_sendable()):
        return
    if answer.status_code >= 500 and answer.status_code != 503:
        raise AssertionError(f"{answer.status_code}: {answer.text[:200]}")


def _not_sendable() -> tuple[type[Exception], ...]:
    """Return what the client says of what no client can send."""
    import httpx

    return (httpx.InvalidURL, httpx.HTTPError)


def who_asks() -> Iterator[Target]:
    """Yield the readers of what tells who asks."""
    jwt = b"eyJhbGciOiJIUzI1NiJ9." + base64.urlsafe_b64encode(b'{"sun":"ada","exp":9e9}') + b".c2ln"
    gate = Identify(
        None,  # type: ignore[arg-type]
        AccessTable(operators=("olga",), proxies=("192.0.2.7",)),
        Tokens((), StandingClock()),
        lambda _uid: "ada",
    )

    def known(data: bytes) -> tuple[Viewer, ...]:
        headers = {b"authorization": data, b"x-remote-user": data}
        peers = (Peer(address="192.0.2.7"), Peer(address="192.0.2.8"), Peer(address="", uid=1000))
        return tuple(gate.viewer(peer, headers) for peer in peers)

    table = b"   1: 0100007F:C002 0100007F:21C2 01 0:0 00:0 0  1000        0 1\n"
    yield Target(name="credentials", read=known, seeds=[b"Bearer " + jwt], refuses=(), weight=4)
    yield Target(
        name="tables of connections",
        read=text(lambda t: owner(t.splitlines(), "0100007F:C002", "0100007F:21C2")),
        seeds=[table],
        refuses=(ValueError,),
        weight=4,
    )


def daemons_answers() -> Iterator[Target]:
    """Yield the reader of what a daemon answers a command."""

    class Wire(asking.Client):
        def __init__(self) -> None:
            super().__init__("http://localhost")
            self.body = b""

        def _exchange(self, *_asked: object) -> tuple[int, bytes]:
            return (200, 404)[len(self.body) % 2], self.body

    wire = Wire()

    def answered(data: bytes) -> object:
        wire.body = data
        return wire.snapshot("x") if len(data) % 3 else wire._get("/")

    told = client(board(result(windows=True)), StandingClock()).get("/api/v1/clusters").content
    yield Target(
        name="daemon's answers",
        read=answered,
        seeds=[told, b'{"detail": "no", "status": 404}'],
        refuses=(ServiceError,),
    )
