"""What the service counted since it began, read off its own metrics."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from prometheus_client import CollectorRegistry

from predictor.service.statemetrics import PREFIX

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed:
    """Many values, in the unit of their metric."""

    count: int
    total: float
    buckets: tuple[tuple[float, float], ...] = ()
    """How many were at most so large, ascending; empty where that was not counted."""

    @property
    def mean(self) -> float:
        """What they are in the mean; 0 for none."""
        return self.total / self.count if self.count else 0.0

    def up_to(self, share: float) -> float:
        """Return below what this share of them lies, linear within a bucket; inf: above all."""
        wanted = share * self.count
        for (low, below), (high, within) in pairwise(((0.0, 0.0), *self.buckets)):
            if within >= wanted and within > below:
                return (
                    high
                    if high == inf
                    else low + (high - low) * (wanted - below) / (within - below)
                )
        return inf


class Figures:
    """The samples of a registry at one moment."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._samples: dict[str, list[tuple[Labels, float]]] = {}
        for family in registry.collect():
            for sample in family.samples:
                self._samples.setdefault(sample.name, []).append((sample.labels, sample.value))

    def each(self, name: str, **wanted: str) -> Iterator[tuple[Labels, float]]:
        """Yield the samples of that name, without our prefix, that have these labels."""
        for labels, value in self._samples.get(f"{PREFIX}_{name}", ()):
            if all(labels.get(key) == told for key, told in wanted.items()):
                yield labels, value

    def sum(self, name: str, **wanted: str) -> float:
        """Return them added up; 0 for none."""
        return sum(value for _, value in self.each(name, **wanted))

    def names(self, name: str, label: str) -> list[str]:
        """Return the values of a label, in the order of the samples."""
        return list(dict.fromkeys(labels[label] for labels, _ in self.each(name)))

    def summed(self, name: str, **wanted: str) -> Summed:
        """Return a histogram or a summary, those with other labels added up."""
        within: dict[float, float] = {}
        for labels, value in self.each(f"{name}_bucket", **wanted):
            bound = float(labels["le"])
            within[bound] = within.get(bound, 0.0) + value
        return Summed(
            count=int(self.sum(f"{name}_count", **wanted)),
            total=self.sum(f"{name}_sum", **wanted),
            buckets=tuple(sorted(within.items())),
        )
