"""The stage of a scenario: a private Slurm with an accounting database."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from live.accounts import start_accounting
from live.cluster import Slurm, last_words, start, stop_everything, write_files
from live.scenarios.scenario import Scenario


@contextmanager
def staged(scenario: Scenario) -> Iterator[Slurm]:
    """Run the scenario's cluster. Raises RuntimeError with the daemons' last words."""
    with tempfile.TemporaryDirectory(prefix="queuecast-scenario-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        slurm = Slurm(root=root, layout=scenario.layout)
        try:
            write_files(slurm)
            try:
                start(slurm, partial(start_accounting, told=scenario.accounting))
            except (TimeoutError, RuntimeError) as error:
                raise RuntimeError(f"{error}\n{last_words(slurm)}") from error
            yield slurm
        finally:
            stop_everything(slurm)
