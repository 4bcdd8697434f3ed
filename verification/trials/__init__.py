"""Recorded days lived through once more under another configuration, told all but the starts."""

from verification.trials.trial import Trial, tried

__all__ = ["Trial", "tried"]
