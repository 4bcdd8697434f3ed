"""The speeds of jobs on a machine that tells of neighbours or of a network."""

from math import comb

from verification.experiments.course import Running
from verification.experiments.machine import CORE, Machine
from verification.experiments.neighbours import Speedups
from verification.experiments.network import Network
from verification.experiments.rate import Company, Rate


class BesideWhom:
    """As slow as the worst of the neighbours makes a job that runs on halves of nodes.

    Who holds more than half of a node runs as on whole nodes: at speed 1. Source: ELiSE.
    """

    def __init__(self, speedups: Speedups, machine: Machine) -> None:
        self._speedups = speedups
        self._halves = [cores // 2 for cores in machine.column(CORE)]

    def speed(self, running: Running, company: Company) -> float:
        """Return the speed of a job with its places among its company."""
        cores, program = running.queued.shape.cores, running.queued.job.program
        if any(units * cores > self._halves[node] for node, units in running.places):
            return 1.0
        others = {other for _, those in company.beside(running) for other in those}
        if not others:
            return self._speedups.alone[self._speedups.kind(program)]
        return min(self._speedups.speed(program, one.queued.job.program) for one in others)


class HowFar:
    """As slow as distance makes a job that spends part of its time on messages.

    `share` of it, were all its nodes as near as can be; this part grows with the mean hops.
    """

    def __init__(self, network: Network, share: float) -> None:
        self._network = network
        self._share = share

    def speed(self, running: Running, company: Company) -> float:
        """Return the speed of a job with its places, whatever its company."""
        nodes = [node for node, _ in running.places]
        if len(nodes) < 2:
            return 1.0
        mean = self._network.hops(nodes) / comb(len(nodes), 2)
        return 1 / (1 - self._share + self._share * mean / self._network.nearest)


class Together:
    """Several reasons at once: speeds multiply."""

    def __init__(self, *rates: Rate) -> None:
        self._rates = rates

    def speed(self, running: Running, company: Company) -> float:
        """Return the speed of a job with its places among its company."""
        speed = 1.0
        for rate in self._rates:
            speed *= rate.speed(running, company)
        return speed


def rate_of(machine: Machine) -> Rate | None:
    """Return how fast jobs run on a machine; None: all at speed 1."""
    rates: list[Rate] = []
    if machine.speedups is not None:
        rates.append(BesideWhom(machine.speedups, machine))
    if machine.network is not None:
        rates.append(HowFar(machine.network, machine.talks))
    return Together(*rates) if rates else None
