"""Run the service until a signal ends it: sockets, server, daemon, signals."""

import resource
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn

from predictor.clock import Clock
from predictor.errors import QueuecastError
from predictor.garbage import collect_seldom
from predictor.installed import identifier_of
from predictor.service.answering import Newest
from predictor.service.api import application
from predictor.service.asking.identify import Identify, account_name
from predictor.service.asking.proxies import passes_on
from predictor.service.asking.tokens import Tokens
from predictor.service.daemon import Daemon
from predictor.service.listening import listen, server
from predictor.service.logs import log
from predictor.service.longwork.bench import Bench
from predictor.service.longwork.bench import Means as Bounds
from predictor.service.longwork.checking import Checking
from predictor.service.longwork.shelf import Shelf
from predictor.service.means import Means
from predictor.service.neighbours import Neighbours
from predictor.service.places import MOST_CONNECTIONS
from predictor.service.probing import Probing
from predictor.service.rounds import Connect
from predictor.service.subpath import SubPath
from predictor.service.systemd import notify
from predictor.service.watches.noticing import Noticing, Seeing, senders_of
from predictor.service.watches.reception import Reception
from predictor.service.watches.store import Watches, file_of
from predictor.service.whatif.asking import MIB, Supposing
from predictor.site import Site
from predictor.web.backstage import Backstage
from predictor.web.routes import pages

TURN_S = 0.0001
"""For so long a thread computes before another one may: whoever answers waits for this often.

An answer waits about five such turns while a result is put together: with Python's own 5 ms,
sixteen who ask at once would have theirs after half a second.
"""


def run(
    site: Site,
    *,
    reread: Callable[[], Site] | None,
    connect: Connect,
    means: Means,
    clock: Clock,
    announce: Callable[[str], None],
) -> None:
    """Serve until SIGTERM or SIGINT.

    `reread` loads the site file again at SIGHUP; None: there is none. `announce` is told the
    first address once it answers. Raises QueuecastError if it cannot begin.
    """
    tokens = Tokens.read(site.access.tokens, clock)
    senders = senders_of(site.notices)
    ask = site.access.ask
    identifier = None if ask is None else identifier_of(ask.kind, ask.settings)
    # A core would hold every secret; the worker's limits are ours.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _allow_connections()
    collect_seldom()
    sys.setswitchinterval(TURN_S)
    daemon = Daemon(site, connect=connect, means=means, clock=clock)
    # The recording is ours alone from here on, and so is what lies beside it. Who starts a daemon
    # twice is told so, rather than that the port is taken.
    try:
        lines = listen(site.service)
    except QueuecastError:
        daemon.stop()
        raise
    try:
        watches = Watches(file_of(site.recording.path))
        counts = daemon.metrics.notices
        noticing = Noticing(daemon.board, watches, senders, counts, clock, Seeing(site))
        supposing = Supposing(site, clock, daemon.metrics.supposed)
        probing = Probing(daemon.board, supposing, clock)
        try:
            newest = Newest(daemon.board, clock, open_=site.access.anonymous == "jobs")
            bench, checking = _bench(site, clock), Checking()
            behind = Backstage(
                registry=daemon.metrics.registry,
                recording=site.recording.path,
                experiments=site.service.experiments,
                bench=bench,
                checking=checking,
            )
            reception = Reception(watches, site.notices, clock)
            app = application(
                newest,
                daemon.metrics,
                clock,
                frozenset({site.service.host, *site.service.allowed_hosts}),
                pages(newest, supposing, reception, behind),
                known_by=partial(
                    Identify, access=site.access, tokens=tokens, identifier=identifier
                ),
                supposing=supposing,
                reception=reception,
                bench=bench,
                checking=checking,
                frame_ancestors=site.access.frame_ancestors,
            )
            neighbours = Neighbours(
                site.service.connections_per_peer,
                partial(passes_on, access=site.access, name_of=account_name),
            )
            answering = server(SubPath(app, site.service.prefix), neighbours)
            _mind_signals(daemon, answering, reread)
            daemon.start()
            noticing.start()
            bench.start()
            if site.forecast.probes:
                probing.start()
            for line in lines:
                line.socket.listen()
                log("listening", address=line.address)
            announce(lines[0].address)
            answering.run(sockets=[line.socket for line in lines])
        finally:
            notify("STOPPING=1")
            noticing.stop()
            probing.stop()
            bench.stop()
            daemon.stop()
            supposing.stop()
            log("ended")
    finally:
        for line in lines:
            line.close()


def _bench(site: Site, clock: Clock) -> Bench:
    folder = site.service.experiments
    means = Bounds(memory_bytes=site.service.worker.memory_mb * MIB)
    return Bench(None if folder is None else Shelf(folder), site.recording.path, clock, means)


def _allow_connections() -> None:
    """Let as many files be open as connections may be, and some more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MOST_CONNECTIONS
    if 0 <= soft < wanted:
        most = wanted if hard < 0 else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _mind_signals(
    daemon: Daemon, answering: uvicorn.Server, reread: Callable[[], Site] | None
) -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        answering.should_exit = True

    def reload(_number: int, _frame: FrameType | None) -> None:
        if reread is not None:
            # In a thread, because a handler must not wait for a lock that it interrupted.
            threading.Thread(target=daemon.reload, args=(reread,), daemon=True).start()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGHUP, reload)
