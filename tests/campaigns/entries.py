"""Where bytes from outside are read: found in the code itself, so that none is forgotten.

An entry is a function that calls what makes values of text or bytes (JSON, TOML, XML, archives,
dates, database files), or whose name says that it parses.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType

HOUSE = Path(__file__).parents[2]
PACKAGES = ("predictor", "collectors", "verification")
MAKES_VALUES = frozenset(
    {
        *("json.loads", "json.load", "decoder.raw_decode", "tomllib.loads", "tomllib.load"),
        *("etree.fromstring", "etree.iterparse", "etree.parse", "zstandard.ZstdDecompressor"),
        *("gzip.open", "gzip.decompress", "RECORD.unpack_from", "HEAD.unpack_from"),
        *("datetime.fromisoformat", "time.fromisoformat", "datetime.strptime", "bytes.fromhex"),
        *("sqlite3.connect", "base64.urlsafe_b64decode", "shlex.split", "NodeSet", "csv.reader"),
        *("struct.unpack", "struct.iter_unpack", "yaml.safe_load", "pickle.loads", "ast.parse"),
    }
)
PARSES = ("parse_", "_parse", "parsed")

Entry = tuple[str, str]
"""A file, counted from the checkout, and the name of a function in it."""


def entries() -> set[Entry]:
    """Return all of them."""
    files = (file for package in PACKAGES for file in (HOUSE / package).rglob("*.py"))
    return {
        (str(file.relative_to(HOUSE)), name)
        for file in files
        for name in _in(ast.parse(file.read_text(encoding="utf-8")))
    }


def _in(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            (node.name.startswith(PARSES) and node.name != "parse_args")
            or any(map(_makes_values, ast.walk(node)))
        ):
            yield node.name


def _makes_values(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in MAKES_VALUES


def reached(act: Callable[[], object]) -> set[Entry]:
    """Return the functions of ours that are called while somebody acts, as for the first time."""
    _forget()
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return {
        (str(Path(code.co_filename).relative_to(HOUSE)), code.co_name)
        for code in codes
        if code.co_filename.startswith(str(HOUSE))
    }


def _forget() -> None:
    """Empty what functions of ours remember: who answers from that is not called."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
