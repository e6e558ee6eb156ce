"""Renews `resources/trust/icp-brasil.pem`: the authorities of ICP-Brasil, out of any packages, bundles and documents.

`python packaging/authorities.py FILE_OR_FOLDER…` reads wheels, source packages, npm packages, ZIPs, PEM, DER, PKCS #7
and signed XML, and keeps what is there already. A certificate stays only where its signatures lead to a root that
`confere.fiscal.authenticity.certificates.icp_brasil` pins by its fingerprint, so whoever hands it over need not be
trusted. Expired ones stay too: papers of those years were signed under them.
"""

from __future__ import annotations

import base64
import io
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from confere.fiscal.authenticity.certificates import certificate_bundles
from confere.fiscal.authenticity.certificates import signer_certificate as reading
from confere.fiscal.authenticity.certificates.icp_brasil import ROOTS
from confere.fiscal.authenticity.certificates.learnable_authorities import fingerprint, leading_to_a_root

TARGET = Path(__file__).resolve().parent.parent / "resources" / "trust" / "icp-brasil.pem"
HEAD = """\
# The authorities of ICP-Brasil, roots and those below them, expired ones included, ordered by when they began.
# Made by packaging/authorities.py; the roots are pinned in confere.fiscal.authenticity.certificates.icp_brasil.
"""
_XML = re.compile(rb"X509Certificate>([^<]+)<")
_DEEPEST = 4


def members(data: bytes, name: str, depth: int = 0) -> Iterator[bytes]:
    """The files in an archive, and in archives in it; anything else as it is."""
    if depth > _DEEPEST:
        return
    if name.endswith((".whl", ".zip", ".jar")):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    yield from members(archive.read(entry), entry.filename, depth + 1)
    elif name.endswith((".tar.gz", ".tgz")):
        with tarfile.open(fileobj=io.BytesIO(data)) as packed:
            for member in packed:
                file = packed.extractfile(member) if member.isfile() else None
                if file is not None:
                    yield from members(file.read(), member.name, depth + 1)
    else:
        yield data


def certificates(data: bytes) -> Iterator[x509.Certificate]:
    """Every certificate in one file."""
    if b"-----BEGIN " in data or data[:1] == b"\x30":
        yield from certificate_bundles.read(data).certificates
    for written in _XML.findall(data):
        try:
            encoded = base64.b64decode(b"".join(written.split()))
        except ValueError:
            continue
        yield from certificate_bundles.read(encoded).certificates


def written(certificate: x509.Certificate) -> str:
    """One entry of the file: whose it is and when it counts, then the certificate."""
    first, last = certificate.not_valid_before_utc.date(), certificate.not_valid_after_utc.date()
    common = reading.common_name(certificate.subject).encode("ascii", "replace").decode()
    return f"# {common}, {first} to {last}\n{certificate.public_bytes(Encoding.PEM).decode()}"


def main(places: list[str]) -> None:
    given: dict[str, x509.Certificate] = {}
    files = [TARGET] if TARGET.exists() else []
    for place in map(Path, places):
        files += sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]
    for file in files:
        for data in members(file.read_bytes(), file.name):
            given.update((fingerprint(found), found) for found in certificates(data))
    kept = leading_to_a_root(given.values())
    ordered = sorted(kept.items(), key=lambda pair: (pair[1].not_valid_before_utc, pair[0]))
    text = HEAD + "".join("\n" + written(certificate) for _, certificate in ordered)
    TARGET.write_text(text, encoding="ascii", newline="\n")
    sys.stdout.write(
        f"{len(given)} certificates; {len(kept)} lead to {len(ROOTS & kept.keys())} of {len(ROOTS)} roots\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
