import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.slurm.words import units
from predictor.domain import UNLIMITED


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        ("00:30:00", 1800),
        ("30:00", 1800),
        ("30", 1800),
        ("1-00:00:00", 86_400),
        ("7-0", 604_800),
        ("2-12:30", 217_800),
        ("30 sec", 30),
        ("5 min", 300),
        ("0 min", 0),
        ("00:05:03.250", 303),
        ("UNLIMITED", UNLIMITED),
        ("INFINITE", UNLIMITED),
        ("NONE", None),
        ("N/A", None),
        ("", None),
    ],
)
def test_durations(word, seconds):
    assert units.seconds(word) == seconds


@given(st.integers(0, 400), st.integers(0, 86_399))
def test_every_duration_as_slurm_prints_it(days, rest):
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    assert units.seconds(f"{days}-{clock}" if days else clock) == days * 86_400 + rest


@pytest.mark.parametrize("word", ["soon", "1:2:3:4", "-5", "1-", "5 fortnights"])
def test_what_is_no_duration(word):
    with pytest.raises(ValueError, match="not a duration"):
        units.seconds(word)


def test_unlimited_nothing_and_zero_are_three_things():
    assert [units.number(word) for word in ("UNLIMITED", "(null)", "0")] == [UNLIMITED, None, 0]


@pytest.mark.parametrize(
    ("word", "mb"),
    [
        ("4000", 4000),
        ("500Mc", 500),
        ("62.50G", 64_000),
        ("1000G", 1_024_000),
        ("2T", 2_097_152),
        ("2048K", 2),
        ("0n", 0),
        ("UNLIMITED", None),
        ("(null)", None),
    ],
)
def test_memory(word, mb):
    assert units.megabytes(word) == mb


def test_what_is_no_memory():
    with pytest.raises(ValueError, match="not an amount of memory: 'lots'"):
        units.megabytes("lots")


@pytest.mark.parametrize(
    ("word", "bundle"),
    [
        ("", {}),
        ("(null)", {}),
        ("cpu=4,mem=62.50G,node=1,billing=4", {"billing": 4, "cpu": 4, "mem": 64_000, "node": 1}),
        ("gres/gpu:a100=2,license/matlab=9", {"gres/gpu:a100": 2, "license/matlab": 9}),
        ("cpu=12,mem=N,energy=0", {"cpu": 12, "energy": 0}),
        (
            "cpu=1.00,node=2K,energy=18446744073709551614",
            {"cpu": 1, "node": 2048, "energy": 2**64 - 2},
        ),
    ],
)
def test_bundles_of_resources(word, bundle):
    assert dict(units.tres(word)) == bundle


@pytest.mark.parametrize("amount", ["1e999100", "inf", "nan", "-1", "9" * 400, "0x10"])
@pytest.mark.parametrize("name", ["cpu", "mem"])
def test_what_is_no_amount_of_a_resource(name, amount):
    with pytest.raises(ValueError, match="not an amount"):
        units.tres(f"{name}={amount}")


@pytest.mark.parametrize(
    ("word", "bundle"),
    [
        ("gpu:tesla:2(S:0-1)", {"gpu:tesla": 2}),
        ("gpu:tesla:1(IDX:0,2-3)", {"gpu:tesla": 1}),
        ("gres:gpu:tesla:1", {"gpu:tesla": 1}),
        ("gres/gpu:2,gres/gpu:a100:1", {"gpu": 2, "gpu:a100": 1}),
        ("gres/gpu", {"gpu": 1}),
        ("gpu:a100", {"gpu:a100": 1}),
        ("gres/gpu=3", {"gpu": 3}),
        ("gpu:a:1(S:0),gpu:a:2(S:1),nic:4K", {"gpu:a": 3, "nic": 4096}),
        ("cpu:2,gres/gpu:1", {"gpu": 1}),
        ("cpu=2,gres/gpu=1,license/matlab=1", {"gpu": 1}),
        ("(null)", {}),
    ],
)
def test_generic_resources(word, bundle):
    assert dict(units.gres(word)) == bundle


@pytest.mark.parametrize(
    ("word", "bundle"),
    [
        ("matlab:9", {"matlab": 9}),
        ("fluent,matlab:2", {"fluent": 1, "matlab": 2}),
        ("matlab@server:2", {"matlab@server": 2}),
        ("a:1|b:1", {"a": 1}),
        ("(null)", {}),
    ],
)
def test_licenses(word, bundle):
    assert dict(units.licenses(word)) == bundle


def test_licenses_any_of_which_will_do():
    assert units.other_licenses("a:2|c|b:3") == (("c", 1), ("b", 3))
    assert units.other_licenses("a:1,b:1") == units.other_licenses("(null)") == ()


def test_a_weight_of_memory_is_per_mb():
    assert units.weights("CPU=1.0,Mem=0.5G,GRES/gpu=2.0") == (
        ("cpu", 1.0),
        ("gres/gpu", 2.0),
        ("mem", 0.5 / 1024),
    )


def test_instants_are_utc_whatever_clock_wrote_them():
    assert units.instant("1970-01-01T01:00:10", offset_s=3600) == 10
    assert units.instant("Unknown") is None
    with pytest.raises(ValueError, match="Invalid isoformat"):
        units.instant("tomorrow")


@pytest.mark.parametrize(
    ("read", "word"),
    [
        (units.number, "9" * 400),
        (units.seconds, "9" * 400 + "-00:00:00"),
        (units.megabytes, "99999999999999999999E"),
        (units.tres, "billing=99999999999999999999G"),
        (units.gres, "gpu:99999999999999999999G"),
        (units.licenses, "matlab:" + "9" * 400),
        (units.instant, "9" * 400),
    ],
)
def test_numbers_beyond_64_bits_are_none(read, word):
    with pytest.raises(ValueError, match="64 bits"):
        read(word)
