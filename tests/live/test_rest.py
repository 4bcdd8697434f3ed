"""A real slurmrestd: what it tells is what the commands tell, and what it does not, it says."""

import signal
import time
from collections.abc import Iterator
from functools import partial
from threading import Timer

import pytest
from compared import Permit, lines
from live.asking import asked
from live.cluster import ORDINARY_USER, wait_until
from live.needs import needs
from live.rest import BY_SOCKET, PROGRAMS, Rest, serving_beside, serving_rest
from permitted import permitted

from collectors.slurm import plans
from collectors.slurm.objects.jobs import parse_jobs
from collectors.slurm.rest.identify import JwtIdentifier
from collectors.slurm.source import SlurmSource
from collectors.slurm.surroundings import Surroundings
from predictor.clock import SystemClock
from predictor.domain import Fact, Snapshot
from predictor.errors import SourceError, SourceTimeout

pytestmark = pytest.mark.live

TOLD = (
    "add qos tight Priority=7 GraceTime=60 UsageFactor=0.5 Preempt=normal PreemptMode=requeue "
    "PreemptExemptTime=00:05:00 Flags=DenyOnLimit,NoReserve,OverPartQOS,PartitionTimeLimit "
    "GrpJobs=31 GrpSubmit=32 GrpTRES=cpu=33,node=34 GrpTRESMins=cpu=35 GrpTRESRunMins=cpu=36 "
    "GrpWall=37 MaxJobsPU=41 MaxSubmitJobsPU=42 MaxTRESPU=cpu=43 MaxJobsPA=44 MaxSubmitJobsPA=45 "
    "MaxTRESPA=cpu=46 MaxTRESPerJob=cpu=47 MaxTRESPerNode=cpu=48 MaxTRESMins=cpu=49 MaxWall=50 "
    "MinTRES=cpu=2",
    "add account science Fairshare=60 GrpJobs=61 GrpSubmit=62 GrpTRES=cpu=63 GrpTRESMins=cpu=64 "
    "GrpTRESRunMins=cpu=65 GrpWall=66 MaxJobs=67 MaxSubmit=68 MaxTRESPerJob=cpu=69 "
    "MaxTRESPerNode=cpu=70 MaxTRESMins=cpu=71 MaxWall=72 Priority=5",
    "add account physics parent=science Fairshare=parent",
    f"add user {ORDINARY_USER} account=physics Fairshare=3 qos=normal,tight defaultqos=tight",
)

ALONE_UNTOLD = {
    Fact.SETTINGS: ("settings", "health", "cluster"),
    Fact.PRIORITIES: ("pending",),
    Fact.USAGE: ("qos", "associations"),
    Fact.QOS: ("qos",),
    Fact.FAIRSHARE: ("associations",),
    Fact.JOBS: ("pending",),
    Fact.NODES: ("nodes",),
    Fact.PARTITIONS: ("partitions",),
}
"""Which parts of a snapshot a fact that is hidden may change."""


@pytest.fixture(scope="module")
def rest() -> Iterator[Rest]:
    needs(*PROGRAMS)
    with serving_rest(TOLD) as rest:
        fill(rest)
        yield rest


def fill(rest: Rest) -> None:
    """Let there be jobs of many kinds: running, waiting, held, in an array, one after another."""
    submit = rest.slurm.submit
    first = submit("-p", "cores", "-n", "2", "-t", "30", "--comment", 'a "b" | c', seconds=600)
    wait_until(lambda: first in rest.slurm.starts(), "a running job")
    submit("-p", "whole", "-N", "4", "-t", "20", "-J", "wide ü=1")
    submit("-p", "cores", "-n", "1", "-t", "5", "--hold")
    submit("-p", "cores", "-n", "3", "-t", "7", f"--dependency=afterok:{first}")
    submit("-p", "cores,whole", "-n", "4", "-t", "9", "--array=1-9%2", "--begin=now+3600")
    submit("-p", "cores", "-n", "1", "--begin=now+7200", "--exclusive", "-C", "x&y", "-t", "8")
    licensed = submit(
        "-p", "cores", "-n", "1", "-t", "30", "-L", "matlab:2", "--nice=50", seconds=600
    )
    wait_until(lambda: licensed in rest.slurm.starts(), "a licensed job")
    rest.slurm.run(
        *("scontrol", "create", "reservation", "ReservationName=quiet", "StartTime=now+3600"),
        *("Duration=60", "Nodes=n5", "CoreCnt=2", f"Users={ORDINARY_USER}", "Flags=FLEX,DAILY"),
    )


def by_commands(rest: Rest) -> Snapshot:
    run = partial(asked, rest.slurm)
    source = SlurmSource(run, SystemClock(), account=ORDINARY_USER, plan=plans.by_text)
    return source.observe().snapshot


def test_a_look_by_rest_is_the_look_by_commands(rest):
    by_text, by_rest = by_commands(rest), rest.source().observe().snapshot
    assert lines(by_text, by_rest, permitted("text", "rest 22.05")) == []
    assert by_rest.provenance.source == "slurm-rest"
    assert len(by_rest.pending) >= 5 and by_rest.running and by_rest.reservations
    (limited,) = (qos for qos in by_rest.qos if qos.name == "tight")
    assert limited.limits.group_wall_s == 37 * 60


