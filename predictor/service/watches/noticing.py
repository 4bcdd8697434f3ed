"""Looks at each new result for what is to be told, in a thread of its own."""

import os
import threading
from collections.abc import Mapping

from predictor.clock import Clock
from predictor.errors import StorageError
from predictor.service.asking.identify import account_name
from predictor.service.asking.viewers import Role, Sight, Viewer, sight
from predictor.service.logs import log
from predictor.service.published import Board, Published
from predictor.service.watches.counts import NoticeCounts
from predictor.service.watches.deciding import decided
from predictor.service.watches.lane import USUAL, Lane, Patience
from predictor.service.watches.mailing import mail_of
from predictor.service.watches.posting import webhook_of
from predictor.service.watches.sending import Send
from predictor.service.watches.store import Watches
from predictor.service.watches.watch import Notice
from predictor.site import Site
from predictor.site.notices import NoticesTable

LOOK_EVERY_S = 1.0
"""So often it looks whether there is a new result: nothing that makes results waits for it."""
END_S = 1.0
"""So long the end waits for a decision to be kept."""

Senders = Mapping[str | None, Send]
"""By the names of webhooks; None: by mail."""


def senders_of(table: NoticesTable) -> Senders:
    """Return what sends notices. Raises SiteError if a secret cannot be read."""
    senders: dict[str | None, Send] = {one.name: webhook_of(one) for one in table.webhooks}
    if table.mail is not None:
        senders[None] = mail_of(table.mail)
    return senders


class Seeing:
    """Tells what a user may see, who need not be there."""

    def __init__(self, site: Site) -> None:
        by_socket = {account_name(0), account_name(os.geteuid())}
        self._operators = by_socket | set(site.access.operators)

    def __call__(self, user: str, current: Published) -> Sight:
        """Return it."""
        role = Role.OPERATOR if user in self._operators else Role.USER
        return sight(Viewer(role=role, name=user), private=current.private, open_=False)


class Noticing:
    """Decides on each new result, and hands the notices to a lane for each place."""

    def __init__(
        self,
        board: Board,
        watches: Watches,
        senders: Senders,
        counts: NoticeCounts,
        clock: Clock,
        sees: Seeing,
        patience: Patience = USUAL,
    ) -> None:
        self._board = board
        self._watches = watches
        self._counts = counts
        self._clock = clock
        self._sees = sees
        self._lanes = {
            name: Lane(name or "mail", send, counts, clock, patience)
            for name, send in senders.items()
        }
        self._before: Published | None = None
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="noticing", daemon=True)

    def start(self) -> None:
        """Begin, if notices can go anywhere."""
        if self._lanes:
            self._thread.start()

    def stop(self) -> None:
        """End at once; what still waits to be sent is lost."""
        self._ending.set()
        for lane in self._lanes.values():
            lane.stop()
        if self._thread.is_alive():
            self._thread.join(END_S)

    def look(self) -> None:
        """Tell what the newest result brings, if it is a new one, and not stale."""
        current, before = self._board.dated(self._clock), self._before
        if current is None or current.stale(self._clock.now()) or not _follows(before, current):
            return
        self._before = current
        watches, ledger = self._watches.all()
        if not watches:
            return
        known = before if before is None or before.snapshot_at < current.snapshot_at else None
        decision = decided(watches, ledger, known, current, lambda user: self._sees(user, current))
        try:
            # Kept before it is sent: after a crash a notice may be missing, but none comes twice.
            self._watches.settle(decision)
        except StorageError as error:
            log("what watches told is not kept", level=40, cause=str(error))
        for notice in decision.notices:
            self._hand_over(notice)

    def _hand_over(self, notice: Notice) -> None:
        lane = self._lanes.get(notice.watch.webhook)
        if lane is None:
            self._counts.refused(notice)
        else:
            lane.put(notice)

    def _run(self) -> None:
        while not self._ending.wait(LOOK_EVERY_S):
            try:
                self.look()
            # Notices must not end for a fault in one result.
            except Exception as error:
                log("fault while looking for what to tell", level=40, error=error)


def _follows(before: Published | None, current: Published) -> bool:
    """Return whether it is a later result, not the same with other words about trouble."""
    if before is None:
        return True
    return (current.snapshot_at, current.computed_at) > (before.snapshot_at, before.computed_at)
