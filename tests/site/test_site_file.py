"""What a site file may hold, and what is said about one that is wrong."""

import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import UNLIMITED, PassSettings, SchedulerSettings
from predictor.errors import SiteError
from predictor.installed import kinds
from predictor.scheduling.policy import CONSERVATIVE, EASY, TWO_PASS, Allocation, Scope
from predictor.site import default, load


def test_an_empty_file_is_the_default(site):
    assert site("") == default()


def test_the_default_asks_slurm_and_plans_for_all(site):
    assert default().source.kind == "slurm-cli"
    assert default().source.settings == {}
    assert default().policy() == CONSERVATIVE
    assert default().priority() is None


def test_a_site_reaches_a_worker_process(site):
    given = site("[priority]\nformula = 'nodes'\n[[queues]]\nname = 'a'\nmax_nodes = 'UNLIMITED'")
    assert pickle.loads(pickle.dumps(given)) == given  # noqa: S301


def test_the_formula_is_compiled(site):
    assert site("[priority]\nformula = '2 * nodes'").priority()({"nodes": 3}) == 6


def test_policy_numbers_stand_over_those_of_the_name(site):
    assert site("[policy]\nname = 'easy'").policy() == EASY
    policy = site("""
        [policy]
        name = "easy"
        reservations = 4
        scope = "partition"
        allocation = "first-fit"
        """).policy()
    assert (policy.name, policy.reservations, policy.skip_blocked) == ("own", 4, True)
    assert (policy.scope, policy.allocation) == (Scope.PARTITION, Allocation.FIRST_FIT)


@pytest.mark.parametrize("strategy", Allocation, ids=lambda one: one.value)
def test_nodes_are_chosen_by_any_strategy(site, strategy):
    policy = site(f"[policy]\nallocation = '{strategy.value}'\nseed = 7").policy()
    assert (policy.allocation, policy.seed) == (strategy, 7)


def test_all_reservations_and_easy_is_no_longer_easy(site):
    policy = site("[policy]\nname = 'easy'\nreservations = 'all'").policy()
    assert (policy.name, policy.reservations) == ("own", None)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("90", 90),
        ('"90s"', 90),
        ('"15min"', 900),
        ('"12h"', 43_200),
        ('"14d"', 1_209_600),
        ('"1d 12h"', 129_600),
        ('"1d12h"', 129_600),
        ('"12:30:00"', 45_000),
        ('"1-00:00:00"', 86_400),
    ],
)
def test_durations(site, written, seconds):
    assert site(f"[forecast]\nhorizon_s = {written}").forecast.horizon_s == seconds


@pytest.mark.parametrize(
    "written",
    [
        '"12:30"',
        '"12"',
        '"-1d"',
        '"1.5h"',
        '"1m"',
        '""',
        "1.5",
        "true",
        "[]",
        "12:30:00",
        '"\u0661d"',
    ],
)
def test_no_durations(faults, written):
    (fault,) = faults(f"[forecast]\nhorizon_s = {written}")
    assert fault.startswith("2: forecast.horizon_s: expected seconds or a duration like")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        pytest.param("", 20, id="a third of the minute between two looks"),
        pytest.param("[service]\ninterval_s = 30", 10, id="a third of any interval"),
        pytest.param("[service]\ninterval_s = '1h'", 30, id="half a minute at the most"),
        pytest.param("[forecast]\ndraws_s = '2min'", 120, id="unless the file says otherwise"),
    ],
)
def test_how_long_windows_may_take(site, text, seconds):
    assert site(text).drawing_s == seconds


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("draws = -1", "at least 0"),
        ("draws = 1001", "at most 1000"),
        ("scenarios = 0", "at least 1"),
        ("draws_s = 0", "at least 1"),
        ("arrivals = 1", "true or false"),
        ("run_times = 'limits'", "'history', 'rules', 'last-two' or 'limit'"),
    ],
)
def test_what_is_believed_of_the_unknown_is_bounded(faults, written, expected):
    (fault,) = faults(f"[forecast]\n{written}")
    assert fault.startswith(f"2: forecast.{written.split(' ')[0]}: expected {expected}")


def test_time_limits_may_be_unlimited(site):
    (queue,) = site("[[queues]]\nname = 'a'\nmax_time_s = 'UNLIMITED'").queues
    assert queue.max_time_s is UNLIMITED


def test_paths_start_at_the_file_s_folder(site, tmp_path):
    given = site("""
        [source]
        kind = "lml-file"
        path = "raw/now.lml"
        [recording]
        path = "/srv/recording"
        [service]
        socket = "~/q.sock"
        """)
    assert given.source.settings == {"path": str(tmp_path / "raw/now.lml")}
    assert given.recording.path == Path("/srv/recording")
    assert given.service.socket == Path.home() / "q.sock"


