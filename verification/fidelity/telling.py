"""Tell a replica what happens, whichever policy it follows, and hear who starts when."""

from collections.abc import Mapping, Sequence

from predictor.domain import Snapshot
from predictor.simulation.passes import Turns
from predictor.simulation.story import Start, Story, retell_often, retell_under
from predictor.site import Site


def told(snapshot: Snapshot, story: Story, until: int, site: Site) -> Mapping[str, Start]:
    """Return who starts before `until`, by single id, if all that the story tells happens.

    `snapshot` is one that the site's own words overlay. Its policy decides: the batch system's own
    two passes, or one that is told in numbers.
    """
    return told_often(snapshot, story, until, site, (Turns(),))[0]


def told_often(
    snapshot: Snapshot, story: Story, until: int, site: Site, courses: Sequence[Turns]
) -> Sequence[Mapping[str, Start]]:
    """Return what `told` returns, for each of the courses that the two passes may take.

    Only once for a policy that is told in numbers, which has no such passes.
    """
    policy = site.policy_for(snapshot.settings)
    if policy.two_passes:
        return retell_often(snapshot, story, until, site.priority(), courses=courses)
    priority, as_submitted = site.priority(), site.as_submitted
    return [retell_under(policy, snapshot, story, until, priority, as_submitted=as_submitted)]
