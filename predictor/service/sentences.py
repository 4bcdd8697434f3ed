"""An explanation in English, one short sentence for each thing that plays a part.

Ids, users and reservations are named as the batch system has them: whoever shows a sentence
encodes it for that output.
"""

from collections.abc import Callable, Iterator, Sequence

from predictor.domain import Awaited, Cause, Explanation
from predictor.domain.counts import counted
from predictor.domain.durations import HOUR_S, MINUTE_S
from predictor.web.words import local

Told = Callable[[int], str]
"""How an instant is told."""


def sentences(
    explanation: Explanation, cause: str, likely_at: int | None, now: int, utc_offset_s: int
) -> tuple[str, ...]:
    """Return why a job starts no earlier, what holds it back for itself first.

    `cause` is the value of its prediction's; instants are in the site's time, seen from `now`.
    `likely_at`: its likely start, beside which another in the plan needs a word.
    """

    def told(at: int) -> str:
        return local(at, utc_offset_s, now)

    at_once = cause == Cause.STARTS_NOW.value
    return (
        *(["It can start now."] if at_once else _own(explanation, told)),
        *([] if at_once else _reserved(explanation, cause, now, told)),
        *([] if at_once else _nodes(explanation, cause, told)),
        *_preempted(explanation, told),
        *([] if explanation.turn_from is None else [_turn(explanation.turn_from, told)]),
        *_queue(explanation, at_once),
        *_plan(explanation.planned_start, likely_at, told),
        *_uncounted(explanation.uncounted),
    )


def _plan(planned_at: int | None, likely_at: int | None, told: Told) -> Iterator[str]:
    if planned_at is None or likely_at is None or abs(planned_at - likely_at) < MINUTE_S:
        return
    yield (
        f"All this is of one plan, in which it starts {told(planned_at)};"
        " the likely start is the middle of many."
    )


def _uncounted(words: Sequence[str]) -> Iterator[str]:
    if words:
        yield f"Not counted is that it asks for {', '.join(words)}: it may wait longer for that."


def _own(explanation: Explanation, told: Told) -> Iterator[str]:
    """Yield what concerns the job itself, whatever is free."""
    by = explanation.lifted_by
    named = by is not None and bool(by.job_id)
    if explanation.not_before is not None:
        yield f"It may not start before {told(explanation.not_before)}."
    if explanation.dependencies:
        yield _depends(explanation, told)
    if explanation.array_limit is not None:
        most = counted(explanation.array_limit, "task")
        last = f"; {_who(by)} ends {told(by.at)}" if by is not None and named else ""
        yield f"Of its array at most {most} may run at a time{last}."
    if explanation.limit:
        holds = "will hold" if explanation.limit_later else "holds"
        yield f"A limit {holds} it back: {explanation.limit}."
        if by is not None and named:
            yield f"Of those who count, the last to end before it starts is {_whose_end(by, told)}."
    if explanation.licenses:
        back = f" from {_whose_end(by, told)}" if by is not None and named else ""
        yield f"It waits for licenses{back}: {', '.join(explanation.licenses)}."


def _depends(explanation: Explanation, told: Told) -> str:
    told_of = [_whose_part(one, told) for one in explanation.dependencies]
    if explanation.dependencies_more:
        told_of.append(f"{explanation.dependencies_more} more, before those")
    if len(told_of) == 1:
        return f"It depends on {told_of[0]}."
    which = "one of these" if explanation.any_dependency else "all of these"
    return f"It depends on {which}: {'; '.join(told_of)}."


def _reserved(explanation: Explanation, cause: str, now: int, told: Told) -> Iterator[str]:
    begins_at, ends_at = explanation.reservation_from, explanation.reservation_until
    if begins_at is None or ends_at is None:
        return
    name = f"reservation {explanation.reservation}" if explanation.reservation else "a reservation"
    if explanation.own_reservation:
        yield f"It waits for {name} of its own, which begins {told(begins_at)}."
    elif begins_at > now:
        yield f"Until {told(ends_at)} it would run into {name} that begins {told(begins_at)}."
    else:
        kept = "licenses" if cause == Cause.LICENSES.value else "nodes"
        yield f"Until {told(ends_at)} {kept} are kept from it by {name}."


