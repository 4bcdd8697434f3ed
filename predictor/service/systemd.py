"""Telling systemd how we are; without systemd nothing happens."""

import contextlib
import os
import socket


def notify(*lines: str) -> None:
    """Send `READY=1`, `STATUS=…` and the like to whoever started us, if they want to know."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # A leading @ stands for the zero byte of Linux's abstract names.
    name = "\0" + address[1:] if address.startswith("@") else address
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto("\n".join(lines).encode(), name)
