"""Asking the cluster without ever waiting longer than agreed."""

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from typing import TypeVar

from predictor.domain import FinishedJob, Observation, Source
from predictor.domain.source import Accounting, TakeEnded, Told
from predictor.errors import SourceError, SourceTimeout

T = TypeVar("T")


class PatientSource:
    """A source that returns or raises within `deadline_s`, even if the one behind it hangs.

    One question at a time: while an earlier one hangs, no other is begun.
    """

    def __init__(self, source: Source, deadline_s: float) -> None:
        self._source = source
        self._deadline_s = deadline_s
        self._asking: threading.Thread | None = None
        self._answer: Future[object] = Future()
        self._taking = threading.Lock()

    @property
    def past_s(self) -> float:
        """How far back it may be asked who ended; 0: not at all."""
        return self._source.past_s if isinstance(self._source, Accounting) else 0

    def observe(self) -> Observation:
        """Look once. Raises SourceError, SourceTimeout, or whatever the source behind raises."""
        return self._patiently(lambda answer: self._source.observe())

    def ended(self, since: int, until: int, take: TakeEnded) -> Told:
        """Hand on who ended at `since` or later and before `until`; `take` is called in a thread.

        But never after this has returned or raised. Raises as `observe` does.
        """
        source = self._source
        if not isinstance(source, Accounting):
            raise SourceError("the source has no accounting")

        def ask(answer: Future[Told]) -> Told:
            return source.ended(since, until, take_while(answer))

        def take_while(answer: Future[Told]) -> TakeEnded:
            def take_on(jobs: Sequence[FinishedJob]) -> None:
                with self._taking:
                    if answer.done():
                        raise SourceError("nobody waits for the answer any more")
                    take(jobs)

            return take_on

        return self._patiently(ask)

    def stop(self) -> None:
        """Make a question in progress raise SourceError now."""
        with contextlib.suppress(InvalidStateError):
            self._answer.set_exception(SourceError("the service is ending"))

    def _patiently(self, ask: Callable[[Future[T]], T]) -> T:
        if self._asking is not None and self._asking.is_alive():
            raise SourceTimeout("an earlier look at the cluster still hangs")
        answer: Future[T] = Future()
        self._answer = answer  # type: ignore[assignment]
        self._asking = threading.Thread(target=_answered, args=(ask, answer), daemon=True)
        self._asking.start()
        try:
            return answer.result(self._deadline_s)
        except TimeoutError as error:
            if answer.done():
                raise
            late = SourceTimeout(f"no answer within {self._deadline_s:g} s")
            with contextlib.suppress(InvalidStateError):
                answer.set_exception(late)
            raise late from error
        finally:
            with self._taking:  # whoever is taking has done so
                pass


def _answered(ask: Callable[[Future[T]], T], answer: Future[T]) -> None:
    # Nobody may be waiting any more, so a late answer is dropped.
    with contextlib.suppress(InvalidStateError):
        try:
            found = ask(answer)
        except Exception as error:
            answer.set_exception(error)
        else:
            answer.set_result(found)
