"""What was ordered, each in a folder of its own: its words, how far it is, what it came to."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from predictor.errors import StorageError
from predictor.service.longwork.orders import Diff, Order, Replay, Sweep
from predictor.service.longwork.steps import FIGURES, REPORT, texts
from predictor.storage.answers import TOO_MUCH
from predictor.storage.files import OS_FILES, put_in_place

SCHEMA = "queuecast.order/1"
FOLDER = ".orders"
"""Within that of the experiments; the page of these does not look there."""
TOLD, LOG = "order.json", "log"
LARGEST_BYTES = 8_000_000
TAIL_BYTES = 4_000
OWNER_ONLY = 0o700
ORDER: TypeAdapter[Replay | Diff | Sweep] = TypeAdapter(Order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """One of them. Instants are UTC epoch seconds, None: not yet."""

    id: str
    order: Replay | Diff | Sweep
    by: str
    key: str = field(default="", repr=False)
    """By which the same wish is known again; empty: it has none."""
    created_at: int
    state: str = "queued"
    begun_at: int | None = None
    ended_at: int | None = None
    cause: str = ""

    @property
    def open(self) -> bool:
        """Whether it waits or is worked on."""
        return self.state in ("queued", "running")


class Shelf:
    """Keeps what was ordered in a folder."""

    def __init__(self, experiments: Path) -> None:
        """Keep it beside what lies in the folder of experiments."""
        self._folder = experiments / FOLDER

    def place(self, id_: str) -> Path:
        """Return the folder of one."""
        return self._folder / id_

    def begin(self, one: Ordered) -> None:
        """Make room for one, with what it reads. Raises StorageError."""
        place = self.place(one.id)
        try:
            self._folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
            place.mkdir(mode=OWNER_ONLY)
            for name, text in texts(one.order).items():
                (place / name).write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            raise StorageError(f"{place}: {error.strerror}") from error
        self.keep(one)

    def keep(self, one: Ordered) -> None:
        """Write down how it is. Raises StorageError."""
        body = {
            "schema": SCHEMA,
            "id": one.id,
            "order": one.order.model_dump(mode="json"),
            "by": one.by,
            "key": one.key,
            "created_at": one.created_at,
            "state": one.state,
            "begun_at": one.begun_at,
            "ended_at": one.ended_at,
            "cause": one.cause,
        }
        try:
            put_in_place(OS_FILES, self.place(one.id) / TOLD, json.dumps(body).encode("ascii"))
        except OSError as error:
            raise StorageError(f"{self.place(one.id)}: {error.strerror}") from error

    def remove(self, id_: str) -> None:
        """Forget one with all that it came to."""
        shutil.rmtree(self.place(id_), ignore_errors=True)

    def all(self) -> Iterator[Ordered]:
        """Yield those that are kept; what is damaged is passed over."""
        with suppress(OSError):
            for place in sorted(self._folder.iterdir()):
                with suppress(OSError, ValueError, TypeError, KeyError, *TOO_MUCH):
                    yield _read(place)

    def progress(self, id_: str) -> str:
        """Return the last line of what was told meanwhile; empty: nothing was."""
        with suppress(OSError), (self.place(id_) / LOG).open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - TAIL_BYTES))
            lines = file.read().decode(errors="replace").strip().splitlines()
            return lines[-1] if lines else ""
        return ""

    def report(self, id_: str) -> bytes | None:
        """Return its page; None: there is none."""
        return _content(self.place(id_) / REPORT)

    def figures(self, id_: str) -> bytes | None:
        """Return its figures as JSON; None: there are none."""
        return _content(self.place(id_) / FIGURES)

    def has_report(self, id_: str) -> bool:
        """Return whether there is a page."""
        return (self.place(id_) / REPORT).is_file()


def _read(place: Path) -> Ordered:
    told: Mapping[str, Any] = json.loads(_content(place / TOLD) or b"")
    if told["schema"] != SCHEMA or told["id"] != place.name:
        raise ValueError(f"{place}: none of ours")
    begun, ended = (
        None if told[key] is None else int(told[key]) for key in ("begun_at", "ended_at")
    )
    return Ordered(
        id=place.name,
        order=ORDER.validate_python(told["order"]),
        by=str(told["by"]),
        key=str(told["key"]),
        created_at=int(told["created_at"]),
        state=str(told["state"]),
        begun_at=begun,
        ended_at=ended,
        cause=str(told["cause"]),
    )


def _content(path: Path) -> bytes | None:
    with suppress(OSError):
        if not path.is_symlink() and path.stat().st_size <= LARGEST_BYTES:
            return path.read_bytes()
    return None
