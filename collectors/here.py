"""Who and where we are: the account that asks, and this machine's local time."""

import os
import pwd
from datetime import datetime


def own_account() -> str:
    """Return the name of the account that asks; its number where it has no name."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def local_offset_s(at: int) -> int:
    """Return how far this machine's local time is ahead of UTC at an instant."""
    offset = datetime.fromtimestamp(at).astimezone().utcoffset()
    return round(offset.total_seconds()) if offset else 0
