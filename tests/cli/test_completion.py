"""The completion script, tried in a real bash."""

import shutil
import subprocess

import click
import pytest
from click.testing import CliRunner

from predictor.cli import command, exits
from predictor.cli.completion import known, script

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="needs bash")


@pytest.fixture(scope="module")
def made():
    answer = CliRunner().invoke(command, ["completion", "bash"], prog_name="queuecast")
    assert answer.exit_code == exits.DONE
    return answer.stdout


def completed(made: str, *words: str, folder=None) -> set[str]:
    """Return what the shell offers for the last word."""
    ask = 'eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _queuecast'
    done = subprocess.run(
        [BASH, "-c", f'{ask}; printf "%s\\n" "${{COMPREPLY[@]}}"', "bash", made, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={"PATH": "/nonexistent"},  # nothing may be started
    )
    assert not done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        pytest.param(["wh"], {"whatif", "when", "why"}, id="commands"),
        pytest.param(["config", "sh"], {"show"}, id="commands of commands"),
        pytest.param(["when", "--j"], {"--jobs", "--json"}, id="options"),
        pytest.param(["when", "--me", "--cs"], {"--csv"}, id="options after options"),
        pytest.param(["plan", "--no"], {"--nodes", "--nodelist"}, id="the command's own ones"),
        pytest.param(["completion", ""], {"bash"}, id="words of a choice"),
        pytest.param(["when", "-u", ""], set(), id="values nobody can list"),
        pytest.param(["--v"], {"--version"}, id="options before commands"),
        pytest.param(["nonsense", "--zz"], set(), id="nothing"),
    ],
)
def test_what_is_offered(made, words, offered):
    assert completed(made, "queuecast", *words) == offered


def test_files_where_files_are_expected(made, tmp_path):
    (tmp_path / "site.toml").touch()
    for words in (["serve", "--site", "si"], ["predict", "si"], ["config", "check", "si"]):
        assert completed(made, "queuecast", *words, folder=tmp_path) == {"site.toml"}


def test_every_command_and_option_is_there(made):
    """Read off click itself, whatever is added."""
    with click.Context(command, info_name="queuecast") as ctx:
        places = [one for one in known(command, ctx) if one.words]
        names = command.list_commands(ctx)
    assert all(f" {name})" in made or f" {name}')" in made for name in names)
    assert all(one.place in made for one in places)
    for name in names:
        assert "--help" in completed(made, "queuecast", name, "--h")


class Strange(click.Group):
    """What else may be installed."""

    def list_commands(self, ctx):
        return ["broken", "rm -rf; $(x)"]

    def get_command(self, ctx, cmd_name):
        raise ImportError(cmd_name)


def test_what_cannot_be_loaded_is_still_a_name_and_what_is_no_name_is_not():
    strange = Strange("queuecast")
    made = script(strange, click.Context(strange))
    assert completed(made, "queuecast", "") == {"broken"}
    assert "rm" not in made
