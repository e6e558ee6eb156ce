"""Why an encrypted connection was not made: the words of OpenSSL are English, its codes are not."""

from __future__ import annotations

import logging
import ssl
from typing import Final

from confere.errors import Message, message

_log = logging.getLogger(__name__)
_STRANGER: Final = message("nobody whom this machine trusts has signed it")
_OTHER_NAME: Final = message("it is of another address")

# Source: OpenSSL, `x509_vfy.h` (X509_V_ERR_…).
_BY_CODE: Final = {
    2: _STRANGER,
    7: message("its signature does not hold"),
    9: message("it is not valid yet, or this machine's clock is wrong"),
    10: message("it has expired, or this machine's clock is wrong"),
    18: message("it is signed by itself"),
    19: _STRANGER,
    20: _STRANGER,
    21: _STRANGER,
    23: message("it was revoked"),
    62: _OTHER_NAME,
    64: _OTHER_NAME,
    66: message("its key is too weak"),
    68: message("its signature is too weak"),
}
_OLD: Final = message("its encryption is too old")
_BY_REASON: Final = {
    "WRONG_VERSION_NUMBER": message("it answers without encryption"),
    "HTTP_REQUEST": message("it answers without encryption"),
    "RECORD_LAYER_FAILURE": message("it answers without encryption"),
    "UNSUPPORTED_PROTOCOL": _OLD,
    "TLSV1_ALERT_PROTOCOL_VERSION": _OLD,
    "DH_KEY_TOO_SMALL": _OLD,
    "EE_KEY_TOO_SMALL": _OLD,
    "SSLV3_ALERT_HANDSHAKE_FAILURE": message("it accepts no encryption that this machine offers"),
    "TLSV1_UNRECOGNIZED_NAME": message("it does not know itself by this name"),
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": message("it asks for a certificate of this machine"),
}


def certificate(error: ssl.SSLCertVerificationError) -> Message:
    """Why a certificate is not trusted, as the end of a sentence. The original words go to the log."""
    _log.info("OpenSSL's words: %s", error.verify_message)
    code = getattr(error, "verify_code", None)
    words = _BY_CODE.get(code) if code is not None else None
    return words or message("OpenSSL reports error {code}", code=code if code is not None else "?")


def handshake(error: ssl.SSLError) -> Message:
    """Why the two sides did not agree, as the end of a sentence. The original words go to the log."""
    _log.info("OpenSSL's words: %s", error)
    reason = error.reason or ""
    return _BY_REASON.get(reason) or message("OpenSSL reports error {code}", code=reason or "TLS")
