"""What slurmrestd tells of each version, beside what the commands told of the same cluster."""

import json
import re
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.slurm.objects.config import parse_about, parse_config
from collectors.slurm.objects.diagnosis import parse_diagnosis
from collectors.slurm.objects.jobs import parse_jobs
from collectors.slurm.objects.licenses import parse_licenses
from collectors.slurm.objects.limits import parse_associations, parse_qos
from collectors.slurm.objects.nodes import parse_nodes
from collectors.slurm.objects.partitions import parse_partitions
from collectors.slurm.objects.reservations import parse_reservations
from collectors.slurm.objects.shares import parse_shares
from collectors.slurm.surroundings import Surroundings
from collectors.slurm.text import config as config_text
from collectors.slurm.text import licenses as licenses_text
from collectors.slurm.text import limits as limits_text
from collectors.slurm.text import nodes as nodes_text
from collectors.slurm.text import partitions as partitions_text
from collectors.slurm.text import reservations as reservations_text
from collectors.slurm.text import sshare as shares_text
from predictor.domain import UNLIMITED, BillingRule, Eviction, FairshareFormula, Partition
from predictor.errors import SourceError, SourceFormatError

VERSIONS = {
    "22.05": ("v0.0.36", "v0.0.37", "v0.0.38"),
    "24.11": ("v0.0.40", "v0.0.41", "v0.0.42"),
    "26.05": ("v0.0.42", "v0.0.43", "v0.0.44", "v0.0.45"),
}
EACH = [(release, version) for release, versions in VERSIONS.items() for version in versions]
UTC_OFFSET_S = 3600
"""The recorded commands printed the times of a place an hour ahead of UTC."""


def parsed(told, parse, release, path, *more):
    found, bad = parse(told(release)[path], *more)
    assert bad == ()
    return found


@pytest.fixture(params=EACH, ids=lambda pair: "-".join(pair))
def pair(request):
    return request.param


def test_jobs_of_every_version(told, pair):
    release, version = pair
    around = Surroundings(taken_at=1795206000)
    jobs = parsed(told, parse_jobs, release, f"/slurm/{version}/jobs", around)
    assert len(jobs.pending) >= 8 and len(jobs.running) >= 2
    array = next(job for job in jobs.pending if job.spec.array)
    assert array.spec.array.max_running == 2
    (featured,) = (job for job in jobs.pending if job.spec.request.features == "fast&b")
    assert featured.begin_at is None or featured.begin_at > 1795206000


def test_all_versions_of_a_release_tell_the_same_jobs(told):
    around = Surroundings(taken_at=1795206000)
    for release, versions in VERSIONS.items():
        ids = {
            version: {
                job.spec.id
                for job in parsed(
                    told, parse_jobs, release, f"/slurm/{version}/jobs", around
                ).pending
            }
            for version in versions
        }
        assert len({frozenset(found) for found in ids.values()}) == 1, ids


def test_nodes_are_those_of_the_command(told, printed, pair):
    release, version = pair
    found = parsed(told, parse_nodes, release, f"/slurm/{version}/nodes")
    described, _ = nodes_text.parse_nodes(printed(release, "nodes"), UTC_OFFSET_S)
    assert [standing(node) for node in found] == [standing(node) for node in described]


def standing(node):
    """Return what of a node does not change within minutes."""
    return replace(
        node,
        state=None,
        flags=None,
        cpus_allocated=0,
        memory_allocated_mb=0,
        boot_at=None,
        idle_since=None,
    )


NOT_TOLD = {
    "is_default", "sharing", "jobs_per_cpu", "spread", "exclusive_user", "eviction",
}  # fmt: skip
"""Of partitions by versions before v0.0.45."""


