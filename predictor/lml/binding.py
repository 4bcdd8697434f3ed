"""The codecs of one document: those that need its offset from UTC, and all the others."""

from predictor.lml.codec import Codec, instants, tasks
from predictor.lml.kinds import PerDocument


class Binding:
    """Gives each key its codec, for one document."""

    def __init__(self, utc_offset_s: int) -> None:
        self._codecs = {
            PerDocument.INSTANT: instants(utc_offset_s),
            PerDocument.TASKS: tasks(),
        }

    def codec(self, codec: Codec | PerDocument) -> Codec:
        """Return what stands for `codec` in this document."""
        return self._codecs[codec] if isinstance(codec, PerDocument) else codec
