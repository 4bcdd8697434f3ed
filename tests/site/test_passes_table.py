"""Deviations from the batch system's own passes, key by key."""

from dataclasses import fields, replace

import pytest
from clusters import cluster

from predictor.domain import PassSettings
from predictor.site import Site, overlay
from predictor.site.passes import PassesTable


def test_every_setting_of_a_pass_has_a_key():
    assert set(PassesTable.model_fields) == {field.name for field in fields(PassSettings)}


@pytest.mark.parametrize("told", [None, PassSettings(jobs_max=7, interval_s=11)])
def test_what_the_file_does_not_say_stays(told):
    seen = cluster()
    seen = replace(seen, settings=replace(seen.settings, passes=told))
    assert overlay(Site(), seen).settings.passes == told
    exact = Site.model_validate({"passes": {"exact": True, "window_s": "2h"}})
    expected = replace(told or PassSettings(), exact=True, window_s=7_200)
    assert overlay(exact, seen).settings.passes == expected


@pytest.mark.parametrize("wrong", [{"jobs_max": -1}, {"step_s": 0}, {"exact": "maybe"}, {"a": 1}])
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(ValueError, match="passes"):
        Site.model_validate({"passes": wrong})
