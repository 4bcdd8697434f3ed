"""Limits of QOS and associations that few sites set: read alike from every form that tells them."""

import json

from collectors.slurm.objects import limits as objects
from collectors.slurm.text.limits import parse_qos


def told_qos(**columns):
    row = {"Name": "q", "Priority": "0"} | columns
    (qos,), bad = parse_qos("|".join(row) + "\n" + "|".join(row.values()))
    assert not bad
    return qos


def json_qos(**parts):
    (qos,), bad = objects.parse_qos(json.dumps({"qos": [{"name": "q", **parts}], "errors": []}))
    assert not bad
    return qos


def cpus(count):
    return [{"type": "cpu", "name": "", "id": 1, "count": count}]


def test_minutes_that_running_jobs_of_one_have_before_them():
    text = told_qos(MaxTRESRunMinsPU="cpu=600", MaxTRESRunMinsPA="cpu=900")
    per = {"user": cpus(600), "account": cpus(900)}
    by_json = json_qos(limits={"max": {"tres": {"minutes": {"per": per}}}})
    assert text.limits == by_json.limits
    assert text.limits.max_tres_run_minutes == (("cpu", 600),)
    assert text.limits.max_tres_run_minutes_per_account == (("cpu", 900),)
