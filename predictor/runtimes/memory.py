"""Something known per kind of jobs, within bounds that keep users apart."""

from collections.abc import Iterator, Mapping
from typing import Final, Generic, TypeVar

from predictor.runtimes.kinds import Key

MOST_OF_USER: Final = 256
"""Of so many kinds of one user something is known."""
MOST_OF_ALL: Final = 40_000
"""Of so many kinds of all users together."""

T = TypeVar("T")


class Memory(Generic[T]):
    """What is known, by user and kind. What was not put for longest is forgotten first.

    Who fills the share of one user forgets what is the user's own; when all is full, users go
    who have not been heard of for longest.
    """

    def __init__(self, most_of_user: int = MOST_OF_USER) -> None:
        self._most_of_user = most_of_user
        self._users: dict[str, dict[Key, T]] = {}
        self._count = 0

    def of(self, user: str) -> Mapping[Key, T]:
        """Return what is known of a user's kinds."""
        return self._users.get(user) or {}

    def put(self, user: str, key: Key, value: T) -> None:
        """Know this of a kind from now on."""
        kinds = self._users.pop(user, {})
        self._users[user] = kinds
        self._count -= len(kinds)
        kinds.pop(key, None)
        kinds[key] = value
        if len(kinds) > self._most_of_user:
            del kinds[next(iter(kinds))]
        self._count += len(kinds)
        while self._count > MOST_OF_ALL:
            self._count -= len(self._users.pop(next(iter(self._users))))

    def items(self) -> Iterator[tuple[str, Key, T]]:
        """Yield all that is known, in an order in which it may be put again."""
        for user, kinds in self._users.items():
            for key, value in kinds.items():
                yield user, key, value
