"""What jobs ask for that no plan counts: told by JSON and by text alike."""

import pytest
from job_tables import a_row, details_of, table

from collectors.slurm.objects.fields import Fields
from collectors.slurm.objects.uncounted import uncounted
from collectors.slurm.surroundings import Surroundings
from collectors.slurm.text.jobdetails import parse_details
from collectors.slurm.text.jobs import parse_jobs

NEW = (26, 5, 5)
UNSET = {"set": False, "infinite": False, "number": 0}
PLAIN = {
    "job_state": ["PENDING"],
    "job_size_str": [],
    "segment_size": 0,
    "sockets_per_node": UNSET,
    "cores_per_socket": UNSET,
    "shared": [],
    "flags": ["USING_DEFAULT_QOS"],
}
PLAIN_TEXT = {
    "ReqB:S:C:T": "0:0:*:*",
    "NtasksPerN:B:S:C": "0:0:*:*",
    "Exclusive": "NO",
}


# What 26.05.5 told of jobs submitted with each of these, by `squeue --json` and by scontrol.
@pytest.mark.parametrize(
    ("options", "record", "details"),
    [
        ((), {}, {}),
        ((), {"job_size_str": ["1", "3"], "job_state": ["RUNNING"]}, {}),
        (("--nodes=1,3-5,7",), {"job_size_str": ["1", "3-5", "7"]}, {"NumNodes": "1,3-5,7"}),
        (("--segment=2",), {"segment_size": 2}, {"SegmentSize": "2"}),
        (
            ("--sockets-per-node=2", "--cores-per-socket=4"),
            {"sockets_per_node": 2, "cores_per_socket": 4},
            {"Sockets": "2", "ReqB:S:C:T": "0:0:4:*"},
        ),
        (("--exclusive=topo",), {"shared": ["topo"]}, {"Exclusive": "TOPO"}),
        (
            ("--gres-flags=enforce-binding",),
            {"flags": ["GRES_BINDING_ENFORCED"]},
            {"GresEnforceBind": "Yes"},
        ),
    ],
)
def test_what_is_asked_for_but_not_counted(options, record, details):
    assert uncounted(Fields(PLAIN | record)) == options
    told = PLAIN_TEXT | details
    row = a_row(7, Sockets=told.pop("Sockets", "*"))
    shown, _ = parse_details(details_of(row, nodes=told.pop("NumNodes", "1"), **told))
    found, _ = parse_jobs(table([row]), Surroundings(taken_at=0), shown, version=NEW)
    assert found.pending[0].spec.request.uncounted == options
