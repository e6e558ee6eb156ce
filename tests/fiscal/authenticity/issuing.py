"""Certificates for tests: authorities of any name, and holders under them, with keys that are quick to make."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import UTC, datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID, ObjectIdentifier

ICP = "ICP-Brasil"
FIRST, LAST = datetime(2020, 1, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Holder:
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def text(self) -> str:
        """As an `X509Certificate` holds it."""
        return base64.b64encode(self.der).decode()


def name(common: str, organization: str = ICP) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "BR"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, organization),
            x509.NameAttribute(NameOID.COMMON_NAME, common),
        ]
    )


def issue(
    common: str,
    issuer: Holder | None = None,
    *,
    organization: str = ICP,
    authority: bool = True,
    flagged: bool | None = None,
    path_length: int | None = None,
    first: datetime = FIRST,
    last: datetime = LAST,
    key: ec.EllipticCurvePrivateKey | None = None,
    signing: ec.EllipticCurvePrivateKey | None = None,
    key_ids: bool = True,
    may_sign_certificates: bool | None = None,
    others: tuple[tuple[str, bytes], ...] = (),
) -> Holder:
    """A certificate of `common`, by `issuer` or itself. `signing` signs in place of the issuer's own key.

    `may_sign_certificates` is its key's `keyCertSign`; None: its usage is not said.
    """
    key = key or ec.generate_private_key(ec.SECP256R1())
    by = signing or (issuer.key if issuer is not None else key)
    subject = name(common, organization)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer is not None else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(first)
        .not_valid_after(last)
    )
    is_authority = authority if flagged is None else flagged
    builder = builder.add_extension(
        x509.BasicConstraints(ca=is_authority, path_length=path_length if is_authority else None), critical=True
    )
    if key_ids:
        issuing = issuer.key if issuer is not None else key
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
        ).add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuing.public_key()), critical=False)
    if may_sign_certificates is not None:
        usage = x509.KeyUsage(
            digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False,
            key_agreement=False, key_cert_sign=may_sign_certificates, crl_sign=False,
            encipher_only=False, decipher_only=False,
        )  # fmt: skip
        builder = builder.add_extension(usage, critical=True)
    if others:
        names = [x509.OtherName(ObjectIdentifier(place), value) for place, value in others]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return Holder(key, builder.sign(by, SHA256()))
