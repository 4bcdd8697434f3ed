"""A live zoo of jobs, looked at as text and as JSON: the same snapshot."""

from functools import partial

import pytest
from compared import differences
from live.asking import asked
from live.cluster import running, wait_until
from live.needs import needs
from live.zoo import EVIL_NAME, ZOO, fill
from permitted import permitted
from recorded_forms import taken

pytestmark = pytest.mark.live


def test_text_and_json_tell_the_same_of_every_kind_of_job():
    needs("scancel")
    with running(ZOO) as slurm:
        ids = fill(slurm, partial(wait_until, seconds=30))
        instant = taken(partial(asked, slurm))
    text, json = instant.snapshot("text"), instant.snapshot("json")
    shown = (*text.pending, *text.running, *text.finished)
    assert {ids["plain"], ids["over"], f"{ids['het']}+1"} <= {job.spec.id for job in shown}
    (evil,) = (job for job in text.pending if job.spec.id == ids[EVIL_NAME])
    assert evil.spec.name.raw == EVIL_NAME
    found = differences(text, json, permitted("text", f"json {text.provenance.version[:5]}"))
    differing = {example.record for difference in found for example in difference.examples}
    # Of these two, others' texts or their own spoil the details; the rest must be the same.
    assert differing <= {ids["plain"], ids[EVIL_NAME]}, [one.line for one in found]
    assert text.provenance.quarantined == ()
