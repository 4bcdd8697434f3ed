"""Kills what runs, at any instant, and looks whether anything acknowledged was lost.

    export PYTHONPATH=$PWD:$PWD/tests
    python tests/campaigns/kills.py PART [--cases N] [--seconds N] [--seed N] [--seeded-fault]

Parts: `storage`, a process that records; `daemon`, the whole daemon; `races`, several that begin to
write one recording at once; `pairs`, two daemons on one recording; `worker`, the process that
forecasts, killed, stopped, spinning, devouring memory.
"""

import sys

from campaigns.daemon_kills import daemon_kills, daemon_pairs
from campaigns.findings import Part, main
from campaigns.owner_races import owner_races
from campaigns.storage_kills import storage_kills
from campaigns.worker_faults import worker_faults

PARTS: dict[str, Part] = {
    "storage": storage_kills,
    "daemon": daemon_kills,
    "races": owner_races,
    "pairs": daemon_pairs,
    "worker": worker_faults,
}

if __name__ == "__main__":
    sys.exit(main(PARTS))
