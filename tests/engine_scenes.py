"""Small problems for the engine, written as JSON would have them: names, numbers, bitmaps.

Time begins at 0. Nodes are numbered from 0 and alike, four of 4 CPUs if nothing else is said.
"""

from dataclasses import replace

from predictor.engine import unlocked
from predictor.engine.calendar_tables import Calendar, Cleared, Era
from predictor.engine.codes import GROUP
from predictor.engine.forward import Forward
from predictor.engine.layout import Layout
from predictor.engine.policies import Policies
from predictor.engine.rule_tables import PolicyRules, Rules
from predictor.engine.tables import (
    After,
    Holding,
    Kind,
    LayoutTables,
    QueueTables,
    Record,
    Runner,
    Spread,
    Switch,
    Tenant,
    Waiting,
    Way,
)
from predictor.engine.victim_tables import Station, Vacating, VictimTables

FAR = 1 << 60
PLAIN = {
    "main_depth": 100,
    "main_depth_per_partition": 0,
    "main_starts_max": 0,
    "main_period_s": 60,
    "arrival_delay_s": 3,
    "period_s": 30,
    "first_at": 0,
    "window_s": 86_400,
    "step_s": 1,
    "rounds_up": False,
    "jobs_max": 0,
    "jobs_max_per_user": 0,
    "jobs_max_per_association": 0,
    "jobs_max_per_partition": 0,
    "jobs_max_per_user_and_partition": 0,
    "array_tasks_max": 0,
    "entries_max": 0,
    "starts_max": 0,
    "protected_per_partition": 0,
    "min_age_s": 0,
    "exact_slots": False,
    "group_s": 0,
    "group_step_s": 0,
    "one_slot_per_job": False,
    "licenses_planned": False,
    "owners_leave": True,
    "limits_stop": False,
    "stretches": False,
}
"""Rules without any cap; every end counts; passes that look ahead begin every 30 s."""
STRICT_ONLY = {"first_at": FAR}
"""Nobody looks ahead."""
AHEAD_ONLY = {"main_depth": -1}
"""There is no pass in strict order."""
OF_PLACE = ("candidates", "required", "reservation", "contiguous", "allocation", "order", "draw")
OF_KIND = (*OF_PLACE, "pinned", "trimmed", "licenses", "switches_max", "groups", "whole")
WATCHED = ("people", "rivals")
OF_TIME = ("run_s", "enters_at", "leaves_at", "not_before", "eligible_since", "later_runs")
OF_GROUP = ("user", "array", "apart", "association", "lane", "ordinal")
OF_JOB = (*OF_TIME, *OF_GROUP, "any_of", "held", "kept_back", "insists_s", "asleep", "awaited")
OF_RUNNER = ("lane", "user", "ordinal", "amended", "due_at", "grace_s", "ahead_s")


def job(nodes=1, s=60, **more):
    """A waiting job; without `cpus` it takes whole nodes. `least_s`: so short it would accept.

    `station`: the number of its station; `level`: its priority there; `stays`: it cannot be sent
    back. `unreserved`: it gets no slot; `fleeting`: once it has a place for `least_s`, it stays for
    all its time.
    `partitions`: names, the first if not said. `parts`: further jobs that start with it. Else
    fields of `Kind` and of `Waiting`; `after` names people. `other_form_of`: a job's name.
    `tenant`: whose it is, from 1 on, where nodes have owners; `alone`: next to its own only.
    `total`: so many CPUs on any nodes, on each `cpus` at least; `spread`: fields of `Spread`.
    `claim`: the number of what it counts as by the scene's limits.
    """
    return {"nodes": nodes, "s": s} | more


def busy(nodes, until, **more):
    """Somebody who runs on a set of nodes; `planned_s`: when the limit ends, if not then.

    `station`, `level`, `since`; `again`: the name of the sleeping job as which it is sent back;
    `still`: it stands still; `beside`: what it holds besides, by the same names. `ordinal`: its
    number in the list of all jobs. `amended`: when it gets which other planned end. `due_at`,
    `grace_s`, `ahead_s`: when it is taken to end if it runs on beyond that. `spared`: when
    its grace time is over, if it was given one.
    """
    return {"nodes": nodes, "until": until} | more


