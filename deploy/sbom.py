"""sbom.py [--licences]: prints what the environment of this Python holds.

    /opt/queuecast/bin/python deploy/sbom.py >queuecast.cdx.json
    .venv/bin/python deploy/sbom.py --licences

A bill of materials as CycloneDX 1.5 in JSON: queuecast and all that it needs, with versions,
licences and who needs whom; or a line for each with its licence. Equal environments give equal
bytes. Source: https://cyclonedx.org/docs/1.5/json/
"""

import json
import re
import sys
import uuid
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from typing import Any

ROOT = "queuecast"
NAMESPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
"""That of URLs. Source: RFC 4122, appendix C."""
UNKNOWN = "not told"
LONGEST = 80


def plain_name(name: str) -> str:
    """Return the name of a package as all its spellings have in common. Source: PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(of: Distribution, found: dict[str, Distribution]) -> list[str]:
    """Return the names of those that it needs, extras aside, and that are there; sorted."""
    asked = (one for one in of.requires or () if "extra ==" not in one)
    names = (re.match(r"[A-Za-z0-9._-]+", one) for one in asked)
    plain = {plain_name(name[0]) for name in names if name}
    return sorted(plain & found.keys())


def closure(found: dict[str, Distribution]) -> dict[str, Distribution]:
    """Return those that queuecast needs, directly or not, itself first."""
    names, todo = [], [ROOT]
    while todo:
        name = todo.pop()
        if name not in names:
            names.append(name)
            todo += needed(found[name], found)
    return {name: found[name] for name in [ROOT, *sorted(names[1:])]}


def licence(of: Distribution) -> str:
    """Return the licence that its metadata tell, in one line."""
    told = of.metadata
    classes = [
        one.rpartition(" :: ")[2]
        for one in told.get_all("Classifier") or ()
        if one.startswith("License :: ") and one != "License :: OSI Approved"
    ]
    first = (told["License-Expression"] or told["License"] or "").strip().partition("\n")[0]
    return (
        first[:LONGEST] if told["License-Expression"] else "; ".join(classes) or first[:LONGEST]
    ) or UNKNOWN


def component(of: Distribution) -> dict[str, Any]:
    """Return it as CycloneDX describes it."""
    name, version = plain_name(of.metadata["Name"]), of.version
    told = of.metadata["License-Expression"]
    return {
        "type": "application" if name == ROOT else "library",
        "bom-ref": reference(of),
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "licenses": [{"expression": told}] if told else [{"license": {"name": licence(of)}}],
    }


def reference(of: Distribution) -> str:
    """Return what the document calls it by."""
    return f"{plain_name(of.metadata['Name'])}=={of.version}"


def document(parts: dict[str, Distribution]) -> dict[str, Any]:
    """Return the bill of materials."""
    first, *others = parts.values()
    references = "\n".join(map(reference, parts.values()))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, references)}",
        "version": 1,
        "metadata": {"component": component(first)},
        "components": [component(one) for one in others],
        "dependencies": [
            {
                "ref": reference(one),
                "dependsOn": [reference(parts[name]) for name in needed(one, parts)],
            }
            for one in parts.values()
        ],
    }


def licences(parts: dict[str, Distribution]) -> Iterator[str]:
    """Yield a line for each."""
    for name, one in parts.items():
        yield f"{name} {one.version}: {licence(one)}"


def main(arguments: list[str]) -> int:
    """Print what is asked for."""
    found = {plain_name(one.metadata["Name"]): one for one in distributions()}
    if ROOT not in found:
        sys.stderr.write(f"{sys.argv[0]}: {ROOT} is not installed for {sys.executable}\n")
        return 1
    parts = closure(found)
    if "--licences" in arguments:
        sys.stdout.writelines(f"{line}\n" for line in licences(parts))
    else:
        sys.stdout.write(json.dumps(document(parts), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
