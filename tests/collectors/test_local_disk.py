"""The local disk of nodes, and who asks for some: told by JSON and by text alike."""

import json

import pytest
from job_tables import a_row, details_of, table

from collectors.slurm.surroundings import Surroundings
from collectors.slurm.text.jobdetails import parse_details
from collectors.slurm.text.jobs import parse_jobs
from collectors.slurm.text.nodes import parse_nodes


def test_nodes_tell_it_in_text(answers):
    told = answers("22.05").printed["nodes_text"]
    found = parse_nodes(told.replace("TmpDisk=0", "TmpDisk=20000", 1))[0]
    assert [node.tmp_disk_mb for node in found] == [20_000, *[0] * (len(found) - 1)]


def test_nodes_tell_it_in_json(snapshot, answers):
    told = json.loads(answers("22.05").printed["sinfo_json"])
    told["nodes"][0]["temporary_disk"] = 20_000
    found = snapshot("22.05", sinfo_json=json.dumps(told)).nodes
    assert [node.tmp_disk_mb for node in found] == [20_000, *[0] * (len(found) - 1)]


@pytest.mark.parametrize(("shown", "mb"), [("0", 0), ("2G", 2048), ("2500M", 2500)])
def test_jobs_ask_for_it(a_job, shown, mb):
    row = a_row(7)
    details, _ = parse_details(details_of(row, nodes="1", MinTmpDiskNode=shown))
    found, _ = parse_jobs(table([row]), Surroundings(taken_at=0), details, version=(22, 5, 8))
    asked = found.pending[0].spec.request
    assert (asked.tmp_disk_mb, asked.uncounted) == (mb, ())
    for number in (mb, {"set": True, "infinite": False, "number": mb}):
        assert a_job(minimum_tmp_disk_per_node=number).spec.request.tmp_disk_mb == mb
