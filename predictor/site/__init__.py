"""The site file: what the batch system cannot say."""

from predictor.site.load import default, load
from predictor.site.model import Site
from predictor.site.overlay import overlay
from predictor.site.privacy import without_private_text, without_private_texts

__all__ = ["Site", "default", "load", "overlay", "without_private_text", "without_private_texts"]
