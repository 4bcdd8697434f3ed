"""Secrets reach whom they are for, and are found nowhere else, though who is asked repeats them.

Ours, by which the batch system is asked; a user's, by which we are; a webhook's.
"""

import json
import os
import re
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
USERS = "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJib2IiLCJleHAiOjQwMDAwMDAwMDB9.canaryOfAUsersOwn"
"""Of bob, until the year 2096."""
SIGNING = "canary-by-which-notices-are-signed"
SECRETS = (CANARY, USERS, SIGNING)
COMMAND = "import sys; sys.argv[0] = 'queuecast'; from predictor.cli import main; main()"
SITE = """\
[source]
kind = "slurm-rest"
url = "{url}"
token_file = "{token}"
user = "ada"
[access.ask]
kind = "slurm-jwt"
url = "{url}"
[[notices.webhooks]]
name = "chat"
url = "http://127.0.0.1:9/hook"
secret_file = "{secret}"
[recording]
path = "recording"
[service]
port = {port}
interval_s = 1
force = true
"""


class Echo(Server):
    """Refuses whatever is asked, and repeats the token that was shown."""

    def answer(self, request):
        shown = request.partition("TOKEN: ")[2].split("\r")[0]
        return reply(json.dumps({"errors": [{"description": f"a bad one: {shown}"}]}), status=500)


@pytest.fixture
def daemon(tmp_path):
    """A daemon that asks a server which repeats the token; the server, the address."""
    token = tmp_path / "token"
    token.write_text(CANARY)
    token.chmod(0o600)
    secret = tmp_path / "secret"
    secret.write_text(SIGNING)
    secret.chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        server = Echo(listener, None)
        site = tmp_path / "site.toml"
        text = SITE.format(url=server.address.url, port=port, token=token, secret=secret)
        site.write_text(text)
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


def family(pid):
    """Return a process and those it started."""
    started = Path(f"/proc/{pid}/task").glob("*/children")
    return [pid, *(int(one) for file in started for one in file.read_text().split())]


def shown_by_processes(pid):
    """Yield what anybody may see of a process and of those it started."""
    for one in family(pid):
        for name in ("cmdline", "environ"):
            with suppress(OSError):
                yield Path(f"/proc/{one}/{name}").read_bytes()


def test_secrets_are_in_no_log_answer_file_process_or_core(daemon, tmp_path):
    process, server, url = daemon
    deadline = time.monotonic() + 60
    while len(server.requests) < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
    assert sum(CANARY in request for request in server.requests) >= 2
    bearer = {"Authorization": f"Bearer {USERS}"}
    told = [
        requests.get(f"{url}{path}", headers=headers, timeout=5).content
        for path in ("/metrics", "/api/v1/clusters", "/api/v1/me", "/")
        for headers in ({}, bearer, {"X-SLURM-USER-NAME": "bob", "X-SLURM-USER-TOKEN": USERS})
    ]
    assert any(USERS in request for request in server.requests)
    told += shown_by_processes(process.pid)
    files = [Path(folder, name) for folder, _, names in os.walk(tmp_path) for name in names]
    told += [file.read_bytes() for file in files if file.name not in ("token", "secret")]
    assert b"TOKEN" in (tmp_path / "log").read_bytes()
    assert not [one[:200] for one in told for secret in SECRETS if secret.encode() in one]
    for one in family(process.pid):
        limits = Path(f"/proc/{one}/limits").read_text()
        assert re.search(r"^Max core file size +0 +0 ", limits, re.MULTILINE)
