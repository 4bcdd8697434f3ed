"""topology.yaml, as far as it says a tree of switches or none at all.

Of YAML only what such files are written in is read: block style, one key a line. Source: Slurm's
documentation of topology.yaml, 25.05.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from collectors.slurm.files.conf import text_of
from collectors.slurm.files.lines import Place, Remark
from predictor.errors import SourceError

_LINE = re.compile(r"(\s*)(- +)?([A-Za-z_]+):(?:\s+(.*))?", re.ASCII)
_COMMENT = re.compile(r"(?:^|\s)#.*")
KINDS = frozenset({"tree", "flat", "block", "ring", "torus3d"})


@dataclass(slots=True, kw_only=True)
class _Topology:
    """One topology of the file."""

    name: str
    place: Place
    is_default: bool = False
    kind: str = ""
    switches: list[dict[str, str]] = field(default_factory=list)


def switches_of_yaml(path: Path) -> tuple[str, tuple[Remark, ...]]:
    """Return the default topology's switches as `scontrol show topology` would print them.

    Nothing, and a remark, for a topology of another kind than tree and flat, and for what cannot
    be read. Raises SourceError if the file cannot be read.
    """
    try:
        found, remarks = _topologies(text_of(path), str(path))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {error}") from error
    chosen = next((one for one in found if one.is_default), found[0] if found else None)
    if chosen is None:
        return "", tuple(remarks)
    if chosen.kind not in {"tree", "flat"}:
        remarks.append(
            Remark(
                chosen.place, f"topology {chosen.name[:80]}: {chosen.kind or 'no kind'}: not read"
            )
        )
    if len(found) > 1:
        remarks.append(Remark(found[1].place, "topologies of single partitions are not read"))
    return "".join(map(_shown, chosen.switches)), tuple(remarks)


def _topologies(text: str, file: str) -> tuple[list[_Topology], list[Remark]]:
    found: list[_Topology] = []
    remarks: list[Remark] = []
    for number, line in enumerate(text.splitlines(), start=1):
        code = _COMMENT.sub("", line).rstrip()
        if not code or code == "---":
            continue
        match = _LINE.fullmatch(code)
        place = Place(file, number)
        if match is None or not _take(found, match[3], (match[4] or "").strip("\"'"), place):
            remarks.append(Remark(place, f"not read: {code.strip()[:80]!r}"))
    return found, remarks[:20]


def _take(found: list[_Topology], key: str, value: str, place: Place) -> bool:
    """Take one key to the last topology; return whether it means anything to us."""
    if key == "topology":
        found.append(_Topology(name=value, place=place))
    elif not found:
        return False
    elif key == "cluster_default":
        found[-1].is_default = value.lower() in {"true", "yes", "on"}
    elif key in KINDS and not found[-1].kind:
        found[-1].kind = key
    elif found[-1].kind == "tree" and key == "switch":
        found[-1].switches.append({"SwitchName": value})
    elif found[-1].switches and key in {"children", "nodes"}:
        found[-1].switches[-1]["Switches" if key == "children" else "Nodes"] = value
    else:
        # What belongs to another kind is told of once, with that kind.
        return key == "switches" or found[-1].kind not in {"tree", "flat"}
    return True


def _shown(switch: dict[str, str]) -> str:
    return " ".join(f"{key}={''.join(value.split())}" for key, value in switch.items()) + "\n"
