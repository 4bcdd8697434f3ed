"""A second opinion on which nodes give how many CPUs where that need not be even.

Slow, obvious, without any code of the package: nodes are dictionaries of what each could give, in
the order of the machine; there is one weight. A job names its `total` of CPUs, of which each task
takes `cpus`, and between `least` and `most` nodes, rather `wanted`.
"""

from slow_policies import dealt


def spread(job, left):
    """Return how many CPUs each node gives; None: they do not suffice."""
    able = {node: cpus for node, cpus in left.items() if cpus >= job["cpus"]}
    best = sorted(able.values(), reverse=True)[: job["most"] or None]
    if len(able) < job["least"] or sum(best) < job["total"]:
        return None
    for least in sorted({0, *able.values()} - {max(able.values())}):
        there = dict(able)
        for node in able:
            if able[node] <= least and len(there) > job["least"]:
                del there[node]
        found = Attempt(job, there).run()
        if found is not None:
            return dealt(found, job["total"] // job["cpus"], job["cpus"])
    strongest_first = sorted(able, key=lambda node: -able[node])
    found = Attempt(job, able)
    found.take(strongest_first)
    return dealt(dict(sorted(found.given.items())), job["total"] // job["cpus"], job["cpus"])


class Attempt:
    """Takes run after run of neighbours."""

    def __init__(self, job, able):
        self.job, self.able = job, able
        self.given = {}
        self.rest = job["total"]

    def run(self):
        runs = runs_of(sorted(self.able))
        while runs and not self.is_done():
            best = self.best_of(runs)
            runs.remove(best)
            self.take(self.of_run(best))
        enough = self.rest <= 0 and len(self.given) >= self.job["least"]
        return dict(sorted(self.given.items())) if enough else None

    def is_done(self):
        full = len(self.given) == self.job["most"] > 0
        return full or (self.rest <= 0 and len(self.given) >= self.job["wanted"])

    def best_of(self, runs):
        """Return the tightest run that suffices, else the largest.

        Yet one of too few nodes and more CPUs is preferred to the best of those before it.
        """
        best = runs[0]
        for run in runs[1:]:
            more = self.cpus(run) - self.cpus(best)
            suffices = self.suffices(run)
            better = more < 0 or not self.suffices(best) if suffices else more > 0
            best = run if better else best
        return best

    def cpus(self, run):
        return sum(self.able[node] for node in run)

    def suffices(self, run):
        missing = self.job["least"] - len(self.given)
        return self.cpus(run) >= self.rest and len(run) >= missing

    def of_run(self, run):
        """Return the nodes of a run to be tried: only the one that suffices, if one is enough."""
        alone = [node for node in run if self.able[node] >= self.rest]
        if alone and self.job["wanted"] - len(self.given) <= 1:
            return [min(alone, key=lambda node: self.able[node])]
        return run

    def take(self, nodes):
        for node in nodes:
            if self.is_done():
                return
            last = len(self.given) + 1 == self.job["most"]
            if last and self.able[node] < self.rest:
                continue
            others = max(0, self.job["least"] - len(self.given) - 1)
            kept = max(self.rest - others, self.job["cpus"])
            self.given[node] = min(self.able[node], kept)
            self.rest -= self.given[node]


def runs_of(nodes):
    """Return the runs of neighbours."""
    runs = []
    for node in nodes:
        if runs and runs[-1][-1] == node - 1:
            runs[-1].append(node)
        else:
            runs.append([node])
    return runs
