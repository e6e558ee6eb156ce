"""Whether two digests, as papers write them in base64, are the same bytes."""

from __future__ import annotations

import base64
import binascii


def are_same(one: str, other: str) -> bool:
    """Whether two digests in base64 are equal, ignoring white space; text that is not base64 is compared as text.

    Source: W3C XML Signature Syntax and Processing (RFC 3275) (DigestValue is base64: white space and padding do not
    count).
    """
    if one == other:
        return True
    try:
        return _bytes(one) == _bytes(other)
    except (binascii.Error, ValueError):
        return False


def _bytes(written: str) -> bytes:
    return base64.b64decode("".join(written.split()), validate=True)