class Scene:
    """A problem, laid out for the engine."""

    def __init__(
        self,
        jobs,
        running=None,
        *,
        machine=None,
        partitions=None,
        lanes=(),
        stations=(),
        preemption=None,
        limits=None,
        apart=True,
        by_partition=False,
        **rules,
    ):
        """`stations`: fields of `Station`; without any, nobody is ended for anybody.

        `limits`: those that jobs with a `claim` obey. `apart`: `parts` have their own places.
        `by_partition`: one partition comes behind the other in the queue, not one job.
        """
        self.jobs, self.lanes, self.apart, self.by_partition = jobs, lanes, apart, by_partition
        self.running = running or {}
        self.machine = {"nodes": 4, "cpus": 4, "licenses": [], "calendars": []} | (machine or {})
        self.classes = 1 + max(self.machine.get("node_class", [0]))
        self.everything = (1 << self.machine["nodes"]) - 1
        self.partitions = partitions or {"p": self.everything}
        self.people = {name: number for number, name in enumerate([*jobs, *self.running])}
        self.owned = any("tenant" in one for one in (*jobs.values(), *self.running.values()))
        self.shapes, self.kinds = [self._form({})], []
        tables = self._tables()
        ending = self._ending(stations, tables, preemption or {}) if stations else None
        rules = Rules(**PLAIN | rules)
        self.forward = Forward(self._layout(), tables, rules, limits, None, 0, ending)

    def _tables(self):
        names, listed = list(self.partitions), list(self.jobs.values())
        records = [
            Record(
                job=number,
                partition=names.index(name),
                parts=parts,
                reserves=not one.get("unreserved", False),
                fleeting=one.get("fleeting", False),
                component=component,
                queued=queued,
            )
            for number, one in enumerate(listed)
            for name in one.get("partitions", names[:1])
            for component, queued, parts in self._rows(one, name)
        ]
        records.sort(key=lambda one: (not one.queued, self.by_partition and one.partition))
        return QueueTables(
            records=[replace(record, tie=tie) for tie, record in enumerate(records)],
            waiting=[self._waiting(number, one) for number, one in enumerate(self.jobs.values())],
            running=[
                Runner(
                    ends_at=one["until"], **{name: one[name] for name in OF_RUNNER if name in one}
                )
                for one in self.running.values()
            ]
            + [Runner(ends_at=FAR)],
            holdings=[
                self._holding(name, one | part)
                for name, one in self.running.items()
                for part in ({}, *one.get("beside", ()))
            ],
            lane_width=self.lanes,
            partitions=len(names),
            users=1 + max((one.get("user", 0) for one in listed), default=0),
            associations=1 + max((one.get("association", 0) for one in listed), default=0),
            arrays=1 + max((one.get("array", n) for n, one in enumerate(listed)), default=0),
        )

    def _ending(self, stations, tables, more):
        jobs, runners = list(self.jobs.values()), list(self.running.values())
        names = list(self.jobs)
        return VictimTables(
            stations=[Station(**one | _frozen(one)) for one in stations],
            of_record=[jobs[record.job].get("station", 0) for record in tables.records],
            of_runner=[*(one.get("station", 0) for one in runners), -1],
            began_at=[*(one.get("since", 0) for one in runners), 0],
            again=[*(names.index(one["again"]) if "again" in one else -1 for one in runners), -1],
            returns=[not one.get("stays", False) for one in jobs],
            level_of_record=[jobs[record.job].get("level", 0) for record in tables.records],
            level_of_runner=[*(one.get("level", 0) for one in runners), 0],
            stands_still=[*(one.get("still", False) for one in runners), False],
            spared_until=[*(one.get("spared", -1) for one in runners), -1],
            **more | {"vacating": Vacating(*more.get("vacating", ()))},
        )

    def _rows(self, one, partition):
        """Yield for which components there are records, whether these are queued, and of what."""
        parts = self._parts(one, partition)
        apart = self.apart and len(parts) > 1
        if apart:
            yield from ((number, True, (part,)) for number, part in enumerate(parts))
        if not apart or partition == one.get("partitions", [partition])[0]:
            yield -1, not apart, parts

    def _parts(self, one, partition):
        return tuple(
            (
                Way(
                    kind=self._kind(part, partition),
                    nodes=part["nodes"],
                    length_s=part["s"],
                    least_s=part.get("least_s", 0),
                    cpus=part.get("total", 0),
                    claim=part.get("claim", -1),
                ),
            )
            for part in (one, *one.get("parts", ()))
        )

    def _kind(self, one, partition):
        fields = {name: one[name] for name in OF_KIND if name in one}
        fields["licenses"] = tuple(map(tuple, fields.get("licenses", ())))
        fields["groups"] = tuple(map(tuple, fields.get("groups", ())))
        fields["draw"] = tuple(fields.get("draw", ()))
        members = self.partitions[partition]
        alone = ({**one, "candidates": nodes, "groups": ()} for nodes, _ in fields["groups"])
        fields["group_kinds"] = tuple(self._kind(other, partition) for other in alone)
        if "total" in one:
            fields["spread"] = self._spread(one)
        kind = Kind(**{"candidates": members} | fields, shape=self._shape(one), members=members)
        return self._number(self.kinds, kind)

    def _spread(self, one):
        given = {"step": 1} | one.get("spread", {})
        given["step"] = (given["step"],) * self.classes
        return Spread(**given, least=(one["cpus"],) * self.classes, each=((1,),) * self.classes)

    def _shape(self, one):
        return self._number(self.shapes, self._form(one))

    @staticmethod
    def _form(one):
        return one.get("cpus"), one.get("tenant", 1), one.get("alone", False)

    @staticmethod
    def _number(known, one):
        if one not in known:
            known.append(one)
        return known.index(one)

    def _waiting(self, number, one):
        fields = {name: one[name] for name in OF_JOB if name in one}
        fields["held"] = tuple(map(tuple, fields.get("held", ())))
        fields["later_runs"] = tuple(map(tuple, fields.get("later_runs", ())))
        after = tuple(
            After(**condition | {sort: self._people(condition, sort) for sort in WATCHED})
            for condition in one.get("after", ())
        )
        original = self.people[one["other_form_of"]] if "other_form_of" in one else -1
        given = {"user": 0, "array": number, "original": original, "after": after}
        return Waiting(**given | fields, replaced=one.get("replaced", False))

    def _people(self, condition, sort):
        return tuple(map(self._person, condition.get(sort, ())))

    def _person(self, name):
        """Return the number of a person; of nobody, the one who never ends."""
        return self.people.get(name, len(self.people))

    def _holding(self, name, one):
        licenses = tuple(map(tuple, one.get("licenses", ())))
        kind = -1
        shape = self._shape(one)
        if licenses:
            kind = self._number(self.kinds, Kind(shape=shape, candidates=0, licenses=licenses))
        return Holding(
            person=self.people[name],
            nodes=one["nodes"],
            kind=kind,
            shape=shape,
            planned_end_at=one.get("planned_s", one["until"]),
            whole=one.get("whole", False),
        )

    def _layout(self):
        count, cpus = self.machine["nodes"], self.machine["cpus"]
        return Layout(
            LayoutTables(
                nodes=count,
                node_class=self.machine.get("node_class", [0] * count),
                capacity=[[cpus]] * self.classes,
                cpus=[cpus] * count,
                weight=self.machine.get("weight", [0] * count),
                plans_by_weight="up_to_weight" not in self.machine,
                up_to_weight=self.machine.get("up_to_weight", ()),
                make=self.machine.get("make", ()),
                gaps=self.machine.get("gaps", 0),
                usable=self.everything,
                asleep=self.machine.get("asleep", 0),
                boot_s=[self.machine.get("boot_s", 0)] * count,
                sleeps_after_s=self.machine.get("sleeps_after_s", []),
                idle_since=self.machine.get("idle_since", []),
                dozes_s=self.machine.get("dozes_s", []),
                sleepless=self.machine.get("sleepless", []),
                wakes_per_minute=self.machine.get("wakes_per_minute", 0),
                amounts=[
                    [[cpus if taken is None else taken]] * self.classes
                    for taken, _, _ in self.shapes
                ],
                fits_empty=[self.everything & ~self.machine.get("lacks", 0)] * len(self.shapes),
                orders=self.machine.get("orders", []),
                tenants=[Tenant(user=user, alone=alone) for _, user, alone in self.shapes]
                if self.owned
                else [],
                kinds=self.kinds,
                licenses=self.machine["licenses"],
                calendars=[
                    Calendar(
                        known_at=known_at,
                        eras=tuple(
                            Era(
                                start_at=at,
                                open_nodes=tuple(nodes),
                                kept_nodes=tuple(more[0]) if more else (),
                                shut_nodes=more[1] if len(more) > 1 else 0,
                                only_begins="begins" in more[2:],
                                early_nodes=sum(m for m in more[2:] if isinstance(m, int)),
                                kept_licenses=next(
                                    (tuple(m) for m in more[2:] if isinstance(m, list)), ()
                                ),
                            )
                            for at, nodes, *more in eras
                        ),
                    )
                    for known_at, eras in self.machine["calendars"]
                ],
                exact=self.machine.get("exact", False),
                clearings=[Cleared(*one) for one in self.machine.get("clearings", [])],
                switches=[
                    Switch(nodes=nodes, above=above, is_leaf=leaf)
                    for nodes, above, leaf in self.machine.get("switches", [])
                ],
                switches_count_down=self.machine.get("switches_count_down", False),
            )
        )

    # -- what comes of it ------------------------------------------------------------------

    def run(self, until=FAR, looks=FAR):
        """Let time run, and return when who started."""
        unlocked.run(self.forward, until, looks)
        return self.starts()

    def follow(self, until=FAR, **policy):
        """Let time run under a policy, and return when who started."""
        unlocked.follow(Policies(self.forward, PolicyRules(**policy)), until)
        return self.starts()

    def look(self, look=unlocked.look_ahead):
        """Make one pass that looks ahead, and return who is told what; who starts, 0."""
        look(self.forward)
        names, told = list(self.jobs), dict[str, int]()
        for record, at in enumerate(self.forward.ahead.announced.earliest):
            name = names[self.forward.queue.record_job[record]]
            component = self.forward.queue.component[record]
            name = name if component < 0 else f"{name}+{component}"
            if at >= 0:
                told[name] = min(at, told.get(name, at))
        return told | self.starts()

    def plan(self):
        """Give everybody a place for good, and return from when on."""
        unlocked.plan(self.forward)
        planned = zip(self.jobs, self.forward.placer.planned, strict=False)
        return {name: at for name, at in planned if at >= 0}

    def starts(self):
        queue = self.forward.queue
        return {self._name(queue.log[i]): queue.started_at[queue.log[i]] for i in self._logged()}

    def all_starts(self):
        """Return every start in order, also of those who start again."""
        queue = self.forward.queue
        return [self._name(queue.log[i]) for i in self._logged()]

    def nodes(self):
        """Return the nodes of those who have started, in the order of the machine."""
        queue, placer = self.forward.queue, self.forward.placer
        found = {}
        for i in self._logged():
            record = queue.started_record[queue.log[i]]
            parts = range(queue.part_start[record], queue.part_start[record + 1])
            taken = [self.forward.layout.bitmap(placer.nodes, p * placer.words) for p in parts]
            found[self._name(queue.log[i])] = members(sum(taken))
        return found

    def planned_nodes(self):
        """Return the nodes of everybody who has one part, wherever it was last placed."""
        queue, placer = self.forward.queue, self.forward.placer
        return {
            name: self.forward.layout.bitmap(
                placer.nodes, queue.part_start[queue.job_record[queue.job_start[n]]] * placer.words
            )
            for n, name in enumerate(self.jobs)
        }

    def given(self):
        """Return of those who have started how many CPUs each of their nodes gives."""
        queue, placer = self.forward.queue, self.forward.placer
        found = {}
        for name, nodes in self.nodes().items():
            part = queue.part_start[queue.started_record[self.people[name]]]
            first = placer.given.start[part]
            found[name] = list(placer.given.cpus[first : first + len(nodes)])
        return found

    def free_cpus(self):
        """Return what is free of each node in each slot; at most 64 nodes."""
        timeline = self.forward.timeline
        return [
            timeline.free[timeline.handle[timeline.row[slot] * timeline.groups] * GROUP + node]
            for slot in range(timeline.count)
            for node in range(self.machine["nodes"])
        ]

    def _logged(self):
        return range(self.forward.queue.logged)

    def _name(self, number):
        return list(self.jobs)[number]


def _frozen(station):
    named = ("ends", "ends_lower", "ends_no_higher")
    return {name: frozenset(station[name]) for name in named if name in station}


def members(nodes):
    """Return the numbers of the nodes in a set."""
    return [node for node in range(nodes.bit_length()) if nodes >> node & 1]
