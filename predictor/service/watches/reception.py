"""Takes in watches: what may be wished for here, and by whom."""

import asyncio
import secrets
from collections.abc import Callable

from predictor.clock import Clock
from predictor.domain.durations import MINUTE_S
from predictor.errors import StorageError
from predictor.service.answering import Newest, row_of
from predictor.service.asking.viewers import Role, Viewer
from predictor.service.jobids import parse_job_ids
from predictor.service.problems import Refused
from predictor.service.published import Query
from predictor.service.watches.bodies import Wish
from predictor.service.watches.mailing import has_mailbox
from predictor.service.watches.store import TooMany, Watches
from predictor.service.watches.watch import Watch
from predictor.site.notices import NoticesTable

ID_BYTES = 8


class Reception:
    """Keeps the watches of those who ask. All methods raise Refused, 403 for who is not known."""

    def __init__(
        self,
        watches: Watches,
        table: NoticesTable,
        clock: Clock,
        new_id: Callable[[int], str] = secrets.token_hex,
    ) -> None:
        self._watches = watches
        self._webhooks = tuple(webhook.name for webhook in table.webhooks)
        self._domain = None if table.mail is None else table.mail.domain
        self._clock = clock
        self._new_id = new_id

    @property
    def webhooks(self) -> tuple[str, ...]:
        """The names that may be chosen."""
        return self._webhooks

    def address(self, viewer: Viewer) -> str | None:
        """Return where mail to the viewer goes; None: there is no way."""
        if self._domain is None or not has_mailbox(viewer.name):
            return None
        return f"{viewer.name}@{self._domain}"

    def of(self, viewer: Viewer) -> tuple[Watch, ...]:
        """Return the viewer's watches, oldest first."""
        return self._watches.of(_known(viewer))

    async def take(self, wish: Wish, viewer: Viewer, newest: Newest) -> Watch:
        """Keep a watch and return it, or the one there is that tells the same.

        Raises Refused: 404 for a job that the viewer does not see, 409 for one that does not wait
        or if there is no room, 422 for a place that notices cannot go to, 503.
        """
        owner = _known(viewer)
        self._check_place(wish, viewer)
        watch = Watch(
            id=self._new_id(ID_BYTES),
            owner=owner,
            job=None if wish.job is None else _waiting(wish.job, viewer, newest),
            kinds=frozenset(wish.kinds),
            soon_s=wish.soon_minutes * MINUTE_S,
            webhook=wish.webhook,
            created_at=int(self._clock.now()),
        )
        try:
            return await asyncio.to_thread(self._watches.add, watch)
        except TooMany as error:
            raise Refused(409, str(error)) from error
        except StorageError as error:
            raise Refused(503, "the watch cannot be kept at the moment") from error

    async def forget(self, id_: str, viewer: Viewer) -> Watch:
        """Forget a watch of the viewer's and return it. Raises Refused: 404 for no such, 503."""
        owner = _known(viewer)
        try:
            watch = await asyncio.to_thread(self._watches.remove, owner, id_)
        except StorageError as error:
            raise Refused(503, "the watch cannot be forgotten at the moment") from error
        if watch is None:
            raise Refused(404, "you have no such watch")
        return watch

    def _check_place(self, wish: Wish, viewer: Viewer) -> None:
        if wish.webhook is None and self.address(viewer) is None:
            raise Refused(422, "notices cannot be sent to you by mail here")
        if wish.webhook is not None and wish.webhook not in self._webhooks:
            names = ", ".join(self._webhooks) or "none"
            raise Refused(422, f"there is no such webhook here, but {names}")


def _known(viewer: Viewer) -> str:
    if viewer.role is Role.ANONYMOUS or not viewer.name:
        raise Refused(403, "watches are kept for known users only")
    return viewer.name


def _waiting(job: str, viewer: Viewer, newest: Newest) -> str:
    """Return the id of a job that the viewer sees waiting. Raises Refused."""
    current, seen = newest.with_jobs(None, viewer)
    row_of(current, job, seen)
    asked = parse_job_ids(job)
    if len(asked) != 1:
        raise Refused(422, "one job can be watched at a time")
    if next(current.select(Query(jobs=asked, sight=seen)), None) is None:
        raise Refused(409, "the job does not wait")
    return asked[0].text
