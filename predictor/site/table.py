"""What all tables of a site file have in common."""

from pydantic import BaseModel, ConfigDict


class Table(BaseModel):
    """A table of the site file: frozen, nothing unknown in it, no value of a similar type."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        use_attribute_docstrings=True,
    )
