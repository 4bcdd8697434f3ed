"""A cluster with enough to decide, and what became of it."""

import performed as scenes
import pytest


@pytest.fixture
def busy_cluster():
    """Return eight nodes, forty jobs, of which ten come later, and how long they run."""
    return scenes.busy_cluster()


@pytest.fixture
def performed():
    """Return the history of what becomes of a snapshot if the replica decides."""
    return scenes.performed
