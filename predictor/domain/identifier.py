"""The interface between the service and whatever can tell by credentials who asks."""

from collections.abc import Callable, Mapping
from typing import Protocol


class Identifier(Protocol):
    """One who can verify what somebody shows, such as a token of the batch system."""

    def offered(self, headers: Mapping[str, str]) -> bool:
        """Return whether these headers, their names in lower case, hold such. Never waits."""
        ...

    def name(self, headers: Mapping[str, str]) -> str:
        """Return the user whom it proves, as the batch system calls its users; empty: nobody.

        May wait for an answer for a few seconds, and is called by several threads. Raises
        SourceError if it cannot be told; never quotes what was shown.
        """
        ...


IdentifierFactory = Callable[[Mapping[str, object]], Identifier]
"""Makes one from the `access.ask` table of a site file, less its `kind`. Raises SiteError.

Registered under the entry-point group `IDENTIFIERS`, by kind.
"""

IDENTIFIERS = "queuecast.identifiers"
