"""As whom we ask: a name and a token, or, over a Unix socket, as the account that we are."""

import base64
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from predictor.errors import SourceError

USER_HEADER, TOKEN_HEADER = "X-SLURM-USER-NAME", "X-SLURM-USER-TOKEN"
MOST_BYTES = 16_384

_TOKEN = re.compile(r"(?:SLURM_JWT=)?([\w.~+/=-]+)", re.ASCII)
_NAME = re.compile(r"[\w.@-]+", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """A name, and where its token comes from."""

    user: str
    token_file: Path | None = None
    """Read anew for every call, because tokens are replaced before they run out."""
    token: str = field(default="", repr=False)
    """Used where there is no file; empty too: none is sent."""

    def current(self) -> str:
        """Return the token; empty if there is none. Raises SourceError, never quoting it."""
        if self.token_file is None:
            return checked(self.token, "SLURM_JWT") if self.token else ""
        return checked(_read(self.token_file), str(self.token_file))


def headers(user: str, token: str) -> Mapping[str, str]:
    """Return what tells slurmrestd who asks; nothing without a token: then the socket tells."""
    if not token:
        return {}
    if not _NAME.fullmatch(user):
        raise SourceError(f"not a name to ask by: {user[:40]!r}")
    # Slurm 22.05 wants both; newer versions take both.
    return {USER_HEADER: user, TOKEN_HEADER: token}


def checked(text: str, place: str) -> str:
    """Return the token in a text, be it as `scontrol token` prints it. Raises SourceError."""
    found = _TOKEN.fullmatch(text.strip())
    if found is None:
        raise SourceError(f"{place}: expected a token alone, as `scontrol token` prints it")
    return found[1]


def claims(token: str) -> Mapping[str, object]:
    """Return what a token says of itself, which proves nothing; nothing if it cannot be read."""
    payload = token.split(".")[1] if token.count(".") == 2 else ""
    try:
        told = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def expires_at(token: str) -> int | None:
    """Return when a token runs out, in UTC epoch seconds; None where that cannot be told."""
    end = claims(token).get("exp")
    return int(end) if isinstance(end, int | float) and 0 < end < 2**40 else None


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            if os.fstat(opened.fileno()).st_mode & stat.S_IROTH:
                raise SourceError(f"{file}: everybody may read this token: chmod o-r")
            return opened.read(MOST_BYTES).decode("ascii", errors="replace")
    except OSError as error:
        raise SourceError(f"{file}: {error.strerror}") from error
