"""A second opinion on limits: keeps a list of who runs, and adds up anew for each question.

Whom which rule binds it takes from the package; what that comes to, it counts for itself.
"""

import math
from dataclasses import dataclass, replace

from predictor.domain import amounts_by_name
from predictor.domain.billing import billing
from predictor.limits import Blocked, Bound
from predictor.limits.binding import Binder, sort_of
from predictor.limits.claims import bitmap, counted_jobs
from predictor.limits.groups import MILLION, WALL
from predictor.limits.tables import Sort
from predictor.priority.phase import counting_period_s, last_counted
from predictor.scheduling.allocation import shares


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What a job takes of everything, the nodes that are known, and what binds it."""

    amounts: dict
    nodes: int
    limit_s: int
    binding: object
    named: int = 0
    """The nodes it will have for sure, while none are known."""


@dataclass(kw_only=True)
class Stay:
    holder: int
    job: Taken
    start: int
    end: float = math.inf


class SlowLimits:
    """Answers as the engine does; see `limit_scenes.InTheEngine`."""

    def __init__(self, snapshot, machine, asked):
        self.snapshot, self.machine, self.asked = snapshot, machine, asked
        self.partitions = {p.name: p for p in snapshot.partitions}
        self.binder = Binder(snapshot)
        self.known = {}
        self.placed = None
        self.changes = []
        """What has happened to the stays, in order: when, to which, and 1 or -1."""
        self.stays = []
        for number, (job, claim, since) in enumerate(counted_jobs(snapshot)):
            taken = Taken(
                amounts=claim.amounts,
                nodes=bitmap(job, machine.number),
                limit_s=claim.limit_s,
                binding=self.bind(sort_of(claim)),
            )
            self.begin(Stay(holder=number, job=taken, start=since), since)

    def bind(self, sort):
        if sort not in self.known:
            self.known[sort] = self.binder.bind(sort)
        return self.known[sort]

    # -- what a job takes ----------------------------------------------------------------

    def on(self, number, nodes, times=1):
        """Return what a job takes of these nodes, so many times."""
        spec, need = self.asked[number]
        held = shares(self.machine, need.shape, nodes)
        gres = {}
        for share in held:
            for name, amount in share.gres:
                gres[name] = gres.get(name, 0) + amount * times
        partition = self.partitions.get(need.partition)
        amounts = amounts_by_name(
            nodes=len(held) * times,
            cpus=sum(share.cpus for share in held) * times,
            memory_mb=sum(share.memory_mb for share in held) * times,
            gres=tuple(gres.items()),
            licenses=tuple((name, max(0, amount)) for name, amount in spec.request.licenses),
        )
        weights = partition.billing_weights if partition else ()
        amounts["billing"] = int(billing(amounts, weights, self.snapshot.settings.billing_rule))
        name = need.partition if partition else ""
        sort = Sort(user=spec.user, account=spec.account, partition=name, qos=spec.qos)
        return Taken(
            amounts=amounts,
            nodes=nodes if times == 1 else 0,
            limit_s=need.duration_s,
            binding=self.bind(sort),
        )

    def least(self, number):
        _, need = self.asked[number]
        least = self.on(number, need.candidates & -need.candidates, need.nodes)
        return replace(least, nodes=0, named=need.required)

    # -- questions -----------------------------------------------------------------------

    def early(self, number, at):
        least = self.least(number)
        return self.first(least.binding.early, least, at)

    def late_unplaced(self, number, at):
        least = self.least(number)
        return self.first(least.binding.late, least, at)

    def least_blocked(self, number, at):
        return self.early(number, at) or self.late_unplaced(number, at)

    def place(self, number, nodes):
        self.placed = self.on(number, nodes)

    def late(self, at):
        return self.first(self.placed.binding.late, self.placed, at)

    def start(self, holder, at):
        self.begin(Stay(holder=holder, job=self.placed, start=at), at)

    def begin(self, stay, at):
        self.stays.append(stay)
        self.changes.append((at, stay.job, 1))

    def end(self, holder, at):
        # Those of one holder end in the opposite order, as what is added up may be rounded.
        for stay in [one for one in reversed(self.stays) if one.holder == holder]:
            self.stays.remove(stay)
            self.changes.append((at, stay.job, -1))

    def first(self, rules, job, at):
        found = (self.blocked(rule, job, at) for rule in rules)
        return next((one for one in found if one is not None), None)

    def blocked(self, rule, job, at):
        """Return the rule in words if it keeps the job from starting, else None."""
        unit = 60 if rule.bound in (Bound.RUN_MINUTES, Bound.USED_MINUTES) else 1
        cap = rule.cap * unit
        asked = self.taken_of(rule, job)
        if rule.bound is Bound.JOB_LEAST:
            blocked, used = asked < cap, 0
        elif rule.group is None:
            blocked, used = asked > cap, 0
        elif rule.bound in (Bound.USED_MINUTES, Bound.USED_WALL):
            blocked, used = self.overspent(rule, job, asked, cap, at)
        else:
            used = self.in_use(rule, at)
            blocked = asked > 0 and used + asked > cap
        told = Blocked(
            bound=rule.bound,
            scope=rule.scope,
            resource=rule.resource,
            cap=rule.cap,
            used=int(used // unit),
            asked=int(asked // unit),
        )
        return [str(told.bound), told.limit] if blocked else None

    def taken_of(self, rule, job):
        """Return what the job asks for of the cap; what a minute costs, by its QOS."""
        amount = job.amounts.get(rule.resource, 0)
        seconds = job.limit_s * job.binding.asked_weight / MILLION
        match rule.bound:
            case Bound.JOBS:
                return 1
            case Bound.TRES if rule.resource == "node" and job.nodes:
                return (job.nodes & ~self.used_nodes(rule.group)).bit_count()
            case Bound.TRES if rule.resource == "node" and job.named:
                return amount - (job.named & self.used_nodes(rule.group)).bit_count()
            case Bound.NODE_TRES:
                return amount // max(1, job.amounts["node"])
            case Bound.JOB_WALL | Bound.USED_WALL:
                return seconds
            case Bound.RUN_MINUTES | Bound.USED_MINUTES:
                return amount * job.limit_s * job.binding.asked_weight / MILLION
            case Bound.JOB_MINUTES:
                return amount * job.limit_s * job.binding.asked_weight / MILLION / 60
        return amount

    def overspent(self, rule, job, asked, cap, at):
        wall = rule.bound is Bound.USED_WALL
        spent = self.spent(rule.group, WALL if wall else rule.resource, at)
        safe = self.snapshot.settings.limits_safe
        planned = self.run_s(rule.group, rule.resource, at) if safe and not wall else 0.0
        full = spent >= cap or (safe and spent // 60 * 60 + planned + asked > cap)
        wanted = 1 if wall else job.amounts.get(rule.resource, 0)
        return bool(wanted and full), spent + planned

    # -- what a group has ----------------------------------------------------------------

    def members(self, group):
        """Return the jobs of a group that run; in one in two groups of a sort, twice."""
        return [stay for stay in self.stays for one in stay.job.binding.groups if one is group]

    def in_use(self, rule, at):
        members = self.members(rule.group)
        if rule.bound is Bound.JOBS:
            return len(members)
        if rule.bound is Bound.RUN_MINUTES:
            return self.run_s(rule.group, rule.resource, at)
        if rule.resource == "node":
            return self.used_nodes(rule.group).bit_count()
        return sum(stay.job.amounts.get(rule.resource, 0) for stay in members)

    def used_nodes(self, group):
        used = 0
        for stay in self.members(group):
            used |= stay.job.nodes
        return used

    def run_s(self, group, resource, at):
        """Return the resource times the minutes that its jobs had before them at the last count."""
        counted_at = self.counted_at(at)
        left = sum(
            stay.job.amounts.get(resource, 0)
            * stay.job.binding.weight
            * (stay.start + stay.job.limit_s - max(stay.start, counted_at))
            for stay in self.members(group)
        )
        return max(0, left) / MILLION // 60 * 60

    def counted_at(self, at):
        if not self.snapshot.settings.multifactor:
            return 0
        since, period_s = last_counted(self.snapshot), counting_period_s(self.snapshot)
        return max(since, at - (at - since) % period_s)

    def spent(self, group, name, now):
        """Return what is used up by `now`, change by change since the snapshot."""
        seconds, since, rate = group.used_seconds.get(name, 0.0), self.snapshot.taken_at, 0
        for at, job, sign in self.changes:
            for one in job.binding.groups:
                if one is group:
                    seconds = self.decayed(seconds, rate, max(0, at - since), group)
                    since = max(since, at)
                    amount = 1 if name == WALL else job.amounts.get(name, 0)
                    rate += sign * amount * job.binding.weight * self.snapshot.settings.multifactor
        return self.decayed(seconds, rate, max(0, now - since), group)

    @staticmethod
    def decayed(seconds, rate, passed_s, group):
        """Return what becomes of the seconds used up while more are, at millionths of a rate."""
        half_life_s = group.watch.half_life_s
        if not half_life_s:
            return seconds + rate / MILLION * passed_s
        left = math.exp2(-passed_s / half_life_s)
        return seconds * left + rate / MILLION * (1 - left) * half_life_s / math.log(2)