def test_alone_it_differs_only_where_it_says_that_something_is_hidden(rest):
    by_text = by_commands(rest)
    alone = rest.source(commands=False).observe().snapshot
    hidden = {note.fact for note in alone.provenance.hidden}
    assert hidden == ALONE_UNTOLD.keys()
    changed = {kind for kinds in ALONE_UNTOLD.values() for kind in kinds} | {"provenance"}
    more = [Permit(kind=kind, field="", why="declared hidden") for kind in changed]
    assert lines(by_text, alone, (*permitted("text", "rest 22.05"), *more)) == []


def test_both_addresses_tell_the_same(rest):
    token = rest.token()
    told = {
        rest.client(token, address).run(("GET", "slurm/partitions"), 10).output
        for address in rest.addresses
    }
    assert len(told) == 1


def test_without_a_token_the_owner_of_the_connection_is_let_in(rest):
    # The test is run by root; besides, only slurmrestd's own account is let in.
    with serving_beside(rest.slurm, auth=BY_SOCKET, daemon="slurmrestd, local") as local:
        told = local.client("").run(("GET", "slurm/jobs"), 10)
        assert len(parse_jobs(told.output, Surroundings(taken_at=0))[0].pending) >= 5
        with pytest.raises(SourceError, match=r"HTTP 401.*no token was sent"):
            local.client("", local.addresses[1]).run(("GET", "slurm/jobs"), 10)


def test_tokens_that_do_not_hold(rest):
    ask = ("GET", "slurm/jobs")
    with pytest.raises(SourceError, match=r"HTTP 401.*no token was sent"):
        rest.client("").run(ask, 10)
    token = rest.token(seconds=1)
    time.sleep(2.5)
    with pytest.raises(SourceError, match=r"HTTP 500.*the token ran out at 20"):
        rest.client(token).run(ask, 10)
    head, _, tail = rest.token().rpartition(".")
    forged = f"{head}.{tail[::-1]}"
    with pytest.raises(
        SourceError, match=r"HTTP 500.*controller does not answer, or the token"
    ) as e:
        rest.client(forged).run(ask, 10)
    assert forged not in str(e.value)


def test_the_controller_is_gone_and_comes_back(rest):
    source = rest.source()
    source.observe()
    rest.slurm.stop_controller()
    try:
        begun = time.monotonic()
        with pytest.raises(
            SourceError, match=r"slurm/v0\.0\.38/jobs: .*controller does not answer"
        ):
            source.observe()
        assert time.monotonic() - begun < 20
    finally:
        rest.slurm.start_controller()
    assert source.observe().snapshot.pending


def test_the_controller_hangs_then_is_slow(rest):
    source = rest.source(timeout_s=4)
    source.observe()
    rest.slurm.freeze_controller()
    try:
        begun = time.monotonic()
        with pytest.raises(SourceTimeout, match="no whole answer within"):
            source.observe()
        assert time.monotonic() - begun < 5
    finally:
        rest.slurm.thaw_controller()
    wait_until(lambda: rest.slurm.succeeds("scontrol", "ping"), "the controller")
    rest.slurm.freeze_controller()
    Timer(1.5, rest.slurm.thaw_controller).start()
    begun = time.monotonic()
    assert source.observe().snapshot.pending
    assert time.monotonic() - begun > 1


def test_slurmrestd_hangs_is_killed_and_starts_anew(rest):
    source = rest.source(timeout_s=3)
    source.observe()
    rest.slurm.daemons["slurmrestd"].send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    with pytest.raises(SourceTimeout):
        source.observe()
    assert time.monotonic() - begun < 4
    rest.slurm.stop("slurmrestd")
    with pytest.raises(SourceError, match=r"refused|No such file"):
        source.observe()
    rest.start()
    assert source.observe().snapshot.pending


def test_it_tells_whose_token_it_is(rest):
    for address in rest.addresses:
        who = JwtIdentifier(address, SystemClock(), timeout_s=20)
        good = rest.token()
        assert who.name({"authorization": f"Bearer {good}"}) == ORDINARY_USER
        beside = {"x-slurm-user-name": ORDINARY_USER, "x-slurm-user-token": good}
        assert who.name(beside) == ORDINARY_USER
        head, _, signature = good.rpartition(".")
        assert not proved(who, {"authorization": f"Bearer {head}.{signature[::-1]}"})
        assert not proved(who, {**beside, "x-slurm-user-name": "daemon"})


def test_one_that_lets_its_caller_in_by_the_connection_proves_nobody(rest):
    with serving_beside(rest.slurm, auth=BY_SOCKET, daemon="slurmrestd, local") as local:
        who = JwtIdentifier(local.addresses[0], SystemClock(), timeout_s=20)
        assert not proved(who, {"authorization": f"Bearer {rest.token()}"})


def proved(who: JwtIdentifier, headers: dict[str, str]) -> bool:
    """Whether they prove anybody; an old slurmrestd may fail instead of turning them away."""
    try:
        return bool(who.name(headers))
    except SourceError:
        return False
