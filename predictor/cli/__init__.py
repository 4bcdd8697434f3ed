"""The `queuecast` command: finds its subcommands through entry points and loads one lazily."""

import os
import sys
from difflib import get_close_matches
from importlib.metadata import entry_points
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

import click

from predictor.cli.exits import FAILED, IN_USE
from predictor.cli.summaries import summary
from predictor.cli.terminal import plain
from predictor.errors import QueuecastError, RecordingInUse

GROUP = "queuecast.commands"
SECTIONS = {
    "Ask a running service": ("when", "why", "whatif", "fit", "plan", "watch", "status"),
    "Run a service": ("demo", "serve", "doctor", "config", "record", "collect", "completion"),
}
"""Commands as the help lists them, under what they are for."""
OTHERS = "Work on documents, recordings and traces"
"""What the help lists all other commands under."""
SPACING = 6
"""So many columns of a line of that list are left blank."""


class LazyGroup(click.Group):
    """Finds subcommands in a group of entry points; imports a module only when its command runs."""

    entry_group = GROUP

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all installed subcommands."""
        installed = (entry.name for entry in entry_points(group=self.entry_group))
        return sorted({*super().list_commands(ctx), *installed})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that is meant; of none, say which one is spelt alike."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and (alike := get_close_matches(name, known, n=1)):
            ctx.fail(f"No such command {name!r}. Did you mean {alike[0]!r}?")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the named subcommand; None if nothing installed provides it."""
        for entry in entry_points(group=self.entry_group, name=cmd_name):
            command = entry.load()
            assert isinstance(command, click.Command), f"{entry.value} is not a click command"  # noqa: S101
            return command
        return super().get_command(ctx, cmd_name)


class Sections(LazyGroup):
    """Lists its subcommands under what they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections, each with a line for each of its subcommands."""
        installed = self.list_commands(ctx)
        known = {name for names in SECTIONS.values() for name in names}
        others = [name for name in installed if name not in known]
        width = max(map(len, installed))
        columns = formatter.width - width - SPACING
        for title, names in (*SECTIONS.items(), (OTHERS, others)):
            rows = [
                (name.ljust(width), self._summary(ctx, name, columns))
                for name in names
                if name in installed
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _summary(self, ctx: click.Context, name: str, columns: int) -> str:
        """Return what the named subcommand is for, in at most so many columns."""
        for entry in entry_points(group=self.entry_group, name=name):
            if told := summary(entry, columns):
                return told
        command = self.get_command(ctx, name)
        return command.get_short_help_str(columns) if command is not None else ""


@click.group(cls=Sections, context_settings={"help_option_names": ["--help"]})
@click.version_option(package_name="queuecast", prog_name="queuecast")
def command() -> None:
    """Tell when the waiting jobs of a batch cluster will start, and why not sooner.

    \b
    Exit codes: 0 done; 1 failed; 2 wrong usage; 3 answered from stale data;
    4 no forecast possible; 5 a gate failed; 6 another process writes the recording.
    """  # noqa: D301 - click wants the control character itself, to keep the lines as they are


def main() -> None:
    """Run the command; an expected error is told in a few lines on standard error."""
    _open_closed_streams()
    _write_what_can_be_written()
    try:
        command(prog_name="queuecast")
    except RecordingInUse as error:
        _fail(str(error), IN_USE)
    except QueuecastError as error:
        _fail(str(error))
    except MemoryError:
        _fail("there is not enough memory for this")
    except OSError as error:
        _drop_unwritten()
        _fail(f"{error.filename or 'output'}: {error.strerror or error}")


def _fail(cause: str, code: int = FAILED) -> NoReturn:
    for line in f"queuecast: {cause}".splitlines():
        print(plain(line), file=sys.stderr)  # noqa: T201
    sys.exit(code)


def _open_closed_streams() -> None:
    """Let nothing that is opened later pass for a standard stream that the caller closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _write_what_can_be_written() -> None:
    """Let a locale that lacks a character, as ISO 8859-1 an ellipsis, cost that character only."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _drop_unwritten() -> None:
    # Python would try once more at the end, fail again, and say so in its own words.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