def test_a_source_gets_its_keys_as_they_are(site):
    given = site("[source]\nkind = 'capture'\nspeed = 1.5\nparts = ['a', { b = 2 }]")
    assert given.source.settings == {"speed": 1.5, "parts": ["a", {"b": 2}]}


def test_a_short_interval_needs_force(site, faults):
    (fault,) = faults("[service]\nport = 1\ninterval_s = 9")
    assert fault == "1: service: expected interval_s of at least 10, or force = true, got 9"
    assert site("[service]\ninterval_s = 9\nforce = true").service.interval_s == 9


def test_everything_wrong_is_told_at_once_in_order(faults):
    assert faults("""\
        cluster = 3
        recordings.path = "x"

        [source]
        kind = "lml-fil"
        [priority]
        formula = "1 + quued_s"
        [policy]
        name = "easi"
        skip_blocked = "yes"
        reservations = "al"
        [service]
        port = 70000
        [service.worker]
        memry_mb = 3
        [[queues]]
        name = "a"
        nodes = ["n[1-3]",
                 "b["]
        [[queues]]
        tier = "high"
        [[limits]]
        max_jobs = -1
        [nodes]
        """) == [
        "1: cluster: expected a text in quotes, got 3",
        "2: recordings: unknown key, did you mean 'recording'?",
        f"5: source.kind: expected an installed source: {', '.join(kinds())}, "
        "got \"lml-fil\", did you mean 'lml-file'?",
        "7: priority.formula: unknown name 'quued_s', did you mean 'queued_s'?",
        "    1 + quued_s",
        "        ^",
        "9: policy.name: expected 'fcfs', 'list', 'easy', 'conservative' or 'two-pass', "
        "got \"easi\", did you mean 'easy'?",
        '10: policy.skip_blocked: expected true or false, got "yes"',
        '11: policy.reservations: expected a whole number or "all", got "al", '
        "did you mean 'all'?",
        "13: service.port: expected at most 65535, got 70000",
        "15: service.worker.memry_mb: unknown key, did you mean 'memory_mb'?",
        '19: queues.nodes: expected a list of hosts like "n[001-128],gpu1" '
        "('b[': brackets that do not match), got \"b[\"",
        "20: queues.name: this key is missing",
        '21: queues.tier: expected a whole number, got "high"',
        '23: limits.max_jobs: expected a whole number or "UNLIMITED", got -1',
        "24: nodes: expected a list in [ ], got a table",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[limits]]\nmax_jobs = 1", "1: limits: expected a queue, account or user whom it binds"),
        ("[[limits]]\nqueue = 'a'\nuser = 'u'", "1: limits: expected either a queue, or"),
        ("[[limits]]\nqueue = 'a'\npriority = 1", "1: limits: expected job_factor or tier"),
        ("[[limits]]\nqueue = 'a'\n[[limits]]\nqueue = 'a'", "3: limits: there is another one"),
        ("[[limits]]\nuser = 'u'\n[[limits]]\nuser = 'u'", "3: limits: there is another one"),
        (
            "[[nodes]]\nhosts = 'n[1-4]'\ncpus = 1\n[[nodes]]\nhosts = 'n[4-5]'\ncpus = 2",
            "5: nodes.hosts: n4 is in another group already",
        ),
        ("[[queues]]\nname = 'a'\n[[queues]]\nname = 'a'", "3: queues: there is another one"),
        (
            "[[queues]]\nname = 'a'\ndefault = true\n[[queues]]\nname = 'b'\ndefault = true",
            "6: queues.default: another queue is the default already",
        ),
        (
            "[[qos]]\nname = 'short'\n[[queues]]\nname = 'a'\nqos = 'shirt'",
            "5: queues.qos: there is no [[qos]] named 'shirt', did you mean 'short'?",
        ),
        (
            "[[queues]]\nname = 'a'\nqos = 'q'\n[[limits]]\nqueue = 'a'",
            "3: queues.qos: this queue has [[limits]] too; put them into its [[qos]]",
        ),
        ("policy = 'easy'", '1: policy: expected a table, got "easy"'),
        ("[policy]\nunlikely_key = 1", "2: policy.unlikely_key: unknown key, expected allocation"),
        ("[recording]\npath = ''", "2: recording.path: expected a path in quotes"),
        ("[[nodes]]\nhosts = 'n1'\ncpus = 0", "3: nodes.cpus: expected at least 1, got 0"),
        ("[[nodes]]\nhosts = '@all'\ncpus = 1", "2: nodes.hosts: expected a list of hosts"),
        ("[[nodes]]\nhosts = 'n[1-999999999]'\ncpus = 1", "2: nodes.hosts: expected a list of"),
        ("[service]\nallowed_hosts = 'login1'", "2: service.allowed_hosts: expected a list in"),
        (
            "[service]\nallowed_hosts = ['login1:8642']",
            "2: service.allowed_hosts: expected a host name without port",
        ),
        ("[service]\ninterval_s = '2d'", "2: service.interval_s: expected at most 86400"),
        (
            "[service]\nstale_after_s = '101000d'",
            "2: service.stale_after_s: expected at most 100 y",
        ),
        (
            "[service.worker]\nmemory_mb = 20000000000000",
            "2: service.worker.memory_mb: expected at most 1073741824",
        ),
        ("[service]\nhost = ''", "2: service.host: expected an address or a host name"),
        ('[service]\nhost = "a\\u0000b"', "2: service.host: expected an address or a host name"),
        ("[recording]\npath = '~nobody-of-that-name/x'", "2: recording.path: expected a path in"),
        ("cluster = 1" + "0" * 5_000, " not TOML: a number of too many digits"),
        ("[[qos]]\nname = 'q'\nusage_factor = nan", "3: qos.usage_factor: expected"),
    ],
)
def test_what_makes_no_sense(faults, text, fault):
    (found,) = faults(text)
    assert found.startswith(fault)


