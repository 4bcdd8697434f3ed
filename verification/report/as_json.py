"""Documents written as JSON."""

import json
from collections.abc import Mapping
from typing import Any


def render_json(found: Mapping[str, Any]) -> str:
    """Return the document as JSON, names in a fixed order: same document, same text."""
    return json.dumps(found, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
