"""Certificates out of the files that people have: PEM with one or many, DER, PKCS #7."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.serialization import pkcs7

from confere.fiscal.authenticity.certificates.signer_certificate import REFUSALS, checked
from confere.system.processes.library_warnings import quiet_warnings

_BLOCK: Final = re.compile(rb"-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----")
_LONGEST: Final = 20_000_000
_MOST: Final = 5_000


@dataclass(frozen=True, slots=True)
class Bundle:
    """What one file held. `unread` counts the entries in it that are certificates, and cannot be read."""

    certificates: tuple[x509.Certificate, ...]
    unread: int = 0


def read(data: bytes) -> Bundle:
    """Every certificate in `data`; none where it is something else."""
    if len(data) > _LONGEST:
        return Bundle((), 1)
    certificates: list[x509.Certificate] = []
    unread = 0
    with quiet_warnings():  # of old roots' odd serial numbers
        for load, block in _entries(data):
            try:
                certificates += map(checked, load(block))
            except REFUSALS:
                unread += 1
    return Bundle(tuple(certificates), unread)


def read_all(files: Iterable[bytes]) -> list[x509.Certificate]:
    """Every certificate in these files; what is none is left out."""
    return [certificate for data in files for certificate in read(data).certificates]


_Load = Callable[[bytes], list[x509.Certificate]]


def _entries(data: bytes) -> list[tuple[_Load, bytes]]:
    if b"-----BEGIN " not in data:
        # PKCS #7 and a certificate are both sequences: the first thing inside tells them apart.
        packed = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02" in data[:40]
        return [(pkcs7.load_der_pkcs7_certificates if packed else _one, data)]
    entries: list[tuple[_Load, bytes]] = []
    for block in _BLOCK.finditer(data):
        if block[1] in (b"CERTIFICATE", b"X509 CERTIFICATE", b"TRUSTED CERTIFICATE"):
            entries.append((_one_pem, block[0]))
        elif block[1] == b"PKCS7":
            entries.append((pkcs7.load_pem_pkcs7_certificates, block[0]))
        if len(entries) == _MOST:
            break
    return entries


def _one(data: bytes) -> list[x509.Certificate]:
    return [x509.load_der_x509_certificate(data)]


def _one_pem(data: bytes) -> list[x509.Certificate]:
    return [x509.load_pem_x509_certificate(data)]
