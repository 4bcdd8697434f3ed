"""Where the daemon and those who ask it meet, unless somebody says otherwise."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path

USUAL_URL = "http://127.0.0.1:8642"
SOCKET = "api.sock"
MACHINES_UID = 0
"""The account whose daemon serves the whole machine."""


def runtime_socket(uid: int, environ: Mapping[str, str]) -> Path | None:
    """Return where an account's daemon has its Unix socket; None: it has no folder for such."""
    folder = "/run" if uid == MACHINES_UID else environ.get("XDG_RUNTIME_DIR", "")
    return Path(folder, "queuecast", SOCKET) if folder else None


def usual_url() -> str:
    """Return the address of our own daemon or else the machine's, by its socket if it has one.

    Through a socket it knows who asks.
    """
    for uid in (os.geteuid(), MACHINES_UID):
        path = runtime_socket(uid, os.environ)
        if path is not None and is_answered(path):
            return f"unix:{path}"
    return USUAL_URL


def is_answered(path: Path) -> bool:
    """Return whether a living process listens on the Unix socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            return probe.connect_ex(str(path)) == 0
        except (OSError, ValueError):
            return False
