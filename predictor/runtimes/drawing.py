"""Draw run times: by chance, and yet the same whenever the same draw is asked for.

All chance is a hash of what it is for and of the draw's number. So in the next minute a draw tells
the same fortune, a job's does not depend on who else waits, and windows do not flicker.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from math import sqrt
from statistics import NormalDist

from predictor.runtimes.estimate import Estimate

TOGETHER = 0.3
"""The correlation of the fortunes of two jobs that are alike, in [0, 1]."""
_PER_HASH = 16
_BYTES = 4
_SCALE = 1 << 8 * _BYTES
_NORMAL = NormalDist()


def uniform(key: str, draw: int) -> float:
    """Return a number of (0, 1), as if by chance; unrelated for other keys and other draws."""
    return _Chance(key).of(draw)


def draw_s(estimate: Estimate, job_id: str, draw: int) -> int:
    """Return how long the job runs in that draw, in seconds. Draws are numbered from 0."""
    return next(iter(draws_s(estimate, job_id, (draw,))))


def draws_s(estimate: Estimate, job_id: str, draws: Iterable[int]) -> Iterator[int]:
    """Yield how long the job runs in each of these draws; quickest if they follow each other.

    Each is a quantile of the estimate's law. Its level comes of a normal number, the sum of a part
    of the job's own and of one that all jobs of the estimate's `likes` share (a Gaussian copula).
    """
    law = estimate.law
    own, shared = _Chance(f"job {job_id}"), _Chance(f"likes {estimate.likes}")
    alone, together = sqrt(1 - TOGETHER), sqrt(TOGETHER)
    for draw in draws:
        if len(law.atoms) == 1:
            yield law.atoms[0]
        else:
            yield law.quantile(
                _NORMAL.cdf(alone * own.normal(draw) + together * shared.normal(draw))
            )


class _Chance:
    """The numbers of one key. One hash makes those of several draws that follow each other."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._block = -1
        self._bytes = b""

    def of(self, draw: int) -> float:
        block, place = divmod(draw, _PER_HASH)
        if block != self._block:
            self._block = block
            self._bytes = blake2b(f"{block} {self._key}".encode(errors="surrogatepass")).digest()
        word = self._bytes[place * _BYTES : (place + 1) * _BYTES]
        return (int.from_bytes(word) + 0.5) / _SCALE

    def normal(self, draw: int) -> float:
        return _NORMAL.inv_cdf(self.of(draw))
