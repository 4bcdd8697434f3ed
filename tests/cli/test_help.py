"""What the help of commands says: whole sentences, each command in its place."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from predictor.cli import OTHERS, SECTIONS, command, exits

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
