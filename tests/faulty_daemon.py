"""The daemon of `faulty_service.py` as a process, and the files that tell it how to behave."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import faulty_service


class FaultyDaemon:
    """A running daemon; what its cluster and its worker do stands in a folder."""

    def __init__(self, folder: Path, **more: str) -> None:
        self.folder = folder
        self.say(look="fine", predict="fine", windows="fine", site="1", **more)
        self.start()

    def start(self) -> None:
        """Start it; returns once it has told its address."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, faulty_service.__file__],
                env={**os.environ, "FAULTY_FOLDER": str(self.folder)},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        self.address = urlsplit(self.process.stdout.readline().strip())

    def say(self, **files: str) -> None:
        """Tell its cluster and its worker how to behave."""
        for name, content in files.items():
            new = self.folder / f"{name}.new"
            new.write_text(content)
            new.rename(self.folder / name)

    def worker(self) -> int | None:
        """Return the id of the process that forecasts; None: there is none now."""
        for file in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            for pid in file.read_text().split():
                with suppress(OSError):
                    if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                        return int(pid)
        return None

    def kill(self) -> None:
        """Kill it; nobody gets a word in."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
