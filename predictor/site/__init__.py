"""The site file: what the batch system cannot say."""

from predictor.site.load import default, load
from predictor.site.model import Site

__all__ = ["Site", "default", "load"]
