"""Batch systems that hang, drip, break off, and answer with anything but the truth.

    export PYTHONPATH=$PWD:$PWD/tests
    python tests/campaigns/sources.py PART [--cases N] [--seconds N] [--seed N] [--seeded-fault]

Parts: `looks`, whole looks of every way with one answer cut off at every byte, failed, or changed;
`shrunk`, queues of which all but some jobs are gone; `commands` and `rest`, commands and servers
that hang, drip, flood, break off and lie.
"""

import sys

from campaigns.findings import Part, main
from campaigns.source_lines import source_commands, source_rest
from campaigns.source_looks import source_looks, source_shrunk

PARTS: dict[str, Part] = {
    "looks": source_looks,
    "shrunk": source_shrunk,
    "commands": source_commands,
    "rest": source_rest,
}

if __name__ == "__main__":
    sys.exit(main(PARTS))
