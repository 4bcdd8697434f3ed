"""The last values of each of many keys, bounded in both."""

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """At most `most` values of each of `most_keys` keys.

    Beyond these, the key gives way that nothing was heard of for longest.
    """

    def __init__(
        self, most: int, most_keys: int, known: Iterable[tuple[Key, Iterable[Value]]] = ()
    ) -> None:
        self._most, self._most_keys = most, most_keys
        self._known = {key: deque(values, maxlen=most) for key, values in known}

    def add(self, key: Key, value: Value) -> None:
        """Take in the next value of a key."""
        values = self._known.pop(key, None)
        values = deque(maxlen=self._most) if values is None else values
        values.append(value)
        self._known[key] = values
        if len(self._known) > self._most_keys:
            del self._known[next(iter(self._known))]

    def of(self, key: Key) -> Sequence[Value]:
        """Return the values of a key, the oldest first; none of one that is not known."""
        return self._known.get(key, ())

    def items(self) -> list[tuple[Key, list[Value]]]:
        """Return all that is known, the key first that nothing was heard of for longest."""
        return [(key, list(values)) for key, values in self._known.items()]
