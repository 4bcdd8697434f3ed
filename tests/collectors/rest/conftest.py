"""Recorded answers of slurmrestd by release, and a server that answers as it is told."""

import gzip
import json
import socket
from contextlib import closing, contextmanager

import pytest
from rest_server import Server, reply

from collectors.slurm.rest.client import Client
from collectors.slurm.rest.credentials import Credentials
from predictor.clock import SystemClock


@pytest.fixture
def told(recorded):
    """Return a release's recorded answers as texts, by path."""

    def told(release):
        packed = (recorded / f"slurm-{release}" / "rest.jsonl.gz").read_bytes()
        lines = map(json.loads, gzip.decompress(packed).decode().splitlines())
        return {line["path"]: json.dumps(line["answer"]) for line in lines}

    return told


@pytest.fixture
def printed(recorded):
    """Return what a command of a release printed a minute later, by name."""

    def printed(release, name):
        return (recorded / f"slurm-{release}" / "rest_commands" / f"{name}.txt").read_text()

    return printed


@pytest.fixture
def serving():
    """Return a context with a server on loopback, with TLS if wanted, or on a Unix socket."""

    @contextmanager
    def serving(script, path=None, tls=None):
        if path is None:
            listener = socket.create_server(("127.0.0.1", 0))
        else:
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            listener.listen()
        with closing(listener):
            yield Server(listener, script, tls)
            # Closing alone would not wake who waits for a connection.
            listener.shutdown(socket.SHUT_RDWR)

    return serving


@pytest.fixture
def client_of():
    """Return a client of a server."""

    def client_of(server, **settings):
        credentials = settings.pop("credentials", Credentials(user="alice", token="a.b.c"))
        return Client(server.address, credentials, SystemClock(), **settings)

    return client_of


@pytest.fixture
def slurmrestd():
    """Return a script that serves answers by path, and lists the paths."""

    def slurmrestd(answers):
        listed = json.dumps({"paths": {path: {} for path in answers}})
        every = {"/openapi.json": listed, **answers}

        def script(path):
            answer = every.get(path.partition("?")[0])
            if answer is None:
                return reply("Unable find requested URL.", status=404, kind="text/plain")
            return answer if isinstance(answer, bytes) else reply(answer)

        return script

    return slurmrestd
