"""The exit codes of all subcommands."""

DONE = 0
FAILED = 1
"""Unknown job, server unreachable, input refused."""
USAGE = 2
STALE = 3
"""Answered, but from data older than it should be."""
NO_FORECAST = 4
"""Held, never, or beyond the horizon: nothing can be said about any job asked for."""
GATE = 5
"""A threshold given on the command line was exceeded."""
IN_USE = 6
"""Another process writes the recording."""
