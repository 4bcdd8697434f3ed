"""SHA-256 without the four megabytes of OpenSSL that `hashlib` loads for it, where Python has it.

For sums over our own files and results; what is secret goes through `hashlib`.
"""

from typing import TYPE_CHECKING

__all__ = ["sha256"]

if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha256 import sha256
    except ImportError:  # it is an inner module of Python, and may go
        from hashlib import sha256