def test_partitions_are_those_of_the_command_where_told(told, printed, pair):
    release, version = pair
    if version == "v0.0.36":
        with pytest.raises(SourceFormatError, match="'' is not a valid PartitionState"):
            parse_partitions(told(release)[f"/slurm/{version}/partitions"])
        return
    found = parsed(told, parse_partitions, release, f"/slurm/{version}/partitions")
    by_command, _ = partitions_text.parse_partitions(printed(release, "partitions"))
    assert [known(p, version) for p in found] == [known(p, version) for p in by_command]


def known(partition: Partition, version: str) -> dict[str, object]:
    # Where none is set, the commands show the cluster's mode of preemption; v0.0.45 says so.
    left_out = {"eviction"} if version == "v0.0.45" else NOT_TOLD
    if version == "v0.0.37":
        left_out = {*left_out, "default_time_s"}
    return {key: value for key, value in asdict(partition).items() if key not in left_out}


@pytest.mark.parametrize("version", ["v0.0.37", "v0.0.38"])
def test_old_versions_tell_the_default_partition(told, version):
    found = parsed(told, parse_partitions, "22.05", f"/slurm/{version}/partitions")
    assert [partition.name for partition in found if partition.is_default] == ["batch"]


def test_reservations_are_those_of_the_command(told, printed, pair):
    release, version = pair
    if version == "v0.0.36":
        return  # it does not serve them
    cpus = {f"n0{n}": 4 for n in range(1, 5)} | {f"x{n:03}": 4 for n in range(1, 201)}
    found = parsed(told, parse_reservations, release, f"/slurm/{version}/reservations", cpus)
    offset_s = 0
    by_command, _ = reservations_text.parse_reservations(
        printed(release, "reservations"), cpus, offset_s
    )
    assert len(found) == 3
    away = {one.start_at - other.start_at for one, other in zip(found, by_command, strict=True)}
    assert len(away) == 1  # the zone of the clock by which the commands wrote
    (gap_s,) = away
    assert [
        replace(one, start_at=one.start_at - gap_s, end_at=one.end_at - gap_s) for one in found
    ] == list(by_command)


def test_licenses_are_those_of_the_command(told, printed, pair):
    release, version = pair
    if version in {"v0.0.36", "v0.0.37"}:
        return  # they do not serve them
    found = parsed(told, parse_licenses, release, f"/slurm/{version}/licenses")
    by_command, _ = licenses_text.parse_licenses(printed(release, "licenses"))
    assert {(one.name, one.total, one.remote) for one in found} == {
        (one.name, one.total, one.remote) for one in by_command
    }


def test_qos_are_those_of_the_command(told, printed, pair):
    release, version = pair
    path = f"/slurmdb/{version}/qos"
    found = parsed(told, parse_qos, release, path)
    by_command, _ = limits_text.parse_qos(printed(release, "qos"))
    assert found == by_command


def test_associations_are_those_of_the_command(told, printed, pair):
    release, version = pair
    path = f"/slurmdb/{version}/associations"
    found = parsed(told, parse_associations, release, path, "lab")
    by_command, _ = limits_text.parse_associations(printed(release, "assoc"), "lab")
    assert by_who(found, version) == by_who(by_command, version)


def by_who(associations, version):
    """Return the associations by account and user, less what old versions do not tell."""
    changes = {"v0.0.36": {"qos": (), "limits": None}, "v0.0.37": {"qos": ()}}.get(version, {})
    in_order = (replace(one, qos=tuple(sorted(one.qos))) for one in associations)
    return {(one.account, one.user): replace(one, **changes) for one in in_order}


@pytest.mark.parametrize(("release", "version"), [pair for pair in EACH if pair[0] != "22.05"])
def test_the_fairshare_tree_is_that_of_the_command(told, printed, release, version):
    tree = parsed(told, parse_shares, release, f"/slurm/{version}/shares")
    by_command, _ = shares_text.parse_shares(printed(release, "sshare"))
    assert tree.parents == by_command.parents
    assert tree.shares == by_command.shares
    for who, standing in tree.standing.items():
        other = by_command.standing[who]
        # Usage has grown between the two answers.
        assert (standing.factor is None) is (other.factor is None), who
        if who[0] != "root":
            assert standing.shares_norm == pytest.approx(other.shares_norm, abs=1e-6)
        if standing.level is not None and who != ("root", ""):
            assert standing.level == pytest.approx(other.level, rel=0.2)


