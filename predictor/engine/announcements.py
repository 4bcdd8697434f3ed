"""Which starts a pass that looks ahead has told."""

from predictor.engine import store


class Announcements:
    """They outlast the pass: whoever was told an earlier start once keeps that."""

    def __init__(self, records: int) -> None:
        self.earliest = store.filled([-1] * records)
        """By record: the earliest start that it was ever told; -1: none."""

    def tell(self, record: int, start: int) -> None:
        """Tell the record a start, with a slot or without."""
        if self.earliest[record] < 0 or start < self.earliest[record]:
            self.earliest[record] = start
