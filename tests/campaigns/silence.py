"""A campaign that runs among other tests says nothing, and leaves their logs as they were."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from predictor.service.logs import NAME


@contextmanager
def silence() -> Iterator[None]:
    """Log none of our events meanwhile."""
    logger = logging.getLogger(NAME)
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
