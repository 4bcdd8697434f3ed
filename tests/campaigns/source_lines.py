"""Commands and servers that hang, drip, break off, flood and lie.

Whatever they do, it is over at the deadline, with the whole answer or with a SourceError, and
nothing is left behind: no process, no open file.
"""

import argparse
import gzip
import itertools
import json
import os
import random
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from threading import Timer
from unittest.mock import patch

from campaigns.findings import Findings, spread
from rest_server import Server, reply
from ways import RECORDED

from collectors import commands
from collectors.slurm.rest import connection
from collectors.slurm.rest.connection import fetch
from predictor.errors import SourceError

DEADLINE_S = 0.25
LATE_S = 2.0
"""So much later than the deadline nothing may end: a busy machine takes its time, too."""
MOST_BYTES = 2**20
MARK = "QUEUECAST_CAMPAIGN"

SCRIPTS = {
    "fine": "printf whole",
    "hangs": "sleep 1000",
    "hangs and closes its output": "exec >&- 2>&-; sleep 1000",
    "leaves a child that holds its output": "sleep 1000 & printf whole",
    "drips": "while :; do printf x; sleep 1; done",
    "floods": "exec yes",
    "complains without end": "exec yes >&2",
    "stops itself": "kill -STOP $$",
    "kills itself": "printf who; kill -KILL $$",
    "ignores all signals": "trap '' TERM INT HUP; sleep 1000",
    "starts a session of its own": "setsid sleep 0.01; printf whole",
    "fails": "echo no >&2; exit 3",
    "prints no text": r"printf '\000\377\376'",
}
ENDS_WELL = frozenset(
    {"fine", "kills itself", "starts a session of its own", "fails", "prints no text"}
)


def source_commands(options: argparse.Namespace, findings: Findings) -> None:
    """Run commands that do anything but answer."""
    chance = random.Random(options.seed)  # noqa: S311
    os.environ[MARK] = str(os.getpid())
    files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    took: list[float] = []
    findings.figures["commands"] = 0
    fault = patch.object(commands, "_kill_group", lambda process: process.kill())
    while findings.figures["commands"] < options.cases and time.monotonic() < options.until:
        what = chance.choice(sorted(SCRIPTS))
        if options.seeded_fault:
            what = "leaves a child that holds its output"
            with fault:
                took.append(run_one(what, findings))
        else:
            took.append(run_one(what, findings))
        findings.count("commands")
    left = still_there(time.monotonic() + LATE_S)
    findings.expect(not left, f"{len(left)} processes are left")
    for pid in left:
        os.kill(pid, 9)
    findings.expect(len(os.listdir("/proc/self/fd")) <= files, "files are left open")  # noqa: PTH208
    findings.figures |= spread(took)


def run_one(what: str, findings: Findings) -> float:
    """Return how long a command took that does that."""
    begun = time.monotonic()
    try:
        printed = commands.run(("sh", "-c", SCRIPTS[what]), DEADLINE_S, most_bytes=MOST_BYTES)
        ok = what in ENDS_WELL or printed.output == "whole"
        findings.expect(ok, f"{what}: {printed.output[:40]!r}")
    except SourceError:
        findings.count("refused")
    took_s = time.monotonic() - begun
    findings.expect(took_s < DEADLINE_S + LATE_S, f"{what}: took {took_s:.1f} s")
    return took_s


def still_there(until: float) -> list[int]:
    """Return the processes that are there at the instant `until`: a killed one dies in its time."""
    while left := [pid for pid in marked() if pid != os.getpid()]:
        if time.monotonic() >= until:
            break
        time.sleep(0.02)
    return left


def marked() -> list[int]:
    """Return the processes that descend from this one, dead ones left out."""
    mark = f"{MARK}={os.environ[MARK]}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(int(process.name))
        except OSError:
            continue
    return found


Script = Callable[[bytes, random.Random], bytes | Iterable[bytes | float]]


def hung(_body: bytes, _chance: random.Random) -> Iterable[bytes | float]:
    """Say nothing."""
    return [DEADLINE_S + 1]


def dripping(body: bytes, chance: random.Random) -> Iterable[bytes | float]:
    """Say some of it, then a byte now and then."""
    whole = reply(body)
    cut = chance.randrange(len(whole))
    return itertools.chain([whole[:cut]], itertools.cycle([b"x", 0.05]))


def cut_short(body: bytes, chance: random.Random) -> bytes:
    """Hang up in the middle."""
    whole = framed(body, chance)
    return whole[: chance.randrange(len(whole))]


