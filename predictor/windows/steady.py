"""What is told again and again moves as little as it may: draws of each look are partly luck."""

import math

from predictor.windows.raw import MIDDLE, SOFTENED_S, Raw

RECALLED = 0.2
"""What was drawn is forgotten within about this share of the lead, that before or that now."""
RECALLED_MOST_S = 900
"""What was drawn is forgotten within about so long at most."""
NEAR = 0.075
"""A likely start that moves by no more than this share of its lead is told as before."""

DrawnAt = tuple[float, ...]
"""The instants of a job's quantiles as drawn, those of earlier looks included."""


def steadied(raw: Raw, now: int, before: DrawnAt, before_at: int) -> Raw:
    """Return the quantiles drawn at `now`, together with those `before`, as of `before_at`.

    The longer ago that was, the less it counts; nothing without any.
    """
    if not before:
        return raw
    least_s = min(raw.lead_s, before[MIDDLE] - now)
    recalled_s = min(max(RECALLED * least_s, 1.0), RECALLED_MOST_S)
    new = -math.expm1(-max(0, now - before_at) / recalled_s)
    quantiles_s = tuple(
        max(0.0, new * lead_s + (1 - new) * (at - now))
        for lead_s, at in zip(raw.quantiles_s, before, strict=True)
    )
    return Raw(quantiles_s=quantiles_s, waited_s=raw.waited_s)


def drawn_at(raw: Raw, now: int) -> DrawnAt:
    """Return the instants of the quantiles of leads from `now` on."""
    return tuple(now + lead_s for lead_s in raw.quantiles_s)


def as_told(lead_s: int, told_s: int) -> int:
    """Return the likely lead that was told before, if it is ahead and near the new one."""
    near_s = NEAR * max(lead_s, SOFTENED_S)
    return told_s if told_s >= 0 and abs(told_s - lead_s) <= near_s else lead_s
