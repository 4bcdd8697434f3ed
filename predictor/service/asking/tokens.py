"""Tokens that a site gives to programs: kept as hashes, with what they may see and until when."""

import hashlib
import hmac
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError

from predictor.clock import Clock
from predictor.domain.instants import instant_of
from predictor.errors import SiteError
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.site.table import Table

LONGEST_TOKEN = 4_096
LARGEST_FILE_BYTES = 2**20
ROLES = {
    "read:counts": Role.ANONYMOUS,
    "read:jobs": Role.USER,
    "read:everything": Role.OPERATOR,
}


class TokenTable(Table):
    """One token."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    """Who holds it, for logs."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """The hash of the token, as `printf %s TOKEN | sha256sum` prints it."""
    scope: Literal["read:counts", "read:jobs", "read:everything"] = "read:counts"
    """`read:jobs` are those that the site does not keep private between users."""
    expires: str | None = None
    """An instant in RFC 3339; unset: never."""


class TokenFile(Table):
    """A file of tokens."""

    tokens: Annotated[tuple[TokenTable, ...], Field(strict=False)] = ()


@dataclass(frozen=True, slots=True)
class _Token:
    digest: bytes
    viewer: Viewer
    expires_at: int | None


class Tokens:
    """Knows whom a token stands for."""

    def __init__(self, tokens: Iterable[TokenTable], clock: Clock) -> None:
        """Take the tokens. Raises ValueError for an expiry that is no instant."""
        self._clock = clock
        self._tokens = [
            _Token(
                bytes.fromhex(one.sha256),
                Viewer(role=ROLES[one.scope], how=f"by the token of {one.name}"),
                _end_of(one),
            )
            for one in tokens
        ]

    @classmethod
    def read(cls, path: Path | None, clock: Clock) -> Self:
        """Return the tokens in a file; none without one. Raises SiteError."""
        if path is None:
            return cls((), clock)
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST_FILE_BYTES + 1)
            if len(content) > LARGEST_FILE_BYTES:
                raise SiteError(f"{path}: more than {LARGEST_FILE_BYTES} bytes")
            found = TokenFile.model_validate(tomllib.loads(content.decode()))
            return cls(found.tokens, clock)
        except OSError as error:
            raise SiteError(f"{path}: {error.strerror}") from error
        except ValidationError as error:
            raise SiteError(f"{path}: {_without_values(error)}") from None
        except (ValueError, RecursionError) as error:
            raise SiteError(f"{path}: {error}") from error

    def viewer(self, token: str) -> Viewer:
        """Return whom it stands for: nobody known, for one that is unknown or has expired."""
        digest = hashlib.sha256(token[:LONGEST_TOKEN].encode(errors="replace")).digest()
        found = ANONYMOUS
        for one in self._tokens:
            good = one.expires_at is None or self._clock.now() < one.expires_at
            # Each is compared, so that the time taken does not tell which one is near.
            if hmac.compare_digest(one.digest, digest) and good:
                found = one.viewer
        return found


def _end_of(token: TokenTable) -> int | None:
    """Return when the token expires; None: never. Raises ValueError, without what stands there."""
    try:
        return None if token.expires is None else instant_of(token.expires)
    except (ValueError, OverflowError):
        raise ValueError(f"{token.name}: expires: expected an instant in RFC 3339") from None


def _without_values(error: ValidationError) -> str:
    """Return what is wrong where; what stands there may be a token by mistake."""
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