def failing(body: bytes, chance: random.Random) -> bytes:
    """Answer with a status that is no answer, the body being there or not."""
    return reply(chance.choice((b"", body)), status=chance.choice((401, 404, 500, 502, 504, 307)))


def garbled(body: bytes, chance: random.Random) -> bytes:
    """Change some bytes of head or body."""
    data = bytearray(framed(body, chance))
    for _ in range(chance.choice((1, 2, 5, 30))):
        at = chance.randrange(min(len(data), chance.choice((200, len(data)))))
        data[at : at + 1] = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
    return bytes(data)


def noise(_body: bytes, chance: random.Random) -> bytes:
    """Say what is no HTTP."""
    return chance.randbytes(chance.randrange(4000))


def endless(_body: bytes, chance: random.Random) -> Iterable[bytes]:
    """Never stop."""
    return itertools.chain([framed(b"", chance)[:-2]], itertools.repeat(b"1" * 65536))


def fine(body: bytes, chance: random.Random) -> bytes:
    """Answer."""
    return framed(body, chance)


KINDS: tuple[Script, ...] = (
    *(cut_short, garbled) * 6,
    *(failing, noise, fine) * 2,
    *(hung, dripping, endless),
)


def framed(body: bytes, chance: random.Random) -> bytes:
    """Return a whole reply: with its length, in chunks, or until the connection ends."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    match chance.randrange(3):
        case 0:
            return reply(body)
        case 1:
            middle = len(body) // 2
            pieces = b"".join(
                b"%x\r\n%b\r\n" % (len(p), p) for p in (body[:middle], body[middle:]) if p
            )
            return head + b"Transfer-Encoding: chunked\r\n\r\n" + pieces + b"0\r\n\r\n"
        case _:
            return head + b"\r\n" + body


def source_rest(options: argparse.Namespace, findings: Findings) -> None:
    """Fetch from a server that does anything but answer."""
    chance = random.Random(options.seed)  # noqa: S311
    bodies = recorded()
    took: list[float] = []
    findings.figures |= {"fetches": 0, "refused": 0, "whole": 0}
    # The fault to be found: only single reads have a deadline.
    late = lambda timeout_s, end: Timer(20 * timeout_s, end)  # noqa: E731
    fault = patch.object(connection, "Timer", late) if options.seeded_fault else nullcontext()
    files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with fault, serving() as server:
        while findings.figures["fetches"] < options.cases and time.monotonic() < options.until:
            kind, body = chance.choice(KINDS), chance.choice(bodies)
            told = kind(body, chance)
            server.script = lambda _path, told=told: told
            took.append(fetch_one(server, kind, body, findings))
            findings.count("fetches")
    findings.expect(len(os.listdir("/proc/self/fd")) <= files + 5, "files are left open")  # noqa: PTH208
    findings.figures |= spread(took)


def fetch_one(server: Server, kind: Script, body: bytes, findings: Findings) -> float:
    """Return how long it took to fetch what may or may not be there."""
    begun = time.monotonic()
    try:
        told = fetch(server.address, "/x", {}, DEADLINE_S, MOST_BYTES)
    except SourceError:
        findings.count("refused")
        findings.expect(kind is not fine, "a good answer was refused")
    except Exception as error:
        findings.expect(False, f"{kind.__name__}: {type(error).__name__}: {error}")
    else:
        if kind in (cut_short, fine) and told.status == 200:
            findings.count("whole")
            findings.expect(is_whole(told.body, body), f"{kind.__name__}: {told.body[-60:]!r}")
    took_s = time.monotonic() - begun
    findings.expect(took_s < DEADLINE_S + LATE_S, f"{kind.__name__}: took {took_s:.1f} s")
    return took_s


def is_whole(got: bytes, body: bytes) -> bool:
    """Whether what was got is all of it, or else no JSON that anybody could take for it."""
    try:
        return bool(json.loads(got) == json.loads(body))
    except ValueError:
        return True


@cache
def recorded() -> tuple[bytes, ...]:
    """Return recorded answers of slurmrestd."""
    packed = (RECORDED / "slurm-24.11" / "rest.jsonl.gz").read_bytes()
    lines = [json.loads(line) for line in gzip.decompress(packed).splitlines()]
    bodies = [json.dumps(line["answer"]).encode() for line in lines]
    return tuple(body for body in bodies if len(body) < MOST_BYTES // 8)


@contextmanager
def serving() -> Iterator[Server]:
    """Give a server on loopback."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=64)) as listener:
        yield Server(listener, None)
        listener.shutdown(socket.SHUT_RDWR)
