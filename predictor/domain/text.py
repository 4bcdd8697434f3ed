"""Text that a user of the cluster controls."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Untrusted:
    """A string from a cluster's user, kept apart until an encoder for one output has dealt with it.

    Formatting it by accident (`f"{name}"`) raises TypeError; take `raw` where the output is
    encoded, and only there.
    """

    raw: str

    def __str__(self) -> str:
        raise TypeError("an Untrusted text has no str(); encode its .raw for one output")

    def __bool__(self) -> bool:
        return bool(self.raw)
