"""Compression of one document against an earlier one that is much like it."""

import zstandard

from predictor.errors import StorageError

LEVEL = 12
MAX_DOCUMENT_BYTES = 256 * 2**20
MAX_WINDOW_LOG = 29
"""A window must span the earlier document and the new one."""


def pack(document: bytes, base: bytes | None) -> bytes:
    """Return `document` compressed; `unpack` needs the same `base`."""
    known = b"" if base is None else base
    # Matches may reach back through the whole base, whatever the level's own window.
    window_log = min(max((len(document) + len(known)).bit_length(), 18), MAX_WINDOW_LOG)
    parameters = zstandard.ZstdCompressionParameters.from_level(
        LEVEL,
        source_size=len(document),
        dict_size=len(known),
        window_log=window_log,
        write_checksum=True,
    )
    return zstandard.ZstdCompressor(
        compression_params=parameters, dict_data=_dictionary(base)
    ).compress(document)


def unpack(packed: bytes, base: bytes | None) -> bytes:
    """Return the document. Raises StorageError if it is damaged, too large or of another base."""
    try:
        size = zstandard.frame_content_size(packed)
        if not 0 <= size <= MAX_DOCUMENT_BYTES:
            raise StorageError(f"a document of {size} bytes; at most {MAX_DOCUMENT_BYTES} are read")
        return zstandard.ZstdDecompressor(
            dict_data=_dictionary(base), max_window_size=2**MAX_WINDOW_LOG
        ).decompress(packed)
    except zstandard.ZstdError as error:
        raise StorageError(f"cannot be decompressed: {error}") from error


def _dictionary(base: bytes | None) -> zstandard.ZstdCompressionDict | None:
    if not base:
        return None
    return zstandard.ZstdCompressionDict(base, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
