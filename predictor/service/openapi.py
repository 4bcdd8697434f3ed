"""The OpenAPI document, generated from the API and kept beside it."""

import json
from pathlib import Path
from typing import Any

from predictor.clock import SystemClock
from predictor.service.answering import Newest
from predictor.service.api import documented_app
from predictor.service.herald import Herald
from predictor.service.longwork.bench import Bench, Means
from predictor.service.longwork.checking import Checking
from predictor.service.published import Board
from predictor.service.watches.reception import Reception
from predictor.service.watches.store import Watches
from predictor.service.whatif.asking import Supposing
from predictor.site import default

COMMITTED = Path(__file__).with_name("openapi.json")


def document() -> dict[str, Any]:
    """Return the document of the API as it is now."""
    clock, site = SystemClock(), default()
    newest = Newest(Board(), clock, open_=False)
    reception = Reception(Watches(None), site.notices, clock)
    bench = Bench(None, Path(), clock, Means())
    supposing = Supposing(site, clock)
    herald, checking = Herald(newest), Checking()
    return documented_app(newest, supposing, herald, reception, bench, checking).openapi()


if __name__ == "__main__":
    COMMITTED.write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
