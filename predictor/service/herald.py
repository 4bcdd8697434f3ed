"""Server-sent events: every new result is told, and what it changes for the listener's jobs."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from predictor.service.answering import Newest, cluster_body
from predictor.service.asking.viewers import Role, Viewer
from predictor.service.places import listeners
from predictor.service.problems import Refused
from predictor.service.published import Published, Query

LOOK_EVERY_S = 0.5
"""So often one task looks for a new result, on behalf of all who listen."""
BEAT_EVERY_S = 15.0
"""After so much silence a comment is sent, so that nobody between us hangs up."""
MOST_JOBS = 100
"""Of so many of somebody's jobs changes are told at once."""


class Herald:
    """Tells listeners of new results. Belongs to one event loop."""

    def __init__(self, newest: Newest) -> None:
        self._newest = newest
        self._listeners = 0
        self._watch: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    @property
    def listeners(self) -> int:
        """How many listen."""
        return self._listeners

    def listen(self, viewer: Viewer, last: str) -> AsyncIterator[bytes]:
        """Return the stream for somebody who heard of the result `last`; empty: of none.

        Raises Refused, 503, where too many listen.
        """
        if self._listeners >= listeners():
            raise Refused(503, "too many listen already", {"Retry-After": "60"})
        return self._stream(viewer, last)

    async def _stream(self, viewer: Viewer, last: str) -> AsyncIterator[bytes]:
        self._listeners += 1
        try:
            told: Published | None = None
            while True:
                current = self._newest.current
                if current is not None and current.tick != last:
                    for event in self._events(viewer, told, current):
                        yield event
                    told, last = current, current.tick
                if not await self._changed(current):
                    yield b": still here\n\n"
        finally:
            self._listeners -= 1
            if not self._listeners and self._watch is not None:
                self._watch.cancel()
                self._watch = None

    async def _changed(self, told: Published | None) -> bool:
        """Wait for another result than was told; False if there was none for a while."""
        if self._newest.current is not told:
            return True
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._look(told))
        try:
            await asyncio.wait_for(self._news.wait(), BEAT_EVERY_S)
        except TimeoutError:
            return False
        return True

    async def _look(self, seen: Published | None) -> None:
        """Wake everybody up whenever the result is another one than was seen."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if self._newest.current is not seen:
                seen = self._newest.current
                news, self._news = self._news, asyncio.Event()
                news.set()

    def _events(
        self, viewer: Viewer, before: Published | None, current: Published
    ) -> Iterator[bytes]:
        """Yield the event of a new result, after those of the listener's own jobs."""
        if viewer.role is not Role.ANONYMOUS and viewer.name and before is not None:
            yield from _changes(viewer.name, before, current)
        yield event("tick", cluster_body(current, self._newest.now()), current.tick)


def _changes(user: str, before: Published, current: Published) -> Iterator[bytes]:
    """Yield what is told of the user's jobs that was told otherwise, or not at all, before."""
    mine = Query(users=frozenset({user}), states=None)
    known = {row.spec.id: row.encoded for _, row in before.select(mine)}
    changed = (row for _, row in current.select(mine) if known.get(row.spec.id) != row.encoded)
    for _, row in zip(range(MOST_JOBS), changed, strict=False):
        yield event("job", json.loads(row.encoded))


def event(name: str, body: Mapping[str, Any], id_: str = "") -> bytes:
    """Return a server-sent event. Its data are one line of ASCII, whatever they hold."""
    head = f"id: {id_}\n" if id_ else ""
    return f"{head}event: {name}\ndata: {json.dumps(body)}\n\n".encode("ascii")