def test_limits_of_different_things_may_share_a_name(site):
    assert (
        len(
            site("""
        [[limits]]
        queue = "a"
        [[limits]]
        account = "a"
        [[limits]]
        user = "a"
        [[limits]]
        user = "a"
        account = "a"
        """).limits
        )
        == 4
    )


@pytest.mark.parametrize(
    ("raw", "cause"),
    [
        (b"[policy\n", ":1: not TOML at column 8: "),
        (b"\n\na = \n", ":3: not TOML at column 5: "),
        (b"a = 1\nb = [1,\n", ":3: not TOML"),
        (b"a = 1\na = 2\n", ":2: not TOML at column 6: "),
        (b"a = 1\n\xff", ":2: not a text in UTF-8"),
        (b"a = " + b"[" * 50_000, "nested too deep"),
        (b"#" * 1_000_001, "expected at most 1000000"),
        (
            b"[policy]\nreservations = 99999999999999999999\n",
            "beyond 64 bits: 99999999999999999999",
        ),
    ],
)
def test_what_is_no_toml(tmp_path, raw, cause):
    file = tmp_path / "site.toml"
    file.write_bytes(raw)
    with pytest.raises(SiteError) as caught:
        load(file)
    assert str(caught.value).startswith(str(file))
    assert cause in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SiteError, match="cannot be read: No such file"):
        load(tmp_path / "none.toml")


def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "site.toml")
    with pytest.raises(SiteError, match=r"site\.toml: expected a regular file"):
        load(tmp_path / "site.toml")


def test_a_device_in_the_place_of_a_file_is_refused():
    with pytest.raises(SiteError, match="/dev/zero: expected a regular file"):
        load(Path("/dev/zero"))


def test_a_pipe_that_the_caller_has_open_is_read():
    reader, writer = os.pipe()
    os.write(writer, b"[service]\nport = 4711\n")
    os.close(writer)
    try:
        assert load(Path(f"/dev/fd/{reader}")).service.port == 4711
    finally:
        os.close(reader)


KEYS = ["cluster", "policy", "name", "queues", "nodes", "service", "limits", "x"]
toml_values = st.recursive(
    st.sampled_from(["1", "-1", "1.5", "nan", "true", '"a"', "''", "1979-05-27", "'UNLIMITED'"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(st.sampled_from(KEYS), inner, max_size=3).map(
            lambda table: "{" + ", ".join(f"{k} = {v}" for k, v in table.items()) + "}"
        ),
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(KEYS), toml_values))
def test_any_toml_gives_a_site_or_an_error_with_lines(tmp_path_factory, table):
    file = tmp_path_factory.mktemp("any") / "site.toml"
    file.write_text("".join(f"{key} = {value}\n" for key, value in table.items()))
    try:
        load(file)
    except SiteError as error:
        for complaint in str(error).splitlines():
            line = complaint.removeprefix(f"{file}:").partition(":")[0]
            assert 1 <= int(line) <= len(table)


def test_a_batch_system_that_tells_of_its_passes_is_replayed_unless_the_file_plans(site):
    told, silent = SchedulerSettings(passes=PassSettings()), SchedulerSettings()
    assert default().policy_for(told) == TWO_PASS
    assert default().policy_for(silent) == CONSERVATIVE
    assert site("[policy]\nname = 'easy'").policy_for(told) == EASY
    assert site("[policy]\nreservations = 3").policy_for(told).reservations == 3
    assert site("[policy]\nname = 'two-pass'").policy_for(silent) == TWO_PASS
