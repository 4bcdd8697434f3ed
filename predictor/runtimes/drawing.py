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
_NORMAL = NormalDist()


def uniform(key: str, draw: int) -> float:
    """Return a number of (0, 1), as if by chance; unrelated for other keys and other draws."""
    block, place = divmod(draw, _PER_HASH)
    return _uniforms(key, block)[place]


def draw_s(estimate: Estimate, job_id: str, draw: int) -> int:
    """Return how long the job runs in that draw, in seconds. Draws are numbered from 0."""
    return next(iter(draws_s(estimate, job_id, (draw,))))


def draws_s(estimate: Estimate, job_id: str, draws: Iterable[int]) -> Iterator[int]:
    """Yield how long the job runs in each of these draws; quickest if they follow each other.

    Each is a quantile of the estimate's law. Its level comes of a normal number, the sum of a part
    of the job's own and of one that all jobs of the estimate's `likes` share (a Gaussian copula).
    """
    law = estimate.law
    own, shared = _Normals(f"job {job_id}"), _Normals(f"likes {estimate.likes}")
    alone, together = sqrt(1 - TOGETHER), sqrt(TOGETHER)
    for draw in draws:
        if len(law.atoms) == 1:
            yield law.atoms[0]
        else:
            yield law.quantile(_NORMAL.cdf(alone * own.of(draw) + together * shared.of(draw)))


class _Normals:
    """The normal numbers of one key, as far as they were asked for last."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._block = -1
        self._numbers: list[float] = []

    def of(self, draw: int) -> float:
        block, place = divmod(draw, _PER_HASH)
        if block != self._block:
            self._block = block
            self._numbers = [_NORMAL.inv_cdf(one) for one in _uniforms(self._key, block)]
        return self._numbers[place]


def _uniforms(key: str, block: int) -> list[float]:
    bits = blake2b(f"{block} {key}".encode(errors="surrogatepass")).digest()
    scale = 1 << 8 * _BYTES
    words = (bits[at : at + _BYTES] for at in range(0, _PER_HASH * _BYTES, _BYTES))
    return [(int.from_bytes(word) + 0.5) / scale for word in words]