def test_diagnosis_of_every_version(told, pair):
    release, version = pair
    found = parsed(told, parse_diagnosis, release, f"/slurm/{version}/diag")
    health = found.health
    assert abs(found.written_at - 1795206000) < 300
    assert health.told_at == found.written_at
    assert 0 < found.written_at - health.counts_since < 1000
    for figure in (health.main_cycle_mean_us, health.backfill_queue_last, health.jobs_started):
        assert figure is not None and figure > 0
    assert (health.backfill_cut_short is None) is (release == "22.05")


def test_every_answer_says_who_gave_it(told, pair):
    release, version = pair
    about, _ = parse_about(told(release)[f"/slurm/{version}/diag"])
    assert about.version.startswith(release)
    assert about.cluster == ("" if release == "22.05" else "lab")


def test_the_configuration_is_that_of_the_command(told, printed):
    by_rest = parsed(told, parse_config, "26.05", "/slurm/v0.0.45/conf")
    by_command, _ = config_text.parse_config(printed("26.05", "config"))
    booted_at = by_rest.booted_at
    assert booted_at == 1795205661
    assert replace(by_rest, booted_at=None) == replace(by_command, booted_at=None)


@pytest.mark.parametrize(
    ("flags", "formula", "rule"),
    [
        (["FAIR_TREE"], FairshareFormula.FAIR_TREE, BillingRule.SUM),
        ([], FairshareFormula.CLASSIC, BillingRule.SUM),
        (["MAX_TRES", "FAIR_TREE"], FairshareFormula.FAIR_TREE, BillingRule.DEAREST),
        (["DEPTH_OBLIVIOUS"], FairshareFormula.DEPTH_OBLIVIOUS, BillingRule.SUM),
    ],
)
def test_priority_flags_mean_what_those_of_the_command_do(told, flags, formula, rule):
    answer = json.loads(told("26.05")["/slurm/v0.0.45/conf"])
    answer["slurm_conf"]["PriorityFlags"] = flags
    found = parse_config(json.dumps(answer))[0].settings
    assert (found.fairshare_formula, found.billing_rule) == (formula, rule)


def test_how_long_nodes_take_to_fall_asleep_is_told_in_seconds(told):
    answer = json.loads(told("26.05")["/slurm/v0.0.45/conf"])
    sleep = {"set": True, "infinite": False, "number": 300}
    answer["slurm_conf"] |= {
        "ResumeProgram": "/wake", "ResumeTimeout": 60, "SuspendTime": sleep, "SuspendTimeout": 10,
    }  # fmt: skip
    found = parse_config(json.dumps(answer))[0].settings
    assert (found.boot_s, found.sleeps_after_s, found.dozes_s) == (60, 300, 10)


def test_partitions_say_when_their_own_nodes_fall_asleep(told):
    answer = json.loads(told("26.05")["/slurm/v0.0.45/partitions"])
    first, second, *_ = answer["partitions"]
    first["suspend_time"] = {"set": True, "infinite": False, "number": 300}
    first["timeouts"] = {
        "resume": {"set": True, "infinite": False, "number": 60},
        "suspend": {"set": True, "infinite": False, "number": 10},
    }
    second["suspend_time"] = {"set": False, "infinite": True, "number": 0}
    one, other, *_ = parse_partitions(json.dumps(answer))[0]
    assert (one.sleeps_after_s, one.boot_s, one.dozes_s) == (300, 60, 10)
    assert (other.sleeps_after_s, other.boot_s, other.dozes_s) == (UNLIMITED, None, None)


