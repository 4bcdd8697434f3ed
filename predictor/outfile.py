"""Writing a result to the file that somebody named."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

USUAL_MODE = 0o644


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in the place of the file in one step: no reader ever sees half of it.

    The file keeps its mode, a link stays a link, and a device or pipe is written into. Raises
    OSError with the file's name; the old file then stays.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(Path(os.path.realpath(path)), content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(path: Path, content: bytes) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else USUAL_MODE
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:32]}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
