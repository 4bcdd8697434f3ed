"""The documents of one segment, each rebuilt from those it is compressed against."""

from collections.abc import Iterable

from predictor.errors import StorageError
from predictor.storage.codec import unpack
from predictor.storage.frames import Entry, entry_at, packed_document

REMEMBERED = 8
"""As many documents as the longest chain of a segment, so that reading on costs one each."""


class Documents:
    """Rebuilds the documents of the segment `data`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._rebuilt: dict[int, bytes] = {}

    def at(self, offset: int) -> bytes:
        """Return the document of the record at `offset`.

        Raises StorageError if it, or one it is compressed against, is damaged.
        """
        chain = self._chain(offset)
        document = self._rebuilt.get(chain[-1].base)
        for entry in reversed(chain):
            document = self._rebuilt.get(entry.offset) or unpack(
                packed_document(self._data, entry), document
            )
            self._remember(entry.offset, document)
        assert document is not None  # noqa: S101
        return document

    def _chain(self, offset: int) -> list[Entry]:
        """Return the record and those below it that are not yet rebuilt."""
        chain: list[Entry] = []
        while True:
            entry = entry_at(self._data, offset)
            if entry is None:
                raise StorageError(f"byte {offset}: no sound record")
            chain.append(entry)
            # A base stands before what builds on it, so this ends.
            offset = entry.base
            if offset == 0 or offset in self._rebuilt:
                return chain

    def _remember(self, offset: int, document: bytes) -> None:
        self._rebuilt.pop(offset, None)
        self._rebuilt[offset] = document
        while len(self._rebuilt) > REMEMBERED:
            del self._rebuilt[next(iter(self._rebuilt))]


def base_number(number: int) -> int:
    """Return which earlier snapshot of a segment the snapshot `number` > 0 builds on.

    Clears the lowest set bit: half of them build on the one just before, and of 64 none
    stands more than six steps above the first, which bounds both reading and damage.
    """
    return number & (number - 1)


def chain_of(number: int) -> Iterable[int]:
    """Return the numbers that a snapshot after `number` may build on, largest first."""
    while number:
        yield number
        number = base_number(number)
    yield 0
