"""What was noticed in a document: rule by rule, with lines, and never more than a page of each."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

MOST_PER_RULE = 20
"""So many findings of one rule are kept singly; the rest is only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing noticed in a document. Its text may quote the document: encode it for its output."""

    rule: str
    """A short stable name, e.g. `repeated-key`."""
    text: str
    line: int | None = None
    """From 1; None: it is about the document as a whole."""
    count: int = 1
    """How often, where one finding speaks for several."""


class Notebook:
    """Collects findings in the order they are made."""

    def __init__(self) -> None:
        self._findings: list[Finding] = []
        self._times: Counter[str] = Counter()

    def add(self, rule: str, text: str, line: int | None = None, count: int = 1) -> None:
        """Note one thing."""
        self._times[rule] += count
        if self._times[rule] <= MOST_PER_RULE or count > 1:
            self._findings.append(Finding(rule=rule, text=text, line=line, count=count))

    def extend(self, other: "Notebook") -> None:
        """Take over all that another one holds."""
        self._findings.extend(other._findings)
        self._times.update(other._times)

    def times(self, rule: str) -> int:
        """Return how often that rule was noted, kept singly or not."""
        return self._times[rule]

    def findings(self) -> tuple[Finding, ...]:
        """Return what was noted, and for each rule how often more."""
        return (*self._findings, *self._rest())

    def _rest(self) -> Iterator[Finding]:
        kept: Counter[str] = Counter()
        for finding in self._findings:
            kept[finding.rule] += finding.count
        for rule, times in self._times.items():
            if times > kept[rule]:
                more = times - kept[rule]
                yield Finding(rule=rule, text=f"{more} more like this", count=more)
