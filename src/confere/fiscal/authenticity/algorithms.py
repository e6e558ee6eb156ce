"""The algorithms of XML signatures that are checked here, by the names that signatures give them."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from confere.fiscal.authenticity.certificates.signer_certificate import PublicKey

DSIG: Final = "http://www.w3.org/2000/09/xmldsig#"
ENVELOPED: Final = DSIG + "enveloped-signature"
_MORE: Final = "http://www.w3.org/2001/04/xmldsig-more#"
_ENCODING: Final = "http://www.w3.org/2001/04/xmlenc#"

DIGESTS: Final = {
    # SHA-1 is the layouts' rule, not a choice.
    DSIG + "sha1": hashlib.sha1,
    _ENCODING + "sha256": hashlib.sha256,
    _MORE + "sha384": hashlib.sha384,
    _ENCODING + "sha512": hashlib.sha512,
}
_RSA: Final[dict[str, hashes.HashAlgorithm]] = {
    DSIG + "rsa-sha1": hashes.SHA1(),  # noqa: S303
    _MORE + "rsa-sha256": hashes.SHA256(),
    _MORE + "rsa-sha384": hashes.SHA384(),
    _MORE + "rsa-sha512": hashes.SHA512(),
}
_ECDSA: Final[dict[str, hashes.HashAlgorithm]] = {
    _MORE + "ecdsa-sha1": hashes.SHA1(),  # noqa: S303
    _MORE + "ecdsa-sha256": hashes.SHA256(),
    _MORE + "ecdsa-sha384": hashes.SHA384(),
    _MORE + "ecdsa-sha512": hashes.SHA512(),
}
_PADDING: Final = PKCS1v15()


def is_signature(method: str) -> bool:
    """Whether `method` (an algorithm URI) is a signature algorithm that `fits` can verify.

    Source: W3C XML Signature Syntax and Processing (RFC 3275), section 6.4; RFC 4051 (SHA-2 methods).
    """
    return method in _RSA or method in _ECDSA


def is_shared_secret(method: str) -> bool:
    """Whether `method` is keyed by a secret (HMAC); such a value does not identify a signer.

    Source: W3C XML Signature Syntax and Processing (RFC 3275), section 6.3 (HMAC).
    """
    return "hmac" in method.lower()


def fits(key: PublicKey, method: str, value: bytes, text: bytes) -> bool:
    """Whether `value` is the signature of `text` by `key`; False where `key` is not of the method's kind.

    Source: W3C XML Signature Syntax and Processing (RFC 3275), section 6.4; MOC 7.0 (RSA-SHA1 of the layouts).
    """
    try:
        if isinstance(key, RSAPublicKey):
            if method not in _RSA:
                return False
            key.verify(value, text, _PADDING, _RSA[method])
        else:
            if method not in _ECDSA or not value or len(value) % 2:
                return False
            half = len(value) // 2  # the two numbers, one after the other (RFC 4050)
            numbers = int.from_bytes(value[:half], "big"), int.from_bytes(value[half:], "big")
            key.verify(encode_dss_signature(*numbers), text, ECDSA(_ECDSA[method]))
    except (InvalidSignature, ValueError, UnsupportedAlgorithm):
        return False
    return True


def decoded(text: str) -> bytes | None:
    """The bytes that `text`, base64 without white space, encodes; None where it is not base64.

    Source: W3C XML Signature Syntax and Processing (RFC 3275) (base64 of DigestValue and SignatureValue).
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
