"""How often the interpreter looks for garbage that reference counts do not find."""

import gc

AFTER = 50_000, 20, 20
"""So many more objects than before are there, so many smaller searches were made, when it looks."""


def collect_seldom() -> None:
    """Let this process look for cycles seldom: forecasts make many objects and hardly a cycle.

    With the interpreter's own settings that takes a fifth of a forecast's time.
    """
    gc.set_threshold(*AFTER)
