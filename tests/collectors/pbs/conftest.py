"""Ways to read what a small PBS tells."""

import pytest
from small_pbs import NODES, NOW, QUEUES, answers_of, printed

from collectors.pbs.assemble import assemble
from collectors.pbs.hosts import parse_hosts
from collectors.pbs.jobs import parse_jobs
from collectors.pbs.queues import parse_queues
from collectors.pbs.requests import Surroundings
from collectors.slurm.questions import Answers


@pytest.fixture
def snapshot():
    """Return the snapshot that such answers make."""

    def snapshot(failed=(), **changed):
        known = Answers(printed=answers_of(**changed), failed=dict(failed))
        return assemble(known, taken_at=NOW, source="pbs-cli", account="ops")

    return snapshot


@pytest.fixture
def one_job():
    """Return the records that one job becomes, on the cluster as it is."""

    def one_job(record, id_="7.heron-pbs", **others):
        hosts, _ = parse_hosts(printed("nodes", NODES))
        queues, _ = parse_queues(printed("Queue", QUEUES))
        around = Surroundings(
            taken_at=NOW, hosts=hosts, queues={queue.name: queue for queue in queues}
        )
        jobs, bad = parse_jobs(printed("Jobs", {id_: record, **others}), around)
        assert not bad, bad
        return (*jobs.pending, *jobs.running, *jobs.finished)

    return one_job
