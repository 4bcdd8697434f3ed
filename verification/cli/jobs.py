"""The option by which a command is told how many processes may work at a time."""

import click

from predictor.processors import processors

JOBS = click.option(
    "--jobs", type=click.IntRange(1), default=processors(), help="Processes at a time."
)
"""Unless told otherwise: one on each processor that this process may run on."""