@pytest.mark.parametrize("text", ["{}", '{"slurm_conf": 3}', '{"slurm_conf": {"KillWait": [3]}}'])
def test_a_configuration_that_makes_no_sense(text):
    with pytest.raises(SourceFormatError, match="conf: "):
        parse_config(text)


@pytest.mark.parametrize(
    ("told_as", "sharing", "jobs"),
    [
        ({"jobs": 0, "flags": []}, "exclusive", 1),
        ({"jobs": 1, "flags": []}, "no", 1),
        ({"jobs": 4, "flags": []}, "yes", 4),
        ({"jobs": 2, "flags": ["force"]}, "force", 2),
    ],
)
def test_how_jobs_share_a_partition_by_its_numbers(told, told_as, sharing, jobs):
    answer = json.loads(told("24.11")["/slurm/v0.0.42/partitions"])
    answer["partitions"][0]["maximums"]["oversubscribe"] = told_as
    first = parse_partitions(json.dumps(answer))[0][0]
    assert (first.sharing.value, first.jobs_per_cpu) == (sharing, jobs)


@pytest.mark.parametrize(
    ("exclusive", "sharing", "of_one_user"),
    [("NO", "no", False), ("NODE", "exclusive", False), ("USER", "no", True)],
)
def test_the_newest_version_has_two_words_for_how_jobs_share_a_partition(
    told, exclusive, sharing, of_one_user
):
    answer = json.loads(told("26.05")["/slurm/v0.0.45/partitions"])
    answer["partitions"][0]["partition"]["exclusive"] = exclusive
    first = parse_partitions(json.dumps(answer))[0][0]
    assert (first.sharing.value, first.exclusive_user) == (sharing, of_one_user)


def test_modes_of_preemption(told):
    answer = json.loads(told("26.05")["/slurm/v0.0.45/partitions"])
    for partition, mode in zip(
        answer["partitions"], (["REQUEUE"], ["SUSPEND", "GANG"], ["DISABLED"], None), strict=True
    ):
        partition["preempt_mode"] = mode
    found, _ = parse_partitions(json.dumps(answer))
    assert [p.eviction for p in found] == [Eviction.SENT_BACK, Eviction.SUSPENDED, None, None]


FACTS = (
    ("/slurm/v0.0.45/partitions", parse_partitions),
    ("/slurm/v0.0.45/nodes", parse_nodes),
    ("/slurm/v0.0.45/licenses", parse_licenses),
    ("/slurm/v0.0.45/shares", parse_shares),
    ("/slurm/v0.0.45/diag", parse_diagnosis),
    ("/slurm/v0.0.45/conf", parse_config),
    ("/slurmdb/v0.0.45/qos", parse_qos),
    ("/slurmdb/v0.0.45/associations", lambda text: parse_associations(text, "lab")),
    ("/slurm/v0.0.45/reservations", lambda text: parse_reservations(text, {})),
)


@pytest.mark.parametrize(("path", "parse"), FACTS, ids=[path for path, _ in FACTS])
def test_values_of_wrong_types_are_set_aside_or_refused(told, path, parse):
    text = told("26.05")[path]

    @given(st.data())
    def anything_anywhere(data):
        answer = json.loads(text)
        spoil(answer, data)
        try:
            _, bad = parse(json.dumps(answer))
        except SourceError:
            return
        assert all(note.count for note in bad)

    anything_anywhere()


def spoil(value, data):
    """Replace one value, somewhere below, by one of another kind."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    deeper = isinstance(value[key], dict | list) and value[key] and data.draw(st.booleans())
    if deeper:
        spoil(value[key], data)
    else:
        value[key] = data.draw(WRONG)


WRONG = st.sampled_from(
    [None, True, -1, 7, 2**70, 1e300, "", "x" * 5000, "NaN", [], [[]], [3], {}, {"set": True}]
)


def test_no_answer_stands_for_two_versions(told):
    for release, versions in VERSIONS.items():
        assert {m[1] for path in told(release) if (m := re.search(r"(v0\.0\.\d+)", path))} == set(
            versions
        )
