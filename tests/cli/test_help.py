"""What the help of commands says: whole sentences, each command in its place."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points

import click
import pytest
from click.testing import CliRunner

from predictor.cli import GROUP, OTHERS, SECTIONS, command, exits
from predictor.cli.summaries import summary

COLUMNS = 80
"""A terminal is at least so wide."""


def below(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands of a group and of those in it, by their words."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        inner = group.get_command(ctx, name)
        yield " ".join((*path, name)), inner
        if isinstance(inner, click.Group):
            yield from below(inner, (*path, name))


ALL = {"": command, **dict(below(command))}
GROUPS = [words for words, one in ALL.items() if isinstance(one, click.Group)]


def helped(words):
    answer = CliRunner().invoke(command, [*words.split(), "--help"], terminal_width=COLUMNS)
    assert answer.exit_code == 0
    return answer.output


@pytest.mark.parametrize("words", GROUPS)
def test_no_command_is_told_in_half_a_sentence(words):
    cut = [line for line in helped(words).splitlines() if line.endswith("...")]
    assert [line for line in cut if not line.startswith("Usage:")] == []


@pytest.mark.parametrize("words", ALL)
def test_every_option_says_what_it_is(words):
    for option in ALL[words].params:
        if isinstance(option, click.Option):
            assert option.help, option.opts
            assert option.help.endswith((".", "?")), option.help


@pytest.mark.parametrize(
    ("written", "meant"), [("whne", "when"), ("config chekc", "check"), ("record lss", "ls")]
)
def test_of_a_misspelt_command_the_right_one_is_told(written, meant):
    answer = CliRunner().invoke(command, written.split())
    assert answer.exit_code == exits.USAGE
    assert f"Did you mean '{meant}'?" in answer.stderr


def test_of_what_resembles_no_command_nothing_is_guessed():
    answer = CliRunner().invoke(command, ["xyzzy"])
    assert "No such command 'xyzzy'." in answer.stderr
    assert "Did you mean" not in answer.stderr


def test_commands_are_listed_by_what_they_are_for():
    told = helped("")
    places = [told.index(f"\n{title}:\n") for title in (*SECTIONS, OTHERS)]
    assert places == sorted(places)
    rest = told[places[-1] :]
    for names in SECTIONS.values():
        for name in names:
            assert f"\n  {name} " in told
            assert f"\n  {name} " not in rest
    assert "\n  verify " in rest


@pytest.mark.parametrize("entry", entry_points(group=GROUP), ids=lambda entry: entry.name)
@pytest.mark.parametrize("columns", [20, 60])
def test_the_summary_read_from_the_source_is_that_of_the_command(entry, columns):
    assert summary(entry, columns) == entry.load().get_short_help_str(columns)


@pytest.mark.parametrize("value", ["no_such_module:it", "math:sqrt", "predictor.cli.why:nothing"])
def test_what_no_source_defines_has_no_summary(value):
    assert summary(EntryPoint("it", value, GROUP), 60) is None


def test_the_list_of_commands_imports_none_of_them():
    asked = (
        "import sys; from predictor.cli import command\n"
        "command(['--help'], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert "Run a service:" in told.stdout
    modules = set(told.stderr.split())
    assert "predictor.cli.summaries" in modules
    assert modules.isdisjoint(entry.module for entry in entry_points(group=GROUP))
