"""The use case "learn an authority": certificates between signer and root, out of papers and of imported files.

One that a pinned root vouches for is safe to use whoever brought it, so it is taken from signatures by itself and from
any file by `confere trust import`. What is learned lies in one file of the data folder, and is proved again whenever
it is read. Nothing is asked over the internet.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from confere.app.authenticity import certificate_files, trust
from confere.archive.authenticity import missing_authorities
from confere.archive.store import Archive
from confere.fiscal.authenticity.certificates import certificate_bundles, learnable_authorities
from confere.fiscal.authenticity.certificates.signer_certificate import common_name
from confere.system.files import atomic_file
from confere.system.paths import Home

_log = logging.getLogger(__name__)

_MOST: Final = 5_000
"""Authorities that are learned at most; ICP-Brasil has had some hundreds."""
_HEAD: Final = b"# Authorities of ICP-Brasil that were learned here; each leads to a pinned root.\n"


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file held: authorities that are `new`, those `known` before, and how many certificates lead to no root."""

    file: str
    new: tuple[str, ...]
    known: tuple[str, ...]
    unproved: tuple[str, ...]


def learn(home: Home, given: Iterable[x509.Certificate]) -> tuple[x509.Certificate, ...]:
    """Keep those of `given` that are new and lead to a pinned root; these are given back."""
    kept = trust.learned(home)
    found = learnable_authorities.learned(given, (*trust.packaged(), *kept))
    new = tuple(found.values())[: max(0, _MOST - len(kept))]
    if new:
        text = b"".join(certificate.public_bytes(Encoding.PEM) for certificate in (*kept, *new))
        atomic_file.write_bytes(home.ensure().authorities, _HEAD + text, own=True)
        _log.info("authorities learned: %s", len(new))
    return new


def learn_met(home: Home, met: Iterable[bytes]) -> int:
    """As `learn`, of certificates in DER that came along in signatures; how many were new."""
    given = tuple(found for data in met for found in certificate_bundles.read(data).certificates)
    return len(learn(home, given)) if given else 0


def await_learned(archive: Archive, home: Home) -> int:
    """Let the contents be judged again that lacked an authority which is known now; how many they are."""
    known = {learnable_authorities.fingerprint(entry): common_name(entry.subject) for entry in trust.learned(home)}
    with archive.reading() as transaction:
        if missing_authorities.knows(transaction, known):
            return 0
    with archive.writing() as transaction:
        return missing_authorities.meet(transaction, known)


def import_files(home: Home, files: Sequence[Path]) -> tuple[Imported, ...]:
    """Learn from files: PEM, DER or PKCS #7, of one or many certificates. `UsageFault` where one holds none.

    All are read before anything is kept; what one of them vouches for may lie in another.
    """
    read = [(path, certificate_files.read(path).certificates) for path in files]
    before = {learnable_authorities.fingerprint(entry) for entry in (*trust.packaged(), *trust.learned(home))}
    new = {
        learnable_authorities.fingerprint(entry) for entry in learn(home, [one for _, found in read for one in found])
    }

    def names(found: Sequence[x509.Certificate], marks: set[str]) -> tuple[str, ...]:
        return tuple(common_name(one.subject) for one in found if learnable_authorities.fingerprint(one) in marks)

    return tuple(
        Imported(
            str(path),
            names(found, new),
            names(found, before),
            names(found, {learnable_authorities.fingerprint(one) for one in found} - new - before),
        )
        for path, found in read
    )
