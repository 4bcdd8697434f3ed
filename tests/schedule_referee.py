"""A slow, obvious judge of schedules. It shares no code with what made them."""


def needs(machine, partition, memory_kib=0):
    """Return what one unit takes, by resource."""
    unit = dict(machine.kinds.get(partition, machine.unit))
    if memory_kib > 0 and "memory_kib" in machine.resources and "memory_kib" not in unit:
        unit["memory_kib"] = memory_kib * unit["core"]
    return {name: amount for name, amount in unit.items() if amount}


def nodes_of(machine):
    """Return what each node has."""
    return [dict(group.has) for group in machine.groups for _ in range(group.nodes)]


def free_at(machine, holders):
    """Return what is free on each node while these courses hold their places."""
    free = nodes_of(machine)
    for course in holders:
        for node, units in course.places:
            for name, amount in named(machine, course).items():
                free[node][name] -= amount * units
    return free


def named(machine, course):
    return {machine.resources[number]: amount for number, amount in course.need}


def room(machine, free, course):
    """Return how many units of a job fit into what is free."""
    need = named(machine, course)
    return sum(min(node.get(name, 0) // amount for name, amount in need.items()) for node in free)


def judge_capacity(machine, courses):
    """Nobody holds more than there is, and everybody holds what was asked for."""
    for course in courses:
        nodes = [node for node, _ in course.places]
        assert len(set(nodes)) == len(nodes)
        assert all(units > 0 for _, units in course.places)
        assert sum(units for _, units in course.places) == course.units
        assert course.submit_s <= course.start_s < course.end_s
    for instant in {course.start_s for course in courses}:
        holders = [one for one in courses if one.start_s <= instant < one.end_s]
        assert all(left >= 0 for node in free_at(machine, holders) for left in node.values())


def judge_fcfs(machine, courses):
    """Nobody starts before who was submitted earlier, and the first starts once it fits."""
    instants = sorted({at for one in courses for at in (one.submit_s, one.end_s)})
    ordered = sorted(courses, key=lambda one: one.rank)
    for before, course in zip([None, *ordered], ordered, strict=False):
        first_s = course.submit_s if before is None else max(course.submit_s, before.start_s)
        assert course.start_s >= first_s
        for instant in instants:
            if first_s <= instant < course.start_s:
                holders = [one for one in courses if one.start_s <= instant < one.end_s]
                earlier = [one for one in holders if one.rank < course.rank]
                assert room(machine, free_at(machine, earlier), course) < course.units


def judge_easy(machine, courses):
    """Who becomes the first of those who wait starts by when limits alone would let it.

    Whoever starts behind it from then on, at that very instant included, must not delay it.
    """
    for head in courses:
        earlier = [one for one in courses if one.rank < head.rank]
        first_s = max([head.submit_s, *(one.start_s for one in earlier)])
        if first_s >= head.start_s:
            continue
        there = [
            one
            for one in courses
            if one.end_s > first_s
            and (one.start_s < first_s or (one.start_s == first_s and one.rank < head.rank))
        ]
        ends = sorted({one.start_s + one.limit_s for one in there})
        for end_s in ends:
            left = [one for one in there if one.start_s + one.limit_s > end_s]
            if room(machine, free_at(machine, left), head) >= head.units:
                assert head.start_s <= end_s, (head, end_s)
                break
        else:
            raise AssertionError(f"{head} never fits")