def _nodes(explanation: Explanation, cause: str, told: Told) -> Iterator[str]:
    free, needed = explanation.nodes_free, counted(explanation.nodes, "node")
    short = free is not None and free < explanation.nodes
    if short:
        left = (
            f"{free} that could hold it {_are(free or 0)}" if free else "none that could hold it is"
        )
        yield f"It needs {needed}; {left} free now."
        if down := explanation.nodes_down:
            yield f"{counted(down, 'more node')} could hold it, but {_are(down)} down or drained."
    elif cause == Cause.PRIORITY.value and free is not None:
        yield f"It needs {needed}; {free} are free now, but others come first."
    waits_for, more = explanation.waits_for, explanation.waits_for_more
    if len(waits_for) == 1 and not more:
        [one] = waits_for
        opened = f"Its {needed}" if one.nodes == explanation.nodes > 1 else "Its node"
        if one.nodes < explanation.nodes:
            opened = f"{one.nodes} of its {needed}"
        comes = "comes" if one.nodes == 1 else "come"
        yield f"{opened} {comes} free when {_whose_end(one, told, ends='ends')}."
    elif waits_for:
        yield f"Its nodes come free as these end: {_listed(waits_for, more, told)}."
    elif more:
        yield f"Its nodes come free as {counted(more, 'other job')} {_verb(more, 'end')}."


def _preempted(explanation: Explanation, told: Told) -> Iterator[str]:
    """Yield who must make room for whom."""
    makes_leave, more = explanation.makes_leave, explanation.makes_leave_more
    if len(makes_leave) == 1 and not more:
        yield f"For it {_whose_end(makes_leave[0], told, ends='must make room')}."
    elif makes_leave:
        named = [f"{_who(one)} ({told(one.at)})" for one in makes_leave]
        listed = ", ".join([*named, f"and {more} more"] if more else named)
        yield f"For it these must make room: {listed}."
    elif more:
        yield f"For it {counted(more, 'other job')} must make room."
    if explanation.gives_way:
        yield "Once it runs, others may make it leave."


def _listed(waits_for: Sequence[Awaited], more: int, told: Told) -> str:
    named = [f"{_who(one)} ({counted(one.nodes, 'node')}, {told(one.at)})" for one in waits_for]
    return ", ".join([*named, f"and {more} more"] if more else named)


def _turn(since: int, told: Told) -> str:
    return f"From {told(since)} on it could start, but for the turn of others."


def _queue(explanation: Explanation, at_once: bool) -> Iterator[str]:
    ahead, behind = explanation.ahead_jobs, explanation.let_past_jobs
    if ahead:
        hours = _node_hours(explanation.ahead_node_s)
        yield (
            f"Ahead of it in the queue, {counted(ahead, 'job')} {_verb(ahead, 'start')} before it"
            f" on nodes it could use: {hours}."
        )
    elif not at_once:
        yield "Nobody ahead of it in the queue starts before it on nodes it could use."
    if behind:
        hours = _node_hours(explanation.let_past_node_s)
        yield f"Meanwhile {counted(behind, 'job')} behind it {_are(behind)} let past it: {hours}."
    if passed := explanation.passes_jobs:
        yield f"It is let past {counted(passed, 'job')} ahead of it."


def _whose_end(one: Awaited, told: Told, ends: str = "") -> str:
    return f"{_who(one)}{f' {ends}' if ends else ''}, {told(one.at)}"


def _whose_part(one: Awaited, told: Told) -> str:
    done = "start" if one.starts else "end"
    return f"the {done} of {_who(one)}, {told(one.at)}"


def _who(one: Awaited) -> str:
    owner = f" of {one.user}" if one.user else ""
    return f"{'waiting ' if one.waits else ''}job {one.job_id}{owner}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _verb(number: int, verb: str) -> str:
    return f"{verb}s" if number == 1 else verb


def _node_hours(node_s: int) -> str:
    hours = node_s / HOUR_S
    shown = f"{hours:,.1f}" if hours < 10 else f"{hours:,.0f}"
    return f"{shown} node-{'hour' if shown == '1.0' else 'hours'}"
