"""`queuecast completion bash`: a script by which the shell completes commands and options."""

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import click

FILES = "@files"
"""Stands for the names of files among the values of an option."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")

SCRIPT = """\
# Completion of queuecast for bash. Try it: source <(queuecast completion bash)
_queuecast_told() {{
    case "$1" in
{told}
    *) REPLY= ;;
    esac
}}
_queuecast() {{
    local word path= REPLY at current=${{COMP_WORDS[COMP_CWORD]}}
    local before=${{COMP_WORDS[COMP_CWORD-1]}}
    for ((at = 1; at < COMP_CWORD; at++)); do
        word=${{COMP_WORDS[at]}}
        _queuecast_told "commands$path"
        [[ " $REPLY " == *" $word "* ]] && path+=" $word"
    done
    COMPREPLY=()
    if [[ $before == -* ]]; then
        _queuecast_told "value$path $before"
        case "$REPLY" in
        '') ;;
        '@files') COMPREPLY=($(compgen -f -- "$current")); return ;;
        '@none') return ;;
        *) COMPREPLY=($(compgen -W "$REPLY" -- "$current")); return ;;
        esac
    fi
    if [[ $current == -* ]]; then
        _queuecast_told "options$path"
    else
        _queuecast_told "commands$path"
        if [[ -z $REPLY ]]; then
            _queuecast_told "words$path"
            if [[ $REPLY == '@files' ]]; then
                COMPREPLY=($(compgen -f -- "$current"))
                return
            fi
        fi
    fi
    COMPREPLY=($(compgen -W "$REPLY" -- "$current"))
}}
complete -o filenames -F _queuecast queuecast
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What may stand at one place of the command line."""

    place: str
    """What is asked, `commands`, `options`, `value` or `words`, and after which words."""
    words: str
    """Separated by blanks; `@files` for names of files, `@none` for what cannot be listed."""


@click.command(context_settings={"help_option_names": ["--help"]})
@click.argument("shell", type=click.Choice(["bash"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script by which a shell completes what is typed.

    \b
    For one session   source <(queuecast completion bash)
    For an account    queuecast completion bash > ~/.local/share/bash-completion/completions/queuecast
    For everybody     queuecast completion bash > /usr/share/bash-completion/completions/queuecast

    The script knows all by itself: nothing is started when a word is completed.
    """  # noqa: D301, E501 - click keeps paragraphs that begin with a backspace as they are
    del shell  # there is one as yet
    root = ctx.find_root()
    click.echo(script(root.command, root), nl=False)


def script(command: click.Command, ctx: click.Context) -> str:
    """Return the script for a command and all below it."""
    told = "\n".join(
        f"    {shlex.quote(one.place)}) REPLY={shlex.quote(one.words)} ;;"
        for one in known(command, ctx)
        if one.words
    )
    return SCRIPT.format(told=told)


def known(command: click.Command, ctx: click.Context, path: str = "") -> Iterator[Known]:
    """Yield what may stand where, of a command and of all below it."""
    parameters = command.get_params(ctx)
    options = [one for one in parameters if isinstance(one, click.Option) and not one.hidden]
    spellings = [name for one in options for name in (*one.opts, *one.secondary_opts)]
    yield Known(place=f"options{path}", words=" ".join(sorted(spellings)))
    for option in options:
        if not (option.is_flag or option.count):
            for name in option.opts:
                yield Known(place=f"value{path} {name}", words=_values(option.type) or "@none")
    words = (_values(one.type) for one in parameters if isinstance(one, click.Argument))
    yield Known(place=f"words{path}", words=next(filter(None, words), ""))
    if isinstance(command, click.Group):
        yield from _below(command, ctx, path)


def _below(group: click.Group, ctx: click.Context, path: str) -> Iterator[Known]:
    # A name is installed by anybody: only plain ones come into a script.
    names = [name for name in group.list_commands(ctx) if _NAME.fullmatch(name)]
    yield Known(place=f"commands{path}", words=" ".join(names))
    for name in names:
        with suppress(Exception):  # what cannot be loaded is completed by its name alone
            command = group.get_command(ctx, name)
            assert command is not None  # noqa: S101 - it was listed
            inner = click.Context(command, info_name=name, parent=ctx)
            yield from known(command, inner, f"{path} {name}")


def _values(kind: click.ParamType[Any]) -> str:
    if isinstance(kind, click.Path | click.File):
        return FILES
    return " ".join(map(str, kind.choices)) if isinstance(kind, click.Choice) else ""
