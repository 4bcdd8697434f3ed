"""Fuzz the HTTP API from its own OpenAPI document with schemathesis, as everybody who may ask.

    python -m venv VENV && VENV/bin/pip install schemathesis
    PYTHONPATH=.:tests python tests/fuzz/run_schemathesis.py VENV/bin/schemathesis [--examples 20]

Not part of a usual run: schemathesis stays in an environment of its own. Listens on loopback, asks
as nobody, as a user, as a program with a token and as an operator, on a cluster that shows its jobs
and on one that keeps them private. Fails if any answer is a 500, has a status, type or body that
the document does not tell, or accepts what it forbids. The stream of events never ends and is left
out.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from services import StandingClock, app, board, neighbours, result, scene

from predictor.domain import Provenance, Untrusted
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.listening import listen, server
from predictor.service.longwork.bench import Bench, Means
from predictor.service.longwork.shelf import Shelf
from predictor.service.whatif.asking import Supposing
from predictor.site import default
from predictor.site.model import ServiceTable

ASKING = {
    "nobody": ANONYMOUS,
    "a user": Viewer(role=Role.USER, name="ada", how="by the test"),
    "a program": Viewer(role=Role.USER, how="by the token of a test"),
    "an operator": Viewer(role=Role.OPERATOR, name="root", how="by the test"),
}
CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_schema_conformance", "response_headers_conformance", "negative_data_rejection"),
)


@contextmanager
def served(viewer: Viewer, *, private: bool) -> Iterator[str]:
    """Serve a small cluster on loopback; gives its address."""
    hidden = Provenance(source="scene", private=("jobs",) if private else ())
    seen = scene(provenance=hidden)
    first = seen.pending[0]
    # Its validator cannot read a lone surrogate; what becomes of those is tested elsewhere.
    tame = replace(first, spec=replace(first.spec, name=Untrusted("<b>\x1b[2J=1")))
    shown = board(result(replace(seen, pending=(tame, *seen.pending[1:])), windows=True))
    (line,) = listen(ServiceTable(port=0))
    line.socket.listen()
    clock = StandingClock()
    supposing = Supposing(default(), clock)
    folder = tempfile.TemporaryDirectory()
    # What is ordered there waits for ever: nobody works at it.
    bench = Bench(Shelf(Path(folder.name)), Path(folder.name) / "recording", clock, Means())
    at = server(app(shown, clock, viewer=viewer, supposing=supposing, bench=bench), neighbours())
    thread = threading.Thread(target=at.run, args=([line.socket],))
    thread.start()
    try:
        yield line.address
    finally:
        at.should_exit = True
        thread.join()
        line.close()
        supposing.stop()
        folder.cleanup()


def main() -> None:
    """Fuzz as each of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("schemathesis", help="the command")
    parser.add_argument("--examples", type=int, default=20, help="by operation and phase")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=ASKING, help="ask as that one")
    options = parser.parse_args()
    failed = 0
    for name, viewer in ASKING.items():
        for private in (False, True):
            if options.only in (None, name):
                print(f"== {name}, jobs {'private' if private else 'shown'}", flush=True)
                with served(viewer, private=private) as address:
                    failed += fuzzed(address, options) != 0
    sys.exit(failed)


def fuzzed(address: str, options: argparse.Namespace) -> int:
    """Return schemathesis' verdict on the service there."""
    chosen = [
        *("--phases", "examples,coverage,fuzzing", "--checks", ",".join(CHECKS)),
        *("--exclude-path", "/api/v1/events", "--max-examples", str(options.examples)),
        *("--exclude-path", "/api/v1/experiments/{experiment_id}/events"),
        *("--seed", str(options.seed), "--request-timeout", "40", "--continue-on-failure"),
        *("--output-truncate", "true"),
    ]
    own = ["--config-file", str(Path(__file__).with_name("schemathesis.toml"))]
    command = [options.schemathesis, *own, "run", f"{address}/openapi.json", *chosen]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    main()
