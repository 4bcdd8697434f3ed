"""Licenses, out of JSON: of slurmrestd, and of `scontrol show licenses --json`."""

from collectors.slurm.objects import spelling
from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.text.licenses import license_of
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, License, Quarantined

PLACE = "licenses"


def parse_licenses(text: str) -> tuple[tuple[License, ...], tuple[Quarantined, ...]]:
    """Return the pools of licenses."""
    return sorted_out(Fact.LICENSES, record_list(decoded(text, PLACE), PLACE, PLACE), _license)


def _license(record: object) -> License:
    fields = Fields(record)
    numbers = {key: spelling.number(fields, key) for key in ("Total", "Used", "Reserved")}
    name = fields.text("LicenseName")
    return license_of(
        {"LicenseName": name, "Remote": spelling.yes(fields.flag("Remote")), **numbers}
    )
