"""The log: one JSON object per line on standard error, whatever the texts in it contain."""

import json
import logging
import sys
from typing import Any

from predictor.domain.instants import rfc3339

NAME = "queuecast"
FIELDS = "queuecast_fields"


class JsonLines(logging.Formatter):
    """Formats a record as one line of ASCII: no text can begin another line or move the cursor."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        entry = {
            "time": rfc3339(int(record.created)),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if record.name != NAME:
            entry["logger"] = record.name
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


def log(
    event: str,
    *,
    level: int = logging.INFO,
    error: BaseException | None = None,
    **fields: Any,
) -> None:
    """Note an event with its fields; `error` adds where it came from."""
    logging.getLogger(NAME).log(level, event, extra={FIELDS: fields}, exc_info=error)


def write_logs_to_stderr(level: int = logging.INFO) -> None:
    """Send our events, and warnings of the libraries, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(NAME).setLevel(level)
    # Overruns and misses come to us as events and are logged as such.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
