"""Reads a file of certificates that its user names: PEM, DER or PKCS #7, of one or many."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509

from confere.errors import UsageFault, message
from confere.fiscal.authenticity.certificates import certificate_bundles
from confere.system.files import system_words
from confere.system.files.regular_files import open_regular

_LARGEST: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class CertificateFile:
    """The bytes of a file and the certificates in them, at least one."""

    data: bytes
    certificates: tuple[x509.Certificate, ...]


def read(path: Path, largest: int = _LARGEST) -> CertificateFile:
    """What is in `path`, up to `largest` bytes. `UsageFault` where it cannot be read or holds no certificate."""
    remedy = message("Give a file with certificates: PEM, DER or PKCS #7.")
    try:
        with open_regular(path) as file:
            data = file.read(largest + 1)
    except FileNotFoundError:
        raise UsageFault(message("There is no file {path}.", path=str(path)), remedy) from None
    except OSError as error:
        why = system_words.why(error)
        raise UsageFault(message("{path} cannot be read: {why}.", path=str(path), why=why), remedy) from error
    found = certificate_bundles.read(data).certificates if len(data) <= largest else ()
    if not found:
        raise UsageFault(message("There is no certificate in {path}.", path=str(path)), remedy)
    return CertificateFile(data, found)
