"""`queuecast config`, the shipped site files and their description."""

import json
import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from predictor.cli.config import config
from predictor.domain.identifier import IDENTIFIERS
from predictor.domain.source import SOURCES
from predictor.priority.attributes import ATTRIBUTES
from predictor.site import Site, load
from predictor.site.complaints import keys_at
from predictor.site.write import to_toml

HOUSE = Path(__file__).parents[2]
FOLDER = HOUSE / "config"
SHIPPED = sorted((FOLDER / "sites").glob("*.toml"))


def run(*arguments):
    return CliRunner().invoke(config, list(map(str, arguments)))


def test_there_is_a_file_with_slurm_and_one_without():
    assert {"slurm.toml", "jufo-like.toml"} <= {file.name for file in SHIPPED}


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_every_shipped_site_is_right(file):
    result = run("check", file)
    assert (result.exit_code, result.output) == (0, f"{file}: right\n")


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_what_is_shown_is_in_effect(file, tmp_path):
    copy = tmp_path / "copy.toml"
    copy.write_text(run("show", file).output)
    first, again = load(file), load(copy)
    assert again.policy() == first.policy()
    assert again.model_copy(update={"policy_table": first.policy_table}) == first
    assert json.loads(run("show", "--json", file).output) == tomllib.loads(copy.read_text())


def test_without_a_file_the_defaults_are_shown():
    shown = tomllib.loads(run("show").output)
    assert shown["source"] == {"kind": "slurm-cli"}
    assert shown["forecast"]["array_tasks_max"] == 1000
    assert "reservations" not in shown.get("policy", {})  # the batch system's own scheduler decides


def test_what_a_source_does_not_know_is_refused_with_its_place(site_file):
    file = site_file("[service]\nport = 1\n[source]\nkind = 'slurm-cli'\ntimeout = 5")
    result = run("check", file)
    assert (result.exit_code, result.stderr) == (
        1,
        f'{file}:3: source "slurm-cli": unknown key timeout; '
        "it knows deadline_s, form, past_s, slow_every_s, timeout_s\n",
    )


def test_a_wrong_file_is_told_line_by_line(site_file):
    file = site_file("[policy]\nname = 'easi'\nx\u202e = 1".replace("x\u202e", '"x\u202e"'))
    for command in ("check", "show"):
        result = run(command, file)
        assert result.exit_code == 1
        assert result.stderr.splitlines() == [
            f"{file}:2: policy.name: expected 'fcfs', 'list', 'easy', 'conservative' or"
            " 'two-pass', got \"easi\", did you mean 'easy'?",
            f"{file}:3: policy.x?: unknown key, expected allocation, eligible_per_user, filling, "
            "name, pass_every_s, queued_per_user, reservations, scope, seed, "
            "skip_blocked",
        ]


def test_everything_that_is_wrong_is_told_at_once(site_file):
    file = site_file(
        "[source]\nkind = 'slurm-cli'\ntimeout_s = 'soon'\nform = 'xml'\nzz = 3\nyy = 4\n"
        "[forecast]\ndraws = 'many'\n"
        "[[queues]]\nname = 'a'\n[[queues]]\nname = 'a'\n"
    )
    result = run("check", file)
    known = "deadline_s, form, past_s, slow_every_s, timeout_s"
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f'{file}:8: forecast.draws: expected a whole number, got "many"',
        f"{file}:11: queues: there is another one of a",
        f'{file}:1: source "slurm-cli": unknown key yy; it knows {known}',
        f'{file}:1: source "slurm-cli": unknown key zz; it knows {known}',
        f"{file}:1: source \"slurm-cli\": form: expected one of text, json, got 'xml'",
        f"{file}:1: source \"slurm-cli\": timeout_s: expected seconds above 0, got 'soon'",
    ]


def test_what_is_wrong_only_for_want_of_another_setting_is_not_told(site_file):
    result = run("check", site_file("[source]\nkind = 'slurm-rest'\nurl = 3\n"))
    assert [line.partition(": ")[2] for line in result.stderr.splitlines()] == [
        'source "slurm-rest": url: expected a text, got 3'
    ]
    result = run("check", site_file("[source]\nkind = 'slurm-rest'\n"))
    assert [line.partition(": ")[2] for line in result.stderr.splitlines()] == [
        'source "slurm-rest": expected url = "http://..." or socket = "FILE"'
    ]


def test_tables_are_compared_as_far_as_they_are_right(site_file):
    result = run("check", site_file("[[queues]]\nname = 'a'\nqos = 'x'\n[[qos]]\nname = 3\n"))
    assert [line.partition(":")[2] for line in result.stderr.splitlines()] == [
        "5: qos.name: expected a text in quotes, got 3"
    ]


def test_the_schema_names_every_table():
    schema = json.loads(run("schema").output)
    assert set(schema["properties"]) == set(keys_at(Site, ()))
    assert "description" in schema["$defs"]["ServiceTable"]["properties"]["interval_s"]


texts = st.text() | st.text("'\"\n\\\r\t\x7f\x1b\u202e", max_size=8)
scalars = st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(texts, trees, max_size=4))
def test_written_toml_reads_as_what_was_written(values):
    written = to_toml(values)
    assert tomllib.loads(written) == values
    assert all(line.isprintable() for line in written.split("\n"))


def documented():
    """Return the keys that the description names, with their table, and the formula's names.

    Keys of a kind of source stand under that kind.
    """
    keys, names = set(), set()
    tables = [()]
    for line in (FOLDER / "README.md").read_text().splitlines():
        if line.startswith("## "):
            named = re.findall(r"`\[+([a-z.]+)\]+`", line)
            tables = [tuple(name.split(".")) for name in named] or [()]
            attributes = line == "## Formulas"
        elif match := re.match(r"A `\[\[(\w+)\]\]`", line):
            tables = [(match[1],)]
        elif line.startswith("Both take these bounds"):
            tables = [("qos",), ("limits",)]
        elif match := re.match(r"\| `([a-z-]+)` \| `(\w+)` \| (?!`)", line):
            keys.add(match.groups())
        elif match := re.match(r"\| `([a-z-]+)` \| \| \| As `([a-z-]+)`", line):
            keys |= {(match[1], place[1]) for place in keys if place[0] == match[2]}
        elif match := re.match(r"\| `(\w+)` \| ", line):
            if attributes:
                names.add(match[1])
            elif not re.match(r"\| `(fcfs|list|easy|conservative)` \|", line):
                keys |= {(*table, match[1]) for table in tables}
    return keys, names


def existing(table=()):
    for key in keys_at(Site, table):
        place = (*table, key)
        yield from existing(place) if keys_at(Site, place) else [place]


def understood_by_sources():
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    points = project["entry-points"]
    for kind, target in [*points[SOURCES].items(), *points[IDENTIFIERS].items()]:
        module = import_module(target.partition(":")[0])
        yield from ((kind, key) for key in module.KEYS)


def test_the_description_names_every_key_and_no_other():
    keys, names = documented()
    assert keys == {*existing(), *understood_by_sources()}
    assert names == set(ATTRIBUTES)
