"""Object ids: XML names made of a thing's own id, so that they stay when others come and go."""

import re

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 48


class Ids:
    """Hands out the ids of one document, each once."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}

    def new(self, prefix: str, name: str) -> str:
        """Return an unused id: prefix and name, with `.2`, `.3`, … where several would be equal."""
        # "." is what foreign characters become, so a number after it could also be a name's.
        wanted = prefix + _NOT_IN_NAMES.sub(".", name[:_LONGEST])
        times = self._times.get(wanted, 0)
        chosen = wanted
        while chosen in self._times:
            times += 1
            chosen = f"{wanted}.{times + 1}"
        self._times[wanted] = times
        self._times.setdefault(chosen, 0)
        return chosen
