"""Which source a site file asks for: its `[source]` table, and nothing else of it."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from predictor.errors import SiteError


def asked_for(file: Path, usual: str) -> tuple[str, Mapping[str, object]]:
    """Return kind and settings of the source; `usual` is the kind where none is named.

    A relative `path` starts at the file's folder. Raises SiteError, naming the file.
    """
    try:
        # A pipe with a name, or a device, may never end; one that is open already has none.
        if not file.is_file() and file.exists() and os.path.lexists(os.path.realpath(file)):
            raise SiteError(f"{file}: expected a regular file")
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("source", {})
    except OSError as error:
        raise SiteError(f"{file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise SiteError(f"{file}: {error}") from error
    kind = table.get("kind", usual) if isinstance(table, dict) else None
    if not isinstance(kind, str):
        raise SiteError(f"{file}: source: expected a table whose kind is a text")
    settings = {key: value for key, value in table.items() if key != "kind"}
    if isinstance(path := settings.get("path"), str):
        settings["path"] = str(file.absolute().parent / Path(path).expanduser())
    return kind, settings
