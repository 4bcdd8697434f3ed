"""Who may see what."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from predictor.domain import JobSpec


class Role(IntEnum):
    """What somebody is to this service; each may do what those before it may."""

    ANONYMOUS = 0
    USER = 1
    """Somebody of whom we know who it is."""
    OPERATOR = 2
    """Sees everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Somebody who asks."""

    role: Role = Role.ANONYMOUS
    name: str = ""
    """As the batch system calls its users; empty: not one of them."""
    how: str = ""
    """How we know, as a clause: `by the owner of the connection`; empty: we do not."""
    trouble: str = ""
    """Why we do not, as a sentence, where something went wrong; empty: nothing did."""


ANONYMOUS: Final = Viewer()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Whose jobs somebody sees."""

    all: bool = False
    own: str = ""
    """The user whose jobs are seen, if not all are; empty: nobody's."""

    @property
    def nothing(self) -> bool:
        """Whether no job is seen at all."""
        return not (self.all or self.own)

    def shows(self, spec: JobSpec) -> bool:
        """Return whether the job is seen."""
        return self.all or (bool(self.own) and spec.user == self.own)


EVERYTHING: Final = Sight(all=True)


def sight(viewer: Viewer, *, private: bool, open_: bool) -> Sight:
    """Return what the viewer sees of a cluster.

    `private`: the site keeps jobs private between users. `open_`: it shows those that it does
    not keep private to everybody, known or not.
    """
    if viewer.role is Role.OPERATOR:
        return EVERYTHING
    known = viewer.role is Role.USER
    if private:
        return Sight(own=viewer.name if known else "")
    return Sight(all=known or open_)
