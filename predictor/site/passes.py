"""How the passes of the batch system's own scheduler are played, where that is to differ."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from predictor.domain import PassSettings
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.site.table import Table
from predictor.site.values import Seconds

Count = Annotated[int, Field(ge=0)]
Span = Annotated[Seconds, Field(ge=1, le=30 * DAY_S)]


class PassesTable(Table):
    """Deviations from what the batch system says of its passes. Unset: as it says.

    Each is a key of its own, so that what it is worth can be measured on a recording.
    """

    main_depth: Count | None = None
    """So many jobs, and one more, the pass in strict order looks at after an event."""
    main_depth_per_partition: Count | None = None
    """So many jobs of a partition it looks at; 0: at all."""
    main_starts_max: Count | None = None
    """So many jobs it starts; 0: as many as can."""
    main_interval_s: Span | None = None
    """So often that pass looks at everybody."""
    main_pause_us: Annotated[int, Field(ge=0, le=3_600_000_000)] | None = None
    """So long after such a pass the next one begins at the soonest."""
    arrival_delay_s: Annotated[Seconds, Field(ge=0, le=HOUR_S)] | None = None
    """So far apart, at least, are those of them that submissions call for."""
    ends_wait: bool | None = None
    """Whether ends share the turns of submissions, unless jobs are killed."""
    interval_s: Span | None = None
    """The pause between two passes that look ahead."""
    window_s: Span | None = None
    """Who would start later than that gets no reservation."""
    step_s: Annotated[Seconds, Field(ge=1, le=HOUR_S)] | None = None
    """Reservations begin and end on multiples of it."""
    rounds_up: bool | None = None
    """Whether reservations end on the next multiple instead of the last one."""
    exact: bool | None = None
    """Whether a reservation keeps only what its job takes, instead of whole nodes."""
    group_s: Annotated[Seconds, Field(ge=0, le=DAY_S)] | None = None
    """Ends of running jobs closer than that count as one at first; 0: each counts."""
    group_step_s: Annotated[Seconds, Field(ge=0, le=DAY_S)] | None = None
    """By so much that distance grows from group to group; 0: it doubles."""
    jobs_max: Count | None = None
    """So many jobs a pass that looks ahead looks at; 0: at all."""
    jobs_max_per_user: Count | None = None
    jobs_max_per_association: Count | None = None
    """Of each user in each account; it takes the place of that per user."""
    jobs_max_per_partition: Count | None = None
    jobs_max_per_user_and_partition: Count | None = None
    starts_max: Count | None = None
    """So many jobs it starts; 0: as many as can."""
    array_tasks_max: Count | None = None
    """So many tasks of an array get reservations; 0: all."""
    tasks_bounded: bool | None = None
    """Whether no more tasks of an array get reservations than may run beside those that do."""
    entries_max: Count | None = None
    """It ends once its table has so many begins and ends of reservations; 0: never for that."""
    protected_per_partition: Count | None = None
    """So many blocked jobs of a partition get reservations; 0: all."""
    protected_age_s: Annotated[Seconds, Field(ge=0)] | None = None
    """Who has been eligible for less time gets none, and stops nobody."""
    protected_priority: Count | None = None
    """The same of who has a lower priority, unless its QOS or association says otherwise."""
    one_per_job: bool | None = None
    """Whether a job of several partitions gets a reservation in the first of them only."""
    licenses_planned: bool | None = None
    """Whether who lacks licenses gets a reservation, and stops everybody behind."""
    licenses_with_nodes: bool | None = None
    """Whether licenses are asked for where nodes are chosen, after limits on these."""
    licenses_seen: bool | None = None
    """Whether who is planned also waits for those who run to give back licenses."""
    running_reserved: bool | None = None
    """Whether running jobs keep nodes they have whole as reservations do, to the last full step."""
    owners_leave: bool | None = None
    """Whether reservations reckon with their leaving who have a node to themselves."""
    seeks_anew: bool | None = None
    """Whether starts are sought from a later instant as if it had come."""
    overlaps_first: bool | None = None
    """Whether a start that a reservation is in the way of counts for nothing but its own retry."""
    own_ends: bool | None = None
    """With that, whether a start waits for those alone whose nodes are taken."""
    weighs_anew: bool | None = None
    """Whether nodes weigh for who is planned what they are said to, whoever was tried there."""
    limits_placed: bool | None = None
    """Whether a limit on different nodes counts those of a reservation as what they are."""
    limits_stop: bool | None = None
    """Whether who may not start by a limit stops its partition, and gets a reservation."""
    busy_first: bool | None = None
    """Whether reservations take nodes first that somebody is on."""
    stretches: bool | None = None
    """Whether who is started for the shortest time it accepts gets as much as delays nobody."""
    reach: Count | None = None
    """At so many jobs a pass that looks ahead looks before its time is over; 0: at all."""
    time_max_s: Span | None = None
    """So long it takes at most."""
    tasks_trim: bool | None = None
    whole_tasks: bool | None = None
    """Whether of a node only CPUs for whole tasks count, where nodes give different numbers."""
    continues: bool | None = None
    """Whether it goes on after a rest during which jobs or nodes have changed."""
    rest_after_us: Count | None = None
    """So many microseconds it works before it rests; 0: it never does."""
    rest_us: Count | None = None
    """So many microseconds it rests."""

    def over(self, told: PassSettings | None) -> PassSettings | None:
        """Return the settings with the deviations; those told if there is none."""
        given = self.model_dump(exclude_none=True)
        return replace(told or PassSettings(), **given) if given else told
