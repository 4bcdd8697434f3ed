"""Two guesses of a job's start, blended: the simulation's, and the waits of similar jobs of late.

Each counts by how far it was off for the last jobs; the more accurate one soon counts alone.
"""

from collections.abc import Iterable, Sequence

from predictor.windows.raw import Marks, Raw, bins_beside, lead_bin, ratio, shifted
from predictor.windows.recent import Recent

MOST = 100
"""So many of the last waits of each class are known."""
MOST_CLASSES = 1000
"""Of so many classes; the one that nothing was heard of for longest gives way."""
ENOUGH = 10
"""With fewer that waited longer, a more general class is asked."""
EARNED = 30.0
"""So many jobs must have been judged until anything but the simulation is heeded."""
MEMORY = 0.99
"""What earlier errors count after one more job."""
POWER = 12
"""Who errs twice as far counts less by a factor of 2 to this power."""

Guesses = tuple[float, ...]
"""Leads: what the simulation says; and, if enough is known, what waits of late say."""


class Waits:
    """How long the last jobs of each class waited until they started."""

    def __init__(self, known: Iterable[tuple[str, Iterable[int]]] = ()) -> None:
        self.known = Recent(MOST, MOST_CLASSES, known)

    def add(self, classes: Sequence[str], wait_s: int) -> None:
        """Take in how long a job of some classes waited."""
        for one in dict.fromkeys(classes):
            self.known.add(one, wait_s)

    def lead_s(self, classes: Sequence[str], waited_s: int) -> int | None:
        """Return how much longer half of those waited that had waited as long already.

        Of the most special class that tells; None: none does.
        """
        for one in classes:
            longer = sorted(wait_s for wait_s in self.known.of(one) if wait_s > waited_s)
            if len(longer) >= ENOUGH:
                return longer[len(longer) // 2] - waited_s
        return None


class Merits:
    """How far guesses were off of late, in one bin of leads; only where there were both."""

    def __init__(self, judged: float = 0.0, off_s: tuple[float, float] = (0.0, 0.0)) -> None:
        self.judged = judged
        """Jobs, the older the less."""
        self.off_s = off_s
        """The sum of errors, likewise."""

    def heard(self, guesses: Guesses, lead_s: float, weight: float) -> None:
        """Take in the real lead of a job about which there were both guesses."""
        if len(guesses) < len(self.off_s):
            return
        kept = MEMORY**weight
        self.judged = kept * self.judged + weight
        own, other = (weight * abs(lead_s - guess_s) for guess_s in guesses)
        self.off_s = kept * self.off_s[0] + own, kept * self.off_s[1] + other

    def blended_s(self, guesses: Guesses) -> float:
        """Return the lead that the guesses make together; they are weighed by their ratios."""
        if len(guesses) < len(self.off_s) or self.judged < EARNED:
            return guesses[0]
        own, other = (max(off_s, 1.0) ** POWER for off_s in self.off_s)
        return shifted(guesses[0], ratio(guesses[1], guesses[0]) * own / (own + other))


class Blend:
    """What is made of both, by bin of leads."""

    def __init__(
        self,
        waits: Iterable[tuple[str, Iterable[int]]],
        merits: Iterable[tuple[float, tuple[float, float]]],
    ) -> None:
        self.waits = Waits(waits)
        self.merits = [Merits(*one) for one in merits]

    def guesses(self, raw: Raw, classes: Sequence[str]) -> Guesses:
        """Return what the simulation says, and what waits of late do if they are known."""
        waits_s = self.waits.lead_s(classes, raw.waited_s)
        return (raw.lead_s,) if waits_s is None else (raw.lead_s, waits_s)

    def marks(self, raw: Raw, guesses: Guesses) -> Marks:
        """Return what outcomes are measured from: as drawn, about what the guesses make."""
        number, share = bins_beside(raw.lead_s)
        below_s, above_s = (one.blended_s(guesses) for one in self.merits[number : number + 2])
        moved = ratio(shifted(below_s, share * ratio(above_s, below_s)), raw.lead_s)
        return Marks(*(shifted(mark_s, moved) for mark_s in raw.marks))

    def heard(self, guesses: Guesses, lead_s: float, weight: float) -> None:
        """Take in the real lead of a job, with the share of its answers that had the guesses."""
        self.merits[lead_bin(guesses[0])].heard(guesses, lead_s, weight)
