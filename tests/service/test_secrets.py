"""A token reaches whom it is for, and is found nowhere else, though whoever is asked repeats it."""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
import requests
from rest_server import Server, reply

CANARY = "canary.0123456789abcdef.token"
COMMAND = "import sys; sys.argv[0] = 'queuecast'; from predictor.cli import main; main()"
SITE = """\
[source]
kind = "slurm-rest"
url = "{url}"
token_file = "{token}"
user = "ada"
[recording]
path = "recording"
[service]
port = {port}
interval_s = 1
force = true
"""
ECHO = reply(json.dumps({"errors": [{"description": f"a bad token: {CANARY}"}]}), status=500)


@pytest.fixture
def daemon(tmp_path):
    """A daemon that asks a server which repeats the token; the server, the address."""
    token = tmp_path / "token"
    token.write_text(CANARY)
    token.chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        server = Server(listener, lambda _path: ECHO)
        site = tmp_path / "site.toml"
        site.write_text(SITE.format(url=server.address.url, port=port, token=token))
        with (tmp_path / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, "serve", "--site", str(site)],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        yield process, server, f"http://127.0.0.1:{port}"
        process.kill()
        process.wait()
        listener.shutdown(socket.SHUT_RDWR)


def shown_by_processes(pid):
    """Return what anybody may see of a process and of those it started."""
    children = (Path(f"/proc/{pid}/task").glob("*/children"),)
    pids = [
        pid,
        *(int(one) for each in children for file in each for one in file.read_text().split()),
    ]
    for one in pids:
        for name in ("cmdline", "environ"):
            with suppress(OSError):
                yield Path(f"/proc/{one}/{name}").read_bytes()


def test_a_token_is_in_no_log_answer_file_or_process(daemon, tmp_path):
    process, server, url = daemon
    deadline = time.monotonic() + 60
    while len(server.requests) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
    assert sum(CANARY in request for request in server.requests) >= 2
    told = [
        requests.get(f"{url}{path}", timeout=5).content
        for path in ("/metrics", "/api/v1/clusters", "/")
    ]
    told += shown_by_processes(process.pid)
    files = [Path(folder, name) for folder, _, names in os.walk(tmp_path) for name in names]
    told += [file.read_bytes() for file in files if file.name != "token"]
    assert b"TOKEN" in (tmp_path / "log").read_bytes()
    assert not [one[:200] for one in told if CANARY.encode() in one]
