"""A real browser for tests: headless Chromium, driven through its debugging pipe."""

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DEADLINE_S = 60.0
LOOK_EVERY_S = 0.1
LOWEST = 10
"""Descriptors from here on are in nobody's way."""
BEGIN = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""The browser reads its third and writes its fourth descriptor."""
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--remote-debugging-pipe"),
)


@dataclass
class Tab:
    """A page that is open."""

    _browser: "Browser"
    _session: str
    complaints: list[str] = field(default_factory=list)
    """What the console was told of errors, and of what the content security policy refused."""

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the browser's answer to a command."""
        return self._browser.ask(method, session=self._session, tab=self, **params)

    def value(self, script: str) -> Any:
        """Return what a script's last expression is; promises are waited for."""
        told = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in told:
            raise AssertionError(told["exceptionDetails"])
        return told["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression is true."""
        self.value(
            "new Promise((done) => { const look = () =>"
            f" ({condition}) ? done(true) : setTimeout(look, 20); look(); }})"
        )

    def until_shown(self, selector: str) -> None:
        """Wait until there is such an element, without a script in the page."""
        for _ in range(round(DEADLINE_S / LOOK_EVERY_S)):
            root = self.ask("DOM.getDocument")["root"]["nodeId"]
            with contextlib.suppress(AssertionError):  # the page may change in between
                if self.ask("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]:
                    return
            time.sleep(LOOK_EVERY_S)
        raise AssertionError(f"there is no {selector}")

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40}
        more = {"key": key, "windowsVirtualKeyCode": code.get(key, 0)}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **more, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **more)


class Browser:
    """Chromium with a pipe to command it by."""

    def __init__(self, home: Path) -> None:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, LOWEST) for end in (theirs_in, theirs_out)]
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", BEGIN, *map(str, theirs)),
                *(str(CHROMIUM), *FLAGS, f"--user-data-dir={home}"),
            ],
            pass_fds=theirs,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (theirs_in, theirs_out, *theirs):
            os.close(end)
        self._rest = b""
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(DEADLINE_S)
        os.close(self._out)
        os.close(self._in)

    @contextmanager
    def open(self, address: str, width: int = 1300, height: int = 900) -> Iterator[Tab]:
        """Open a page and wait until it is loaded."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        told = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        tab = Tab(self, told["sessionId"])
        for domain in ("Runtime", "Log", "Page"):
            tab.ask(f"{domain}.enable")
        tab.ask(
            "Emulation.setDeviceMetricsOverride",
            **{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        tab.ask("Page.navigate", url=address)
        tab.until(f"document.readyState === 'complete' && location.href.startsWith('{address}')")
        try:
            yield tab
        finally:
            self.ask("Target.closeTarget", targetId=target)

    def ask(
        self, method: str, *, session: str = "", tab: Tab | None = None, **params: Any
    ) -> dict[str, Any]:
        """Return the answer to a command; what the page says meanwhile is noted on its tab."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": params}
        if session:
            command["sessionId"] = session
        # A page that hangs must not hang the tests.
        end = threading.Timer(DEADLINE_S, self._process.kill)
        end.start()
        try:
            os.write(self._out, json.dumps(command).encode() + b"\0")
            while True:
                told = self._next()
                if told.get("id") == self._number:
                    if "error" in told:
                        raise AssertionError(f"{method}: {told['error']}")
                    answer: dict[str, Any] = told["result"]
                    return answer
                if tab is not None and (complaint := _complaint(told)):
                    tab.complaints.append(complaint)
        finally:
            end.cancel()

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = os.read(self._in, 2**16)
            if not chunk:
                raise AssertionError("the browser ended")
            self._rest += chunk
        told, _, self._rest = self._rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(told)
        return answer


def _complaint(told: dict[str, Any]) -> str:
    params = told.get("params", {})
    match told.get("method"):
        case "Runtime.exceptionThrown":
            return str(params["exceptionDetails"])
        case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
            return str(params["entry"])
        case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
            return str(params["args"])
    return ""
