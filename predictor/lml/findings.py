"""What was noticed in a document: rule by rule, with lines, and never more than a page of each."""

from collections import Counter
from dataclasses import dataclass

MOST_PER_RULE = 20
"""So many findings of one rule are kept singly; the rest is only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing noticed in a document. Its text may quote the document: encode it for output."""

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
        self._kept: Counter[str] = Counter()
        self._more: Counter[str] = Counter()

    def add(self, rule: str, text: str, line: int | None = None, count: int = 1) -> None:
        """Note one thing."""
        self.take(Finding(rule=rule, text=text, line=line, count=count))

    def take(self, finding: Finding) -> None:
        """Take over one finding, singly or only by its count."""
        if self._kept[finding.rule] < MOST_PER_RULE:
            self._kept[finding.rule] += 1
            self._findings.append(finding)
        else:
            self._more[finding.rule] += finding.count

    def extend(self, other: "Notebook") -> None:
        """Take over all that another one holds."""
        for finding in other._findings:
            self.take(finding)
        self._more.update(other._more)

    def findings(self) -> tuple[Finding, ...]:
        """Return what was noted, and for each rule how often more."""
        rest = (
            Finding(rule=rule, text=f"{count} more like this", count=count)
            for rule, count in self._more.items()
        )
        return (*self._findings, *rest)
