"""Runs the daemon on a cluster that does as the files in a folder say.

Not a test: a program that tests start. `look` holds one of fine, raise, hang, empty, or started:
job 11 runs from then on; `predict` fine, hang, spin or devour; `windows` fine, raise or die; `site`
the interval in seconds. Others may be there: `bounds`, CPU seconds and MiB of the worker; `past`,
what accounting does: fine, raise or hang; `hook`, where notices go. The worker makes `hangs`
once it hangs or spins. A window's middle is as many seconds after the likely start as there are
snapshots that were learned from.
"""

import os
import time
from dataclasses import replace
from pathlib import Path

import click
import learning
from clusters import running, spec
from learning import Counted
from services import UNREACHABLE, said, scene

from predictor.clock import Clock, SystemClock
from predictor.domain import (
    Call,
    FinishedJob,
    Forecast,
    Observation,
    Outcome,
    Snapshot,
    Untrusted,
)
from predictor.domain.source import TakeEnded, Told
from predictor.errors import SiteError, SourceError
from predictor.outlooks import Told as Windows
from predictor.service import forecaster
from predictor.service.logs import write_logs_to_stderr
from predictor.service.running import run
from predictor.site import Site

if "FAULTY_FOLDER" in os.environ:  # in the service and in its worker, which imports this as well
    forecaster.SAVE_EVERY_S = 0

FOLDER = Path(os.environ.get("FAULTY_FOLDER", "."))


class Cluster:
    """Looks as the file says at that moment."""

    def observe(self) -> Observation:
        mode = (FOLDER / "look").read_text()
        if mode == "raise":
            raise UNREACHABLE
        if mode == "hang":
            time.sleep(3_600)
        nodes = {"nodes": ()} if mode == "empty" else {}
        seen = scene(taken_at=int(time.time()), **nodes)
        return Observation(snapshot=with_started(seen, "11") if mode == "started" else seen)

    @property
    def past_s(self) -> float:
        return 3_600 if (FOLDER / "past").exists() else 0

    def ended(self, since: int, until: int, take: TakeEnded) -> Told:
        call = Call(name="accounting", duration_s=0.1, size_bytes=9)
        mode = (FOLDER / "past").read_text()
        if mode == "hang":
            time.sleep(3_600)
        if mode == "raise":
            return Told(calls=(replace(call, ok=False),), error=SourceError("no database"))
        job = spec(f"{until}", name=Untrusted("secret"))
        take([FinishedJob(spec=job, ended_at=since, outcome=Outcome.COMPLETED, started_at=since)])
        return Told(calls=(call,))


def with_started(seen: Snapshot, id_: str) -> Snapshot:
    """The same with a job running that waited."""
    begun_at = int((FOLDER / "look").stat().st_mtime)
    others = tuple(job for job in seen.pending if job.spec.id != id_)
    started = replace(running(id_, "n3", 30), started_at=begun_at)
    return replace(seen, pending=others, running=(*seen.running, started))


def likely(snapshot: Snapshot, _site: Site, _learned: Counted) -> Forecast:
    mode = (FOLDER / "predict").read_text()
    if mode == "spin":
        (FOLDER / "hangs").touch()
    while mode == "spin":
        pass
    if mode == "devour":
        bytearray(2**40)
    while (FOLDER / "predict").read_text() == "hang":
        (FOLDER / "hangs").touch()
        time.sleep(0.1)
    return said(snapshot)


def with_outlooks(
    made: Forecast, seen: Snapshot, site: Site, learned: Counted, *, clock: Clock, budget_s: float
) -> Windows:
    mode = (FOLDER / "windows").read_text()
    if mode == "raise":
        raise ZeroDivisionError
    if mode == "die":
        os._exit(9)
    return learning.with_outlooks(made, seen, site, learned, clock=clock, budget_s=budget_s)


def read() -> Site:
    interval = (FOLDER / "site").read_text()
    if not interval.isdecimal():
        raise SiteError(f"site:1: service.interval_s: expected seconds, got {interval!r}")
    service = {"interval_s": int(interval), "force": True, "port": 0, "stale_after_s": 2}
    service |= {"allowed_hosts": [f"every{interval}.example"]}
    if (FOLDER / "bounds").exists():
        cpu_s, memory_mb = (int(word) for word in (FOLDER / "bounds").read_text().split())
        service["worker"] = {"cpu_s": cpu_s, "memory_mb": memory_mb}
    notices = {}
    if (FOLDER / "hook").exists():
        service["socket"] = str(FOLDER / "api.sock")
        url = (FOLDER / "hook").read_text()
        hook = {"name": "chat", "url": url, "secret_file": str(FOLDER / "secret")}
        notices = {"webhooks": [hook]}
    return Site.model_validate(
        {
            "notices": notices,
            "access": {"anonymous": "jobs"},
            "service": service,
            "recording": {"path": str(FOLDER / "recording")},
            "privacy": {"job_names": "drop"},
        }
    )


def main() -> None:
    write_logs_to_stderr()
    run(
        read(),
        reread=read,
        connect=lambda _site: Cluster(),
        means=learning.means(likely=likely, with_outlooks=with_outlooks),
        clock=SystemClock(),
        announce=click.echo,
    )


if __name__ == "__main__":
    # Under its own name, so that the worker can import what it is to run.
    import faulty_service

    faulty_service.main()
