"""Looking at the cluster without ever waiting longer than agreed."""

import contextlib
import threading
from concurrent.futures import Future, InvalidStateError

from predictor.domain import Observation, Source
from predictor.errors import SourceError, SourceTimeout


class PatientSource:
    """A source that returns or raises within `deadline_s`, even if the one behind it hangs.

    One look at a time: while an earlier one hangs, no other is begun.
    """

    def __init__(self, source: Source, deadline_s: float) -> None:
        self._source = source
        self._deadline_s = deadline_s
        self._looking: threading.Thread | None = None
        self._answer: Future[Observation] = Future()

    def observe(self) -> Observation:
        """Look once. Raises SourceError, SourceTimeout, or whatever the source behind raises."""
        if self._looking is not None and self._looking.is_alive():
            raise SourceTimeout("an earlier look at the cluster still hangs")
        self._answer = Future()
        self._looking = threading.Thread(target=self._look, args=(self._answer,), daemon=True)
        self._looking.start()
        try:
            return self._answer.result(self._deadline_s)
        except TimeoutError as error:
            if self._answer.done():
                raise
            raise SourceTimeout(f"no answer within {self._deadline_s:g} s") from error

    def stop(self) -> None:
        """Make a look in progress raise SourceError now."""
        with contextlib.suppress(InvalidStateError):
            self._answer.set_exception(SourceError("the service is ending"))

    def _look(self, answer: Future[Observation]) -> None:
        # Nobody may be waiting any more, so a late answer is dropped.
        with contextlib.suppress(InvalidStateError):
            try:
                seen = self._source.observe()
            except Exception as error:
                answer.set_exception(error)
            else:
                answer.set_result(seen)
