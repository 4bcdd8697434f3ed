"""What a reply of slurmrestd means that is no answer."""

from dataclasses import replace
from datetime import UTC, datetime

from collectors.slurm.objects.fields import decoded
from collectors.slurm.rest.connection import Reply
from collectors.slurm.rest.credentials import expires_at
from predictor.errors import SourceError, SourceFormatError, SourceTimeout

ANSWERED, UNCHANGED, GONE = 200, 304, 404
NOT_LET_IN = frozenset({401, 403, 511})
EITHER = 500
"""Up to Slurm 22.05: the controller does not answer, or it refuses the token."""
HUNG = 504
UNREACHABLE = 502
REDIRECTS = range(300, 400)
LONGEST = 200


def without(token: str, reply: Reply) -> Reply:
    """Return the reply without the token, which whoever answers may repeat: replies are quoted."""
    if not token:
        return reply
    return replace(
        reply,
        body=reply.body.replace(token.encode(), b"TOKEN"),
        content_type=reply.content_type.replace(token, "TOKEN"),
    )


def refused(reply: Reply, place: str, token: str, now: float) -> SourceError:
    """Return the error that a reply other than an answer stands for.

    `token` is what was sent; it is looked at for its end only. `now` in UTC epoch seconds.
    """
    said = _said(reply)
    if reply.status in NOT_LET_IN:
        return SourceError(f"{place}: not let in ({said}): {_about(token, now)}")
    if reply.status == HUNG:
        return SourceTimeout(f"{place}: the controller does not answer ({said})")
    if reply.status == UNREACHABLE:
        return SourceError(f"{place}: the controller cannot be reached ({said})")
    if reply.status == EITHER:
        reasons = f"the controller does not answer, or {_about(token, now)}"
        if _has_ended(token, now):
            reasons = _about(token, now)
        return SourceError(f"{place}: {said}: {reasons}")
    if reply.status in REDIRECTS:
        return SourceError(f"{place}: {said}: is that slurmrestd? Redirects are not followed")
    return SourceError(f"{place}: {said}")


def answer_in(reply: Reply, place: str) -> str:
    """Return the text of an answer. Raises SourceFormatError if it cannot be one."""
    if reply.content_type != "application/json":
        raise SourceFormatError(
            f"{place}: expected JSON, got {reply.content_type[:40]!r}: {_beginning(reply)}"
        )
    return reply.body.decode(errors="replace")


def _said(reply: Reply) -> str:
    """Return the status with the cause that the reply names, if it names one."""
    try:
        decoded(reply.body.decode(errors="replace"), f"HTTP {reply.status}")
    except SourceFormatError:
        return f"HTTP {reply.status}: {_beginning(reply)}" if reply.body else f"HTTP {reply.status}"
    except SourceError as error:
        return str(error)
    return f"HTTP {reply.status}"


def _beginning(reply: Reply) -> str:
    return repr(reply.body[:60].decode(errors="replace"))


def _has_ended(token: str, now: float) -> bool:
    end = expires_at(token)
    return end is not None and end <= now


def _about(token: str, now: float) -> str:
    """Return what may be wrong with a token, in words."""
    if not token:
        return "no token was sent, and this account is not let in without"
    end = expires_at(token)
    if end is None:
        return "the token is refused"
    at = datetime.fromtimestamp(end, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"the token ran out at {at}" if end <= now else f"the token, good until {at}, is refused"
